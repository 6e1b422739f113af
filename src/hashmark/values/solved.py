"""Exact values of a solved game, read from its solution file.

Values that are not stored are short sums of stored ones (see `storage_plan`). Nothing here is
compiled, so a player needs no compiler to look a value up.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hashmark.engine import solver_keys as k
from hashmark.engine.record import MatchRecord, PositionRecord, winner
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import HashmarkError
from hashmark.odds import enumeration
from hashmark.odds.arrays import Bytes, Floats, Ints, Records
from hashmark.values.array_file import ArrayFile
from hashmark.values.solution import NotSolved
from hashmark.values.value import CallValues, Value

OVER, OPPONENT_CHOOSES = -1, 1 << 30  # as in the rows written by the solver
EQUAL_TOLERANCE = 1e-12  # answers that differ by less are equal: the first one is called

NOT_IN_SOLUTION = "no game reaches this position, so the solution does not contain it"

WinLossChances = tuple[float, float]
"""That the team which is asked wins, and that it loses."""


def _stored(name: str) -> cached_property[Ints]:
    """Declare an array of a kind, read from the file on first use."""
    return cached_property(lambda kind: kind.file.array(f"{name}/{kind.number}"))


def _inverse(listed: Ints, count: int) -> Ints:
    """Return the index in a list of each number below `count`, or -1."""
    indices = np.full(count, -1, np.int64)
    indices[listed] = np.arange(len(listed))
    return indices


class StoredBlockKind:
    """Keys that share their rows, as stored in the file."""

    members, firsts, choices = _stored("members"), _stored("firsts"), _stored("choices")
    targets, nodes = _stored("targets"), _stored("nodes")

    def __init__(self, file: ArrayFile, number: int, keys: int) -> None:
        self.file, self.number, self.keys = file, number, keys
        self.has_rows = f"rows/{number}" in file

    @cached_property
    def member_of(self) -> Ints:
        """Member index of each key, or -1."""
        return _inverse(self.members, self.keys)

    @cached_property
    def stored_index_of(self) -> Ints:
        """Index of each member among the stored ones, or -1."""
        return self._numbered("kept")

    @cached_property
    def even_clock_index_of(self) -> Ints:
        """The same at clocks at which fewer members are stored."""
        return self._numbered("between")

    def _numbered(self, name: str) -> Ints:
        """Return the index of each member in a list of the file, or -1."""
        path = f"{name}/{self.number}"
        listed = self.file.array(path) if path in self.file else np.zeros(0, np.int64)
        return _inverse(listed, len(self.members))

    def rows(self, choice: int) -> Records:
        """Return the rows of a choice."""
        begin = 0 if choice == 0 else int(self.choices[choice - 1, 1])
        return self.file.read_range(f"rows/{self.number}", begin, int(self.choices[choice, 1]))

    @property
    def _elapsed_of_nodes(self) -> Ints:
        return self.nodes[:, (1 + k.PERIOD, 1 + k.CLOCK, 1 + k.IS_FLIPPED)]

    @cached_property
    def _grouped(self) -> tuple[Ints, Ints]:
        codes = self._elapsed_of_nodes @ (1 << 20, 2, 1)
        _, first, groups = np.unique(codes, return_index=True, return_inverse=True)
        return first, groups

    @property
    def group_of(self) -> Ints:
        """Group of each node: nodes that lead to the same time."""
        return self._grouped[1]

    @cached_property
    def elapsed(self) -> list[list[int]]:
        """Elapsed time of each group: periods, ticks, and whether teams are swapped."""
        return self._elapsed_of_nodes[self._grouped[0]].tolist()  # type: ignore[no-any-return]

    @cached_property
    def multi_choice_index_of(self) -> Ints:
        """Index of each member among those with more than one choice, or -1."""
        return _inverse(np.flatnonzero(np.diff(self.firsts) > 1), len(self.members))


class StoredBlock:
    """Stored positions at one time."""

    def __init__(
        self, file: ArrayFile, number: int, kind: StoredBlockKind, entry: dict[str, Any]
    ) -> None:
        self.file, self.number, self.kind = file, number, kind
        self.time = tuple(entry["time"])
        self.width = entry["width"]  # negative: the lead is part of the keys
        self.has_values = f"values/{number}" in file
        self.is_whole = bool(entry["whole"])

    @property
    def stored_index_of(self) -> Ints:
        """Index of each member among those stored at this time, or -1."""
        return self.kind.stored_index_of if self.is_whole else self.kind.even_clock_index_of

    def value_rows(self, row: int) -> Floats:
        """Return the two rows of one stored member."""
        rows: Floats = self.file.read_range(f"values/{self.number}", row, row + 1)[0]
        return rows

    def values(self, rows: Ints) -> Floats:
        """Return two rows by lead for each stored member; only the given rows may be read."""
        return self.file.array_with_verified_entries(f"values/{self.number}", rows)

    @cached_property
    def best(self) -> Bytes:
        """Number of the best choice of each member with several choices, by lead."""
        return self.file.array(f"best/{self.number}")

    def column_of(self, lead: int) -> int:
        """Return the column of a lead."""
        return 0 if self.width < 0 else lead + self.width

    def stored_row(self, member: int) -> int:
        """Return the row of a member among the stored ones, or -1."""
        return int(self.stored_index_of[member]) if self.has_values else -1

    def decided_chances(self, lead: int) -> WinLossChances | None:
        """Return the chances of a lead beyond the stored range, or None."""
        if self.width < 0 or abs(lead) <= self.width:
            return None
        return (1.0, 0.0) if lead > 0 else (0.0, 1.0)


class SolvedGame:
    """Source of exact values, from a solution file."""

    def __init__(self, rules: RuleSet, m: MatchRecord, path: Path) -> None:
        self.rules, self.m, self.file = rules, m, ArrayFile(path)
        metadata = self.file.metadata
        if metadata.get("rules") != rules.name or metadata.get("version") != rules.version:
            raise HashmarkError(
                f"{path} solves another version of the rules: run `hashmark solve` again"
            )
        if metadata["match"] != m.to_json():
            raise HashmarkError(f"{path} solves the game with different options")
        self.tie = float(metadata["tie"])
        self.description = "exact, best play by both teams"
        keys = self.file.array("keys")
        count = 1 + max(block["kind"] for block in metadata["blocks"])
        self.kinds = [StoredBlockKind(self.file, number, len(keys)) for number in range(count)]
        self.blocks = {}
        self.at_time: dict[tuple[int, ...], list[StoredBlock]] = {}
        for number, entry in enumerate(metadata["blocks"]):
            block = StoredBlock(self.file, number, self.kinds[entry["kind"]], entry)
            self.blocks[block.time] = block
            self.at_time.setdefault(block.time[1:], []).append(block)
        self._sums: dict[tuple[int, int, int], WinLossChances] = {}

    # --- Source interface ----------------------------------------------------------------

    def value(self, g: PositionRecord) -> Value:
        """Return the value of a position."""
        if self.rules.is_over(g):
            return Value.of_winner(winner(g))
        if self._is_instant(g):
            return self.judge(g).value
        block, member, lead, flipped = self.locate(g)
        return self._value(self.chances(block, member, lead), flipped)

    def judge(self, g: PositionRecord, before: PositionRecord | None = None) -> CallValues:
        """Return the value of every legal call of the team to act."""
        team, calls = self.rules.team_to_act(self.m, g), self.rules.legal_calls(self.m, g)
        values: dict[int, Value] = {}
        if not self._is_instant(g):
            block, member, lead, flipped = self.locate(g)
            if block.kind.has_rows:
                sums = self._choice_sums(block, member, lead)
                values = {call: self._value(chances, flipped) for call, chances in sums.items()}
        all_values = {call: values.get(call) or self.value_of_call(g, call) for call in calls}
        return CallValues(team, all_values, dict.fromkeys(all_values, 0.0), self.tie)

    def best_call(self, g: PositionRecord) -> int:
        """Return the best call, the first of equals; leads beyond the stored range are clamped."""
        if self._is_instant(g):
            return self._best_answer(g)
        block, member, lead, _ = self._locate(g)
        lead = lead if block.width < 0 else min(max(lead, -block.width), block.width)
        choice = block.kind.firsts[member] + self._best_number(block, member, lead)
        return int(block.kind.choices[choice, 0])

    def _best_answer(self, g: PositionRecord) -> int:
        """Return the best call of a decision without dice."""
        team, best, highest = self.rules.team_to_act(self.m, g), -1, -1.0
        for call in self.rules.legal_calls(self.m, g):
            ((_, after, _),) = enumeration.enumerate_step(self.rules, self.m, g, call)
            worth = self._value_at_any_lead(after).worth(team, self.tie)
            if worth > highest + EQUAL_TOLERANCE:
                best, highest = call, worth
        return best

    def _value_at_any_lead(self, g: PositionRecord) -> Value:
        """Return the value of a position; a lead beyond the stored range decides the game."""
        if self.rules.is_over(g):
            return Value.of_winner(winner(g))
        block, member, lead, flipped = self._locate(g)
        return self._value(self.chances(block, member, lead), flipped)

    def value_of_call(self, g: PositionRecord, call: int) -> Value:
        """Return the value of a call: the mean over the dice of the values after it."""
        home = away = 0.0
        for chance, successor, _ in enumeration.enumerate_step(self.rules, self.m, g, call):
            value = self.value(successor)
            home += float(chance) * value.home
            away += float(chance) * value.away
        return Value(home, max(1.0 - home - away, 0.0), away)

    # --- Lookup -----------------------------------------------------------------------------

    def _is_instant(self, g: PositionRecord) -> bool:
        assert self.rules.solver.spec is not None
        return self.rules.solver.spec.is_instant(self.m, g)

    def locate(self, g: PositionRecord) -> tuple[StoredBlock, int, int, bool]:
        """Return a position's block, its member index, the lead, and whether teams are swapped."""
        location = self._locate(g)
        if location[0].decided_chances(location[2]):
            raise NotSolved(NOT_IN_SOLUTION)
        return location

    def _locate(self, g: PositionRecord) -> tuple[StoredBlock, int, int, bool]:
        """Do the same, for any lead."""
        key, place = g.copy(), [0] * k.PLACE_SIZE
        k.split_key(self.rules, self.m, key, place)
        number = self._number(key)
        block = self.blocks.get(tuple(place[k.STEADY : k.LEAD]))
        member = -1 if number is None or block is None else int(block.kind.member_of[number])
        lead = place[k.LEAD]
        if block is None or member < 0:
            raise NotSolved(NOT_IN_SOLUTION)
        return block, member, lead, bool(place[k.IS_FLIPPED])

    def _number(self, key: PositionRecord) -> int | None:
        """Return the number of a key, or None."""
        probe = np.zeros(1, self.rules.position.dtype())
        key.to_array(probe[0])
        (keys, order), wanted = self._ordered_keys, as_bytes(probe)[0]
        index = int(np.searchsorted(keys, wanted, sorter=order))
        if index == len(order) or keys[order[index]] != wanted:
            return None
        return int(order[index])

    @cached_property
    def _ordered_keys(self) -> tuple[NDArray[np.bytes_], Ints]:
        """All keys as byte strings, and their order."""
        return as_bytes(self.file.array("keys")), self.file.array("order")

    def _value(self, chances: WinLossChances, flipped: bool) -> Value:
        won, lost = min(chances[0], 1.0), min(chances[1], 1.0)  # rounding may push sums above 1
        home, away = (lost, won) if flipped else (won, lost)
        return Value(home, max(1.0 - won - lost, 0.0), away)

    # --- Sums ----------------------------------------------------------------------------

    def chances(self, block: StoredBlock, member: int, lead: int) -> WinLossChances:
        """Return the chances of the team to act, stored or as a sum of stored values."""
        known = self._known(block, member, lead)
        return self._summed(block, [(member, lead)])[0] if known is None else known

    def _known(self, block: StoredBlock, member: int, lead: int) -> WinLossChances | None:
        """Return chances that are stored or already summed, or None."""
        if decided := block.decided_chances(lead):
            return decided
        row = block.stored_row(member)
        if row < 0:
            return self._sums.get((block.number, member, lead))
        won, lost = block.value_rows(row)[:, block.column_of(lead)].tolist()
        return won, lost

    def _summed(self, block: StoredBlock, wanted: list[tuple[int, int]]) -> list[WinLossChances]:
        """Sum the chances of members at given leads, each after its best call, and cache them."""
        sums = self._sums_of_best(block, wanted)
        for (member, lead), chances in zip(wanted, sums, strict=True):
            self._sums[block.number, member, lead] = chances
        return sums

    def sums(self, block: StoredBlock, wanted: list[tuple[int, int]]) -> list[WinLossChances]:
        """Return the same for a whole block, of which nothing is cached: it would fill memory."""
        sums = self._sums_of_best(block, wanted)
        self._sums.clear()
        return sums

    def _sums_of_best(
        self, block: StoredBlock, wanted: list[tuple[int, int]]
    ) -> list[WinLossChances]:
        kind = block.kind
        best = [kind.firsts[member] + self._best_number(block, member, lead)
                for member, lead in wanted]  # fmt: skip
        rows = [kind.rows(choice) for choice in best]
        return self._sum(block, rows, [lead for _, lead in wanted])

    def _best_number(self, block: StoredBlock, member: int, lead: int) -> int:
        """Return the number of a member's best choice."""
        row = block.kind.multi_choice_index_of[member]
        return 0 if row < 0 else int(block.best[row, block.column_of(lead)])

    def _choice_sums(self, block: StoredBlock, member: int, lead: int) -> dict[int, WinLossChances]:
        """Return the chances of each call of a member of a steady block, by its rows."""
        kind = block.kind
        choices = range(kind.firsts[member], kind.firsts[member + 1])
        sums = self._sum(block, [kind.rows(choice) for choice in choices], [lead] * len(choices))
        return dict(zip(kind.choices[choices, 0].tolist(), sums, strict=True))

    def _sum(
        self, block: StoredBlock, parts: list[Records], leads: list[int]
    ) -> list[WinLossChances]:
        """Sum the chances of each part of the rows at its lead.

        Where a team chooses instantly, it takes the better target.
        """
        rows = np.concatenate(parts)
        ends = np.cumsum([len(part) for part in parts])
        ahead = np.repeat(leads, [len(part) for part in parts])
        won, lost = self._of_targets(block, rows["target"], ahead)
        with_choice = np.flatnonzero(rows["other"] >= 0)
        if len(with_choice):
            other = rows["other"][with_choice]
            other_won, other_lost = self._of_targets(
                block, other & (OPPONENT_CHOOSES - 1), ahead[with_choice]
            )
            drawn = self.tie * (1 - won[with_choice] - lost[with_choice])
            other_drawn = self.tie * (1 - other_won - other_lost)
            ours = won[with_choice] + drawn >= other_won + other_drawn
            theirs = lost[with_choice] + drawn >= other_lost + other_drawn
            first = np.where((other & OPPONENT_CHOOSES) > 0, theirs, ours)
            won[with_choice] = np.where(first, won[with_choice], other_won)
            lost[with_choice] = np.where(first, lost[with_choice], other_lost)
        chance = rows["chance"]
        spans = [slice(end - len(part), end) for end, part in zip(ends, parts, strict=True)]
        return [
            (float(chance[span] @ won[span]), float(chance[span] @ lost[span])) for span in spans
        ]

    def _of_targets(self, block: StoredBlock, targets: Ints, leads: Ints) -> tuple[Floats, Floats]:
        """Return the chances after each target, for the team that acted before it."""
        kind = block.kind
        ahead = leads + kind.targets[targets, 0]
        nodes = kind.targets[targets, 2 + np.sign(ahead)]
        keys, groups = kind.nodes[nodes, 0], kind.group_of[nodes]
        won, lost = np.zeros((2, len(targets)))
        ended = keys == OVER
        won[ended], lost[ended] = (ahead > 0)[ended], (ahead < 0)[ended]
        for group in set(groups[~ended].tolist()):
            indices = np.flatnonzero(~ended & (groups == group))
            passed = kind.elapsed[group]
            self._look_up(block, passed, keys[indices], ahead[indices], indices, won, lost)
        return won, lost

    def _look_up(
        self,
        block: StoredBlock,
        passed: list[int],
        keys: Ints,
        leads: Ints,
        indices: Ints,
        won: Floats,
        lost: Floats,
    ) -> None:
        """Write the chances of keys at a time to the given indices."""
        period, clock, flipped = passed
        carried = (1 - c if flipped and c >= 0 else c for c in block.time[3:])
        time = (block.time[1] + period, block.time[2] + clock, *carried)
        ours, theirs = (lost, won) if flipped else (won, lost)
        own_leads = -leads if flipped else leads
        for successor in self.at_time[time]:
            members = successor.kind.member_of[keys]
            rows = np.full(len(keys), -1)
            if successor.has_values:
                rows = np.where(members >= 0, successor.stored_index_of[members], -1)
            is_stored = (rows >= 0) & (np.abs(own_leads) <= successor.width)
            if is_stored.any():
                columns = own_leads[is_stored] + successor.width
                values = successor.values(rows[is_stored])
                ours[indices[is_stored]] = values[rows[is_stored], 0, columns]
                theirs[indices[is_stored]] = values[rows[is_stored], 1, columns]
            others = np.flatnonzero(~is_stored & (members >= 0))
            if len(others):
                chances = self._many_chances(
                    successor, members[others].tolist(), own_leads[others].tolist()
                )
                ours[indices[others]], theirs[indices[others]] = np.array(chances).T

    def _many_chances(
        self, block: StoredBlock, members: list[int], leads: list[int]
    ) -> list[WinLossChances]:
        """Return the chances of several members at once, much faster than one by one."""
        pairs = list(zip(members, leads, strict=True))
        known = {pair: self._known(block, *pair) for pair in pairs}
        missing = [pair for pair, chances in known.items() if chances is None]
        if missing:
            known.update(zip(missing, self._summed(block, missing), strict=True))
        return [chances for pair in pairs if (chances := known[pair]) is not None]


def as_bytes(keys: Records) -> NDArray[np.bytes_]:
    """Return keys as byte strings, which can be ordered."""
    return np.ascontiguousarray(keys).view(f"S{keys.dtype.itemsize}")
