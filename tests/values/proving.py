"""A solved game against its rules, by the hundred thousand positions.

Every legal call of each sampled position is enumerated by the batch kernel, which is the rules
themselves, compiled, and not the rows that solving has made; what it leads to is looked up in the
file. Positions are sampled with their time and lead, and gone through in the order of their blocks:
what a file leaves out of a block (see `values.stored`) is then worked out once for all of them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numba.extending import register_jitable

from hashmark.odds import plain
from hashmark.odds.batch import Batch
from hashmark.table import compiled, compiling
from hashmark.table import keys as k
from hashmark.table.compiled import ILLEGAL, asked, is_over, legal_call, step, take
from hashmark.table.keys import part
from hashmark.table.record import HOME
from hashmark.table.rules import NO_CALL
from hashmark.values.kernel import THEIRS, _set_up, instant
from hashmark.values.playing import _find, open_library
from hashmark.values.solved import Block, Solved
from hashmark.values.sweep import LOST, ROWS, WON, WORK_ROWS, decided_rows, sweep

VALUE, BEST, OFF, CALLS, PLAIN = range(5)  # what is found out of a position
# Where a position stands: its block, OVER at the end of the game, NONE if there is no such answer.
BLOCK, MEMBER, FLIPPED, AHEAD, END = range(5)
OVER, NONE = -1, -2
MOST_CALLS = 16
AT_ONCE = 500  # positions of a block that are enumerated together
# What is kept of blocks that were worked out, at most. A block must stay as long as others lead to
# it, or it is worked out again and again: the first 80 of 4th Down! (3 MB each) lead to 181 more.
BYTES_AT_HAND = 1_500_000_000


def sampled(solved: Solved, positions: int, seed: int) -> Any:
    """Different positions, in the order of their blocks: each a block, a member and a lead.

    Every block is as likely as any other, so that the last plays, tries, kickoffs and overtimes
    come up as often as the long middle of a game.
    """
    luck = np.random.default_rng(seed)
    blocks = list(solved.blocks.values())
    members = np.array([len(block.kind.members) for block in blocks])
    widths = np.array([max(block.width, 0) for block in blocks])
    assert positions < (members * (2 * widths + 1)).sum()
    found = np.zeros((0, 3), np.int64)
    while len(found) < positions:
        block = luck.integers(0, len(blocks), positions)
        lead = luck.integers(-widths[block], widths[block] + 1)
        made = np.stack((block, luck.integers(0, members[block]), lead), axis=1)
        found = np.unique(np.concatenate((found, made)), axis=0)
    kept = np.sort(luck.choice(len(found), positions, replace=False))
    return found[kept]


class Whole:
    """The chances of every member of a block by lead, also of those that are not in the file."""

    def __init__(self, solved: Solved) -> None:
        self.solved = solved
        self.blocks = list(solved.blocks.values())
        self.sweep = compiling.ready(sweep, solved.rules)
        self.known: OrderedDict[int, Any] = OrderedDict()
        self.reached: dict[tuple[int, bool], Any] = {}
        kinds = [kind for kind in solved.kinds if kind.has_rows]
        self.pad = max((int(np.abs(kind.targets[:, 0]).max()) for kind in kinds), default=0)

    def of(self, number: int) -> Any:
        """Of each member two rows by lead: that the team which is asked wins, and loses."""
        if number not in self.known:
            block = self.blocks[number]
            if _left_out(block).any():
                like_it = [one for one in self.blocks if one.time[1:3] == block.time[1:3]]
                self._sum_up([one for one in like_it if _left_out(one).any()])
            else:
                self.known[number] = self._kept(block)
            while sum(one.nbytes for one in self.known.values()) > BYTES_AT_HAND:
                self.known.popitem(last=False)
        self.known.move_to_end(number)
        return self.known[number]

    def _kept(self, block: Block) -> Any:
        """What the file has of a block."""
        values = np.zeros((len(block.kind.members), 2, max(2 * block.width + 1, 1)))
        there = np.flatnonzero(~_left_out(block))
        if len(there):
            values[there] = self.solved.file.array(f"values/{block.number}")[block.kept_of[there]]
        return values

    def _sum_up(self, blocks: list[Block]) -> None:
        """Work out what is left out of blocks of one time, which may lead to each other.

        That is done until nothing changes: a short sum may be one of sums.
        """
        reach = max(block.width for block in blocks) + self.pad
        pool = Pool(reach)
        for block in blocks:
            pool.add(block, self._kept(block))
        for block in blocks:
            for then, *_ in self._leads(block):
                if then.number not in pool.first:
                    pool.add(then, self.of(then.number))
        values = pool.values()
        sweeps = [self._sweeping(block, pool, values) for block in blocks]
        while max(one() for one in sweeps) > 0:
            pass
        for block in blocks:
            near = slice(reach - block.width, reach + block.width + 1)
            self.known[block.number] = pool.of(block, values)[:, :2, near].copy()

    def _sweeping(self, block: Block, pool: Pool, values: Any) -> Callable[[], float]:
        """One turn of adding up what is left out of a block; it says what has changed.

        The call that is best then must be the one that the file has as the best.
        """
        kind, width = block.kind, block.width
        missing = np.flatnonzero(_left_out(block))
        placed = np.zeros((len(kind.nodes), 3), np.int64)
        placed[:, WON], placed[:, LOST] = pool.row // 2, pool.row + pool.row // 2
        for then, nodes, members, flipped in self._leads(block):
            zero = pool.first[then.number] + members * ROWS * pool.row + pool.row // 2
            placed[nodes, WON] = zero + (3 if flipped else 0) * pool.row
            placed[nodes, LOST] = zero + (2 if flipped else 1) * pool.row
        best = np.zeros((len(kind.members), 2 * width + 1), np.int8)
        rows = (kind.firsts, kind.choices, self._rows(block), kind.targets, placed)
        pad = pool.row // 2 - width
        out = (values, pool.first[block.number], width, pad, self.solved.tie, best)
        chosen = missing[kind.several[missing] >= 0]

        def run() -> float:
            work = np.zeros((WORK_ROWS, 2 * width + 1))
            changed = float(self.sweep(missing, *rows, *out, work))
            if changed == 0:
                assert np.array_equal(best[chosen], block.best[kind.several[chosen]])
            return changed

        return run

    def _leads(self, block: Block) -> Iterator[tuple[Block, Any, Any, int]]:
        """Blocks that members which are left out lead to: nodes, members there, if teams swap."""
        kind, reached = block.kind, self._reached(block)
        for group, (period, clock, flipped) in enumerate(kind.passed):
            nodes = np.flatnonzero((kind.group_of == group) & reached)
            carried = (1 - c if flipped and c >= 0 else c for c in block.time[3:])
            time = (block.time[1] + period, block.time[2] + clock, *carried)
            for then in self.solved.at_time[time] if len(nodes) else ():
                members = then.kind.member_of[kind.nodes[nodes, 0]]
                if (members >= 0).any():
                    yield then, nodes[members >= 0], members[members >= 0], flipped

    def _reached(self, block: Block) -> Any:
        """Which nodes they lead to: the same in all blocks like this one."""
        kind, name = block.kind, (block.kind.number, block.is_whole)
        if name not in self.reached:
            ends = kind.choices[kind.firsts[1:] - 1, 1]
            left_out = np.repeat(_left_out(block), np.diff(ends, prepend=0))
            rows = self._rows(block)[left_out]
            targets = np.union1d(rows["target"], rows["other"][rows["other"] >= 0] & (THEIRS - 1))
            found = np.zeros(len(kind.nodes), np.bool_)
            found[kind.targets[targets, 1:]] = True
            self.reached[name] = found & (kind.nodes[:, 0] >= 0)
        return self.reached[name]

    def _rows(self, block: Block) -> Any:
        return self.solved.file.array(f"rows/{block.kind.number}")


def _left_out(block: Block) -> Any:
    """Which members of a block are not in the file."""
    if not block.has_values:
        return np.ones(len(block.kind.members), np.bool_)
    return block.kept_of < 0


class Pool:
    """Rows of blocks one after another, as `sweep` reads them; before them those of an end."""

    def __init__(self, reach: int) -> None:
        self.row = 2 * reach + 1
        self.parts = [decided_rows(reach)]
        self.first: dict[int, int] = {}
        self.size = 2 * self.row

    def add(self, block: Block, known: Any) -> None:
        """The chances of a block; beyond its leads all is decided."""
        low = self.row // 2 - block.width
        laid = np.zeros((len(known), ROWS, self.row))
        laid[:, 0, self.row - low :] = laid[:, 1, :low] = 1
        laid[:, :2, low : self.row - low] = known
        laid[:, 2:] = laid[:, :2, ::-1]
        self.parts.append(laid.reshape(-1))
        self.first[block.number] = self.size
        self.size += laid.size

    def values(self) -> Any:
        return np.concatenate(self.parts)

    def of(self, block: Block, values: Any) -> Any:
        """The rows of a block in what `values` gave."""
        members = len(block.kind.members)
        found = values[self.first[block.number] :][: members * ROWS * self.row]
        return found.reshape(members, ROWS, self.row)


def by_the_rules(solved: Solved, samples: Any, plainly: int = 0) -> Any:
    """Of each sample its value, that of its best call, how far off 1 chances are, and its calls.

    Of one in so many also that of its best call by the plain rules, less the value as a look at the
    solution gives it to a player; else that is not a number.
    """
    proving, found = Proving(solved), np.full((len(samples), 5), np.nan)
    edges = np.flatnonzero(np.diff(samples[:, 0])) + 1
    for numbers in np.split(np.arange(len(samples)), edges):
        for first in range(0, len(numbers), AT_ONCE):
            here = numbers[first : first + AT_ONCE]
            found[here, :PLAIN] = proving.of_a_block(samples[here])
            for number in here[here % plainly == 0] if plainly else ():
                found[number, PLAIN] = proving.plainly(samples[number])
    return found


class Proving:
    """Takes every legal call of positions and asks what it leads to."""

    def __init__(self, solved: Solved) -> None:
        self.solved, self.whole = solved, Whole(solved)
        self.library = open_library(solved)
        self.match = compiled.match_array(solved.rules, solved.m)
        dtype = solved.rules.position.dtype(compiled.enumerating_fields(solved.rules))
        self.work = np.zeros(2, dtype)
        self.lay_out = compiling.ready(_lay_out, solved.rules)
        self.locate = compiling.ready(_locate, solved.rules)

    def of_a_block(self, samples: Any) -> Any:
        """The same for samples of one block."""
        number, rules, count = int(samples[0, 0]), self.solved.rules, len(samples)
        block = self.whole.blocks[number]
        time = np.array([0, *block.time, 0], np.int64)
        keys = np.stack((block.kind.members[samples[:, 1]], samples[:, 2]), axis=1)
        starts = np.zeros(MOST_CALLS * count, rules.position.dtype())
        calls, firsts = np.zeros(len(starts), np.int64), np.zeros(count + 1, np.int64)
        given = (self.library.keys, time, keys, starts, calls, firsts)
        self.lay_out(rules, self.match, self.work, *given)
        batch = Batch(rules, self.solved.m, statistics=())
        rows = batch.run(starts[: firsts[-1]], calls[: firsts[-1]])
        assert not rows.many
        worths = self._worths(batch.found[: batch.count])
        chances, by_call = rows.rows["chance"], rows.offsets[:-1]
        sums = np.add.reduceat(chances * worths[rows.rows["next"]], by_call)
        found = np.zeros((count, PLAIN))
        found[:, VALUE] = self._at(number, samples[:, 1], samples[:, 2], np.zeros(count))
        found[:, BEST] = np.maximum.reduceat(sums, firsts[:-1])
        off = np.abs(np.add.reduceat(chances, by_call) - 1)
        found[:, OFF] = np.maximum.reduceat(off, firsts[:-1])
        found[:, CALLS] = np.diff(firsts)
        return found

    def plainly(self, sample: Any) -> float:
        """What the plain rules make of the best call, less the value that a player is told."""
        rules, m, g = self.solved.rules, self.solved.m, self.position(sample)
        calls = [NO_CALL]
        if rules.questions[rules.question(m, g)].calls:
            calls = rules.legal_calls(m, g)
        value = self.solved.value(g)
        return max(self.after(g, call) for call in calls) - value.worth(HOME, self.solved.tie)

    def position(self, sample: Any) -> Any:
        """The position of a sample."""
        block, (_, member, lead) = self.whole.blocks[sample[0]], sample
        key = self.library.keys[block.kind.members[member]]
        g = self.solved.rules.position.from_array(key)
        if g.period != k.WITH_LEAD:
            g.score = [max(int(lead), 0), max(-int(lead), 0)]
        k.restore(self.solved.rules, g, [0, *block.time, 0])
        return g

    def after(self, g: Any, call: int) -> float:
        """What a call is worth to home by the plain rules: every path of the dice, one by one."""
        leaves = list(plain.leaves(self.solved.rules, self.solved.m, g, call))
        made = np.zeros(len(leaves), self.solved.rules.position.dtype())
        for row, (_, then, _) in zip(made, leaves, strict=True):
            then.to_array(row)
        return float(np.array([float(chance) for chance, *_ in leaves]) @ self._worths(made))

    def _worths(self, positions: Any) -> Any:
        """What positions are worth to home; who is to decide without dice takes the better."""
        places = np.zeros((len(positions), 2 * END + 1), np.int64)
        self.locate(self.solved.rules, self.match, self.work, self.library, positions, places)
        first = self._of_places(places[:, :END])
        second = self._of_places(places[:, END : 2 * END])
        chosen = np.where(places[:, -1], np.maximum(first, second), np.minimum(first, second))
        return np.where(places[:, END + BLOCK] == NONE, first, chosen)

    def _of_places(self, places: Any) -> Any:
        block, member, flipped, ahead = places.T
        worths = (ahead > 0) + self.solved.tie * (ahead == 0)
        seen = np.where(flipped, -ahead, ahead)
        for number in np.unique(block[block >= 0]).tolist():
            width = self.whole.blocks[number].width
            near = (width < 0) | (np.abs(seen) <= width)
            here = np.flatnonzero((block == number) & near)
            worths[here] = self._at(number, member[here], seen[here], flipped[here])
        return worths

    def _at(self, number: int, members: Any, leads: Any, flipped: Any) -> Any:
        """What members of a block are worth to home, asked there unless teams are swapped."""
        width = self.whole.blocks[number].width
        columns = leads + width if width >= 0 else np.zeros_like(leads)
        won, lost = self.whole.of(number)[members, :, columns].T
        return np.where(flipped, lost, won) + self.solved.tie * (1 - won - lost)


# --- Compiled ------------------------------------------------------------------------------


def _lay_out(
    rules: Any, m: Any, work: Any, keys: Any, time: Any, samples: Any, starts: Any, calls: Any,
    firsts: Any,
) -> None:  # fmt: skip
    """The position of each sample, a key and a lead, once for each of its legal calls."""
    count = 0
    for number in range(len(samples)):
        at = 0
        while True:
            _set_up(rules, work[0], keys[samples[number, 0]], time, samples[number, 1])
            call = legal_call(rules, m[0], work[0], at)
            if call == NO_CALL and at > 0:
                break
            if call != ILLEGAL:
                take(rules, starts[count], work[0])
                calls[count] = call
                count += 1
            at += 1
        firsts[number + 1] = count


def _locate(rules: Any, m: Any, work: Any, s: Any, positions: Any, places: Any) -> None:
    """Where positions stand, each by either answer of an instant decision; whether home decides."""
    for number in range(len(positions)):
        then, place = work[0], places[number]
        take(rules, then, positions[number])
        place[END + BLOCK] = NONE
        if is_over(rules, then) or not instant(rules, m[0], then):
            _note(rules, m[0], then, s, place, 0)
            continue
        place[2 * END] = asked(rules, m[0], then) == 0
        at = answers = 0
        while True:
            call = legal_call(rules, m[0], then, at)
            if call == NO_CALL:
                break
            if call != ILLEGAL:
                take(rules, work[1], then)
                work[1]._depth = 0
                work[1]._known = 0
                step(rules, m[0], work[1], call)
                _note(rules, m[0], work[1], s, place, END * answers)
                answers += 1
            at += 1


@register_jitable
def _note(rules: Any, m: Any, g: Any, s: Any, place: Any, first: int) -> None:
    """The lead, and the place in the file."""
    place[first + AHEAD] = g.score[0] - g.score[1]
    place[first + BLOCK] = OVER
    if not is_over(rules, g):
        part(rules, m, g, s.place)
        place[first + FLIPPED] = s.place[k.FLIPPED]
        place[first + BLOCK], place[first + MEMBER] = _find(rules, g, s)
