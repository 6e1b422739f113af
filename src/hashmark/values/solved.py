"""A solved game, asked: the exact value of its positions, from the file that solving has made.

What is not kept is a short sum of what is (see `stored`). Nothing here is compiled: a look at a
solution costs a player no compiler.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from hashmark.odds import plain
from hashmark.table import keys as k
from hashmark.table.errors import HashmarkError
from hashmark.table.record import winner
from hashmark.table.rules import RuleSet
from hashmark.values.container import Container
from hashmark.values.solution import NotSolved
from hashmark.values.value import Judgement, Value

OVER, THEIRS = -1, 1 << 30  # as in the rows that solving makes
SLACK = 1e-12  # answers that differ by less are alike: the first of them is called

NOT_THERE = "no game comes to this position, so the solution does not have it"

Chances = tuple[float, float]
"""That the team which is asked wins, and that it loses."""


class Kind:
    """Keys that share their rows, as the file has them."""

    def __init__(self, file: Container, number: int, keys: int) -> None:
        self.file, self.number, self.keys = file, number, keys
        self.has_rows = f"rows/{number}" in file

    @cached_property
    def members(self) -> Any:
        return self.file.array(f"members/{self.number}")

    @cached_property
    def member_of(self) -> Any:
        """The number of each key among the members, or -1."""
        numbers = np.full(self.keys, -1, np.int64)
        numbers[self.members] = np.arange(len(self.members))
        return numbers

    @cached_property
    def kept_of(self) -> Any:
        """The number of each member among those that are kept, or -1."""
        return self._numbered("kept")

    @cached_property
    def between_of(self) -> Any:
        """The same at clocks between those at which more is kept."""
        return self._numbered("between")

    def _numbered(self, name: str) -> Any:
        """Of each member its number in a list of the file, or -1."""
        numbers = np.full(len(self.members), -1, np.int64)
        if f"{name}/{self.number}" in self.file:
            listed = self.file.array(f"{name}/{self.number}")
            numbers[listed] = np.arange(len(listed))
        return numbers

    @cached_property
    def firsts(self) -> Any:
        return self.file.array(f"firsts/{self.number}")

    @cached_property
    def choices(self) -> Any:
        return self.file.array(f"choices/{self.number}")

    def rows(self, choice: int) -> Any:
        """The rows of a choice."""
        begin = 0 if choice == 0 else int(self.choices[choice - 1, 1])
        return self.file.part(f"rows/{self.number}", begin, int(self.choices[choice, 1]))

    @cached_property
    def targets(self) -> Any:
        return self.file.array(f"targets/{self.number}")

    @cached_property
    def nodes(self) -> Any:
        return self.file.array(f"nodes/{self.number}")

    @cached_property
    def _grouped(self) -> tuple[Any, Any]:
        codes = self.nodes[:, (1 + k.PERIOD, 1 + k.CLOCK, 1 + k.FLIPPED)] @ (1 << 20, 2, 1)
        _, first, groups = np.unique(codes, return_index=True, return_inverse=True)
        return first, groups

    @property
    def group_of(self) -> Any:
        """The number of the group of nodes with the same time that each node is in."""
        return self._grouped[1]

    @cached_property
    def passed(self) -> list[list[int]]:
        """Of each group what has passed: periods, ticks, and whether teams are swapped."""
        wanted = (1 + k.PERIOD, 1 + k.CLOCK, 1 + k.FLIPPED)
        return self.nodes[self._grouped[0]][:, wanted].tolist()  # type: ignore[no-any-return]

    @cached_property
    def several(self) -> Any:
        """The number of each member among those with more than one choice, or -1."""
        found = np.flatnonzero(np.diff(self.firsts) > 1)
        numbers = np.full(len(self.members), -1, np.int64)
        numbers[found] = np.arange(len(found))
        return numbers


class Block:
    """The positions of one time."""

    def __init__(self, file: Container, number: int, kind: Kind, said: dict[str, Any]) -> None:
        self.file, self.number, self.kind = file, number, kind
        self.time = tuple(said["time"])
        self.width = said["width"]  # below 0: the lead is part of the keys
        self.has_values = f"values/{number}" in file
        self.is_whole = bool(said["whole"])

    @property
    def kept_of(self) -> Any:
        """The number of each member among those that are kept at this time, or -1."""
        return self.kind.kept_of if self.is_whole else self.kind.between_of

    def row(self, row: int) -> Any:
        """The two rows of one member that is kept."""
        return self.file.part(f"values/{self.number}", row, row + 1)[0]

    def values(self, rows: Any) -> Any:
        """Of each member that is kept two rows by lead; only these may be looked at."""
        return self.file.with_entries(f"values/{self.number}", rows)

    @cached_property
    def best(self) -> Any:
        """Of each member with several choices the best one, by lead."""
        return self.file.array(f"best/{self.number}")

    def at(self, lead: int) -> int:
        """The column of a lead."""
        return 0 if self.width < 0 else lead + self.width

    def kept(self, member: int) -> int:
        """The row of a member among those that are kept, or -1."""
        return int(self.kept_of[member]) if self.has_values else -1

    def decided(self, lead: int) -> Chances | None:
        """A lead that is further than those that are kept."""
        if self.width < 0 or abs(lead) <= self.width:
            return None
        return (1.0, 0.0) if lead > 0 else (0.0, 1.0)


class Solved:
    """A `Source` of exact values."""

    def __init__(self, rules: RuleSet, m: Any, path: Path) -> None:
        self.rules, self.m, self.file = rules, m, Container(path)
        said = self.file.said
        if said.get("rules") != rules.name or said.get("version") != rules.version:
            raise HashmarkError(f"{path} solves another version of the rules: solve the game again")
        if said["match"] != m.to_json():
            raise HashmarkError(f"{path} solves the game with other options")
        self.tie = float(said["tie"])
        self.said = "exact, from the solved game"
        keys = self.file.array("keys")
        count = 1 + max(block["kind"] for block in said["blocks"])
        self.kinds = [Kind(self.file, number, len(keys)) for number in range(count)]
        self.blocks = {}
        self.at_time: dict[tuple[int, ...], list[Block]] = {}
        for number, one in enumerate(said["blocks"]):
            block = Block(self.file, number, self.kinds[one["kind"]], one)
            self.blocks[block.time] = block
            self.at_time.setdefault(block.time[1:], []).append(block)
        self._sums: dict[tuple[int, int, int], Chances] = {}

    # --- The interface ------------------------------------------------------------------

    def value(self, g: Any) -> Value:
        """The value of a position."""
        if self.rules.is_over(g):
            return Value.of_winner(winner(g))
        if self._is_instant(g):
            return self.judge(g).value
        block, member, lead, flipped = self.find(g)
        return self._value(self.chances(block, member, lead), flipped)

    def judge(self, g: Any, before: Any = None) -> Judgement:
        """The legal calls of the team that is asked."""
        team, calls = self.rules.asked(self.m, g), self.rules.legal_calls(self.m, g)
        values: dict[int, Value] = {}
        if not self._is_instant(g):
            block, member, lead, flipped = self.find(g)
            if block.kind.has_rows:
                values = self._by_rows(block, member, lead, flipped)
        found = {call: values.get(call) or self.after(g, call) for call in calls}
        return Judgement(team, found, dict.fromkeys(found, 0.0), self.tie)

    def best_call(self, g: Any) -> int:
        """The best call, the first of equals; a lead further than any is taken as the furthest."""
        if self._is_instant(g):
            return self._best_answer(g)
        block, member, lead, _ = self._place(g)
        lead = lead if block.width < 0 else min(max(lead, -block.width), block.width)
        choice = block.kind.firsts[member] + self._best_number(block, member, lead)
        return int(block.kind.choices[choice, 0])

    def _best_answer(self, g: Any) -> int:
        """Of a decision without dice."""
        team, best, highest = self.rules.asked(self.m, g), -1, -1.0
        for call in self.rules.legal_calls(self.m, g):
            ((_, then, _),) = plain.leaves(self.rules, self.m, g, call)
            worth = self._anywhere(then).worth(team, self.tie)
            if worth > highest + SLACK:
                best, highest = call, worth
        return best

    def _anywhere(self, g: Any) -> Value:
        """The value of a position; a lead that is further than those kept decides the game."""
        if self.rules.is_over(g):
            return Value.of_winner(winner(g))
        block, member, lead, flipped = self._place(g)
        return self._value(self.chances(block, member, lead), flipped)

    def after(self, g: Any, call: int) -> Value:
        """The value of a call: the mean over the dice of the values after it."""
        home = away = 0.0
        for chance, then, _ in plain.leaves(self.rules, self.m, g, call):
            value = self.value(then)
            home += float(chance) * value.home
            away += float(chance) * value.away
        return Value(home, max(1.0 - home - away, 0.0), away)

    # --- Where positions lie ---------------------------------------------------------------

    def _is_instant(self, g: Any) -> bool:
        assert self.rules.solving is not None
        return self.rules.solving.instant(self.m, g)

    def find(self, g: Any) -> tuple[Block, int, int, bool]:
        """The block of a position, its member there, the lead, and whether teams are swapped."""
        found = self._place(g)
        if found[0].decided(found[2]):
            raise NotSolved(NOT_THERE)
        return found

    def _place(self, g: Any) -> tuple[Block, int, int, bool]:
        """The same, however far a team leads."""
        key, place = g.copy(), [0] * k.PLACE
        k.part(self.rules, self.m, key, place)
        number = self._number(key)
        block = self.blocks.get(tuple(place[k.STEADY : k.LEAD]))
        member = -1 if number is None or block is None else int(block.kind.member_of[number])
        lead = place[k.LEAD]
        if block is None or member < 0:
            raise NotSolved(NOT_THERE)
        return block, member, lead, bool(place[k.FLIPPED])

    def _number(self, key: Any) -> int | None:
        """The number of a key, if it is there."""
        wanted = np.zeros(1, self.rules.position.dtype())
        key.to_array(wanted[0])
        keys, order = as_text(self.file.array("keys")), self.file.array("order")
        place = int(np.searchsorted(keys, as_text(wanted)[0], sorter=order))
        if place == len(order) or keys[order[place]] != as_text(wanted)[0]:
            return None
        return int(order[place])

    def _value(self, chances: Chances, flipped: bool) -> Value:
        won, lost = min(chances[0], 1.0), min(chances[1], 1.0)  # sums may be above by rounding
        home, away = (lost, won) if flipped else (won, lost)
        return Value(home, max(1.0 - won - lost, 0.0), away)

    # --- Sums ----------------------------------------------------------------------------

    def chances(self, block: Block, member: int, lead: int) -> Chances:
        """The chances of the team that is asked, from the file or as a sum of what is there."""
        found = self._known(block, member, lead)
        return self._summed(block, [(member, lead)])[0] if found is None else found

    def _known(self, block: Block, member: int, lead: int) -> Chances | None:
        """Those that are in the file, or have been summed before."""
        if decided := block.decided(lead):
            return decided
        row = block.kept(member)
        if row < 0:
            return self._sums.get((block.number, member, lead))
        won, lost = block.row(row)[:, block.at(lead)].tolist()
        return won, lost

    def _summed(self, block: Block, wanted: list[tuple[int, int]]) -> list[Chances]:
        """Members with their leads, each summed after its best call; they are kept."""
        kind = block.kind
        best = [kind.firsts[member] + self._best_number(block, member, lead)
                for member, lead in wanted]  # fmt: skip
        sums = self._sum(block, [kind.rows(one) for one in best], [lead for _, lead in wanted])
        for (member, lead), found in zip(wanted, sums, strict=True):
            self._sums[block.number, member, lead] = found
        return sums

    def _best_number(self, block: Block, member: int, lead: int) -> int:
        """The number of the best choice of a member."""
        row = block.kind.several[member]
        return 0 if row < 0 else int(block.best[row, block.at(lead)])

    def _by_rows(self, block: Block, member: int, lead: int, flipped: bool) -> dict[int, Value]:
        found = self._choice_sums(block, member, lead)
        return {call: self._value(chances, flipped) for call, chances in found.items()}

    def _choice_sums(self, block: Block, member: int, lead: int) -> dict[int, Chances]:
        """Each call of a member of a steady block with its chances, by the rows of its kind."""
        kind = block.kind
        choices = range(kind.firsts[member], kind.firsts[member + 1])
        sums = self._sum(block, [kind.rows(choice) for choice in choices], [lead] * len(choices))
        return dict(zip(kind.choices[choices, 0].tolist(), sums, strict=True))

    def _sum(self, block: Block, parts: list[Any], leads: list[int]) -> list[Chances]:
        """The chances of each part of the rows added up, at its lead.

        Where somebody chooses at once, he takes the better.
        """
        rows = np.concatenate(parts)
        ends = np.cumsum([len(part) for part in parts])
        ahead = np.repeat(leads, [len(part) for part in parts])
        won, lost = self._of_targets(block, rows["target"], ahead)
        two = np.flatnonzero(rows["other"] >= 0)
        if len(two):
            other = rows["other"][two]
            other_won, other_lost = self._of_targets(block, other & (THEIRS - 1), ahead[two])
            drawn = self.tie * (1 - won[two] - lost[two])
            other_drawn = self.tie * (1 - other_won - other_lost)
            ours = won[two] + drawn >= other_won + other_drawn
            theirs = lost[two] + drawn >= other_lost + other_drawn
            first = np.where((other & THEIRS) > 0, theirs, ours)
            won[two] = np.where(first, won[two], other_won)
            lost[two] = np.where(first, lost[two], other_lost)
        chance = rows["chance"]
        spans = [slice(end - len(part), end) for end, part in zip(ends, parts, strict=True)]
        return [
            (float(chance[span] @ won[span]), float(chance[span] @ lost[span])) for span in spans
        ]

    def _of_targets(self, block: Block, targets: Any, leads: Any) -> tuple[Any, Any]:
        """The chances after each target, for the team that was asked before."""
        kind = block.kind
        ahead = leads + kind.targets[targets, 0]
        nodes = kind.targets[targets, 2 + np.sign(ahead)]
        keys, groups = kind.nodes[nodes, 0], kind.group_of[nodes]
        won, lost = np.zeros((2, len(targets)))
        ended = keys == OVER
        won[ended], lost[ended] = (ahead > 0)[ended], (ahead < 0)[ended]
        for group in set(groups[~ended].tolist()):
            here = np.flatnonzero(~ended & (groups == group))
            passed = kind.passed[group]
            self._look_up(block, passed, keys[here], ahead[here], here, won, lost)
        return won, lost

    def _look_up(
        self, block: Block, passed: list[int], keys: Any, leads: Any, here: Any, won: Any, lost: Any
    ) -> None:
        """Put the chances of keys at a time into their places."""
        period, clock, flipped = passed
        carried = (1 - c if flipped and c >= 0 else c for c in block.time[3:])
        time = (block.time[1] + period, block.time[2] + clock, *carried)
        ours, theirs = (lost, won) if flipped else (won, lost)
        seen = -leads if flipped else leads
        for then in self.at_time[time]:
            members = then.kind.member_of[keys]
            rows = np.full(len(keys), -1)
            if then.has_values:
                rows = np.where(members >= 0, then.kept_of[members], -1)
            near = (rows >= 0) & (np.abs(seen) <= then.width)
            if near.any():
                columns, values = seen[near] + then.width, then.values(rows[near])
                ours[here[near]] = values[rows[near], 0, columns]
                theirs[here[near]] = values[rows[near], 1, columns]
            others = np.flatnonzero(~near & (members >= 0))
            if len(others):
                found = self._several(then, members[others].tolist(), seen[others].tolist())
                ours[here[others]], theirs[here[others]] = np.array(found).T

    def _several(self, block: Block, members: list[int], leads: list[int]) -> list[Chances]:
        """The chances of several members at once, which is much quicker than one by one."""
        pairs = list(zip(members, leads, strict=True))
        known = {pair: self._known(block, *pair) for pair in pairs}
        wanted = [pair for pair, found in known.items() if found is None]
        if wanted:
            known.update(zip(wanted, self._summed(block, wanted), strict=True))
        return [found for pair in pairs if (found := known[pair]) is not None]


def as_text(keys: Any) -> Any:
    """Keys as bytes, which have an order."""
    return np.ascontiguousarray(keys).view(f"S{keys.dtype.itemsize}")
