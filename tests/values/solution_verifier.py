"""Verification of a solved game against its rules, on hundreds of thousands of positions.

The batch kernel, which is the compiled rules and not the rows made by the solver, enumerates every
legal call of each sampled position; the successors are looked up in the file. Positions are sampled
with their time and lead and visited in block order, so that values a file omits (see
`values.solved`) are computed once for all of them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numba.extending import register_jitable

from hashmark.compiler import dispatch, registration
from hashmark.compiler.dispatch import (
    ILLEGAL,
    copy_position,
    is_over,
    legal_call,
    step,
    team_to_act,
)
from hashmark.engine import solver_keys as k
from hashmark.engine.record import HOME, MatchRecord, PositionRecord
from hashmark.engine.rule_set import NO_CALL, RuleSet
from hashmark.engine.solver_keys import split_key
from hashmark.odds import enumeration
from hashmark.odds.arrays import Flags, Floats, Ints, Records, positions_array
from hashmark.odds.batch import Batch
from hashmark.values.compiled_policy import CompiledPolicy, _find, load_policy
from hashmark.values.solved import SolvedGame, StoredBlock
from hashmark.values.sweep import LOST, ROWS_PER_KEY, WON, WORK_ROWS, sweep, terminal_rows
from hashmark.values.transition_kernel import OPPONENT_CHOOSES, _set_up, is_instant

VALUE, BEST, CHANCE_ERROR, CALLS, PLAIN = range(5)  # columns of the results per position
# Location of a position: its block, OVER at the end of the game, NONE without a second answer.
BLOCK, MEMBER, FLIPPED, AHEAD, END = range(5)
OVER, NONE = -1, -2
MAX_CALLS = 16
POSITIONS_PER_BATCH = 500  # positions of a block enumerated together
# Cache limit for computed blocks. A block must stay cached while others lead to it, or it is
# recomputed again and again: the first 80 of 4th Down! (3 MB each) lead to 181 more.
MAX_CACHE_BYTES = 1_500_000_000


def sample_positions(solved: SolvedGame, positions: int, seed: int) -> Ints:
    """Sample distinct positions in block order: each a block, a member and a lead.

    Every block is equally likely, so that last plays, tries, kickoffs and overtimes come up as
    often as the long middle of a game.
    """
    random = np.random.default_rng(seed)
    blocks = list(solved.blocks.values())
    members = np.array([len(block.kind.members) for block in blocks])
    widths = np.array([max(block.width, 0) for block in blocks])
    assert positions < (members * (2 * widths + 1)).sum()
    samples = np.zeros((0, 3), np.int64)
    while len(samples) < positions:
        block = random.integers(0, len(blocks), positions)
        lead = random.integers(-widths[block], widths[block] + 1)
        drawn = np.stack((block, random.integers(0, members[block]), lead), axis=1)
        samples = np.unique(np.concatenate((samples, drawn)), axis=0)
    selected = np.sort(random.choice(len(samples), positions, replace=False))
    return samples[selected]


class CompleteValues:
    """Chances of every member of a block by lead, including those omitted from the file."""

    def __init__(self, solved: SolvedGame) -> None:
        self.solved = solved
        self.blocks = list(solved.blocks.values())
        self.sweep = registration.compile_loop(sweep, solved.rules)
        self.known: OrderedDict[int, Floats] = OrderedDict()
        self.reached: dict[tuple[int, bool], Flags] = {}
        kinds = [kind for kind in solved.kinds if kind.has_rows]
        self.pad = max((int(np.abs(kind.targets[:, 0]).max()) for kind in kinds), default=0)

    def of(self, number: int) -> Floats:
        """Return two rows by lead for each member: the team to act wins, and loses."""
        if number not in self.known:
            block = self.blocks[number]
            if _is_omitted(block).any():
                same_time = [other for other in self.blocks if other.time[1:3] == block.time[1:3]]
                self._sum_up([other for other in same_time if _is_omitted(other).any()])
            else:
                self.known[number] = self._stored_values(block)
            while sum(other.nbytes for other in self.known.values()) > MAX_CACHE_BYTES:
                self.known.popitem(last=False)
        self.known.move_to_end(number)
        return self.known[number]

    def _stored_values(self, block: StoredBlock) -> Floats:
        """Return the stored values of a block."""
        values = np.zeros((len(block.kind.members), 2, max(2 * block.width + 1, 1)))
        stored = np.flatnonzero(~_is_omitted(block))
        if len(stored):
            values[stored] = self.solved.file.array(f"values/{block.number}")[
                block.stored_index_of[stored]
            ]
        return values

    def _sum_up(self, blocks: list[StoredBlock]) -> None:
        """Compute the omitted values of blocks of one time, which may lead to each other.

        Iterates until nothing changes: a short sum may consist of sums.
        """
        reach = max(block.width for block in blocks) + self.pad
        pool = RowPool(reach)
        for block in blocks:
            pool.add(block, self._stored_values(block))
        for block in blocks:
            for successor, *_ in self._leads(block):
                if successor.number not in pool.first:
                    pool.add(successor, self.of(successor.number))
        values = pool.values()
        sweeps = [self._sweep_function(block, pool, values) for block in blocks]
        while max(run() for run in sweeps) > 0:
            pass
        for block in blocks:
            columns = slice(reach - block.width, reach + block.width + 1)
            self.known[block.number] = pool.of(block, values)[:, :2, columns].copy()

    def _sweep_function(
        self, block: StoredBlock, pool: RowPool, values: Floats
    ) -> Callable[[], float]:
        """Return a function that sums the omitted values of a block once and returns the change.

        At the end, the best calls must be those stored in the file.
        """
        kind, width = block.kind, block.width
        missing = np.flatnonzero(_is_omitted(block))
        placed = np.zeros((len(kind.nodes), 3), np.int64)
        placed[:, WON], placed[:, LOST] = pool.row // 2, pool.row + pool.row // 2
        for successor, nodes, members, flipped in self._leads(block):
            zero = pool.first[successor.number] + members * ROWS_PER_KEY * pool.row + pool.row // 2
            placed[nodes, WON] = zero + (3 if flipped else 0) * pool.row
            placed[nodes, LOST] = zero + (2 if flipped else 1) * pool.row
        best = np.zeros((len(kind.members), 2 * width + 1), np.int8)
        rows = (kind.firsts, kind.choices, self._rows(block), kind.targets, placed)
        pad = pool.row // 2 - width
        out = (values, pool.first[block.number], width, pad, self.solved.tie, best)
        chosen = missing[kind.multi_choice_index_of[missing] >= 0]

        def run() -> float:
            work = np.zeros((WORK_ROWS, 2 * width + 1))
            changed = float(self.sweep(missing, *rows, *out, work))
            if changed == 0:
                assert np.array_equal(best[chosen], block.best[kind.multi_choice_index_of[chosen]])
            return changed

        return run

    def _leads(self, block: StoredBlock) -> Iterator[tuple[StoredBlock, Ints, Ints, int]]:
        """Yield the blocks that omitted members lead to: nodes, members there, if teams swap."""
        kind, reached = block.kind, self._reached_nodes(block)
        for group, (period, clock, flipped) in enumerate(kind.elapsed):
            nodes = np.flatnonzero((kind.group_of == group) & reached)
            carried = (1 - c if flipped and c >= 0 else c for c in block.time[3:])
            time = (block.time[1] + period, block.time[2] + clock, *carried)
            for successor in self.solved.at_time[time] if len(nodes) else ():
                members = successor.kind.member_of[kind.nodes[nodes, 0]]
                if (members >= 0).any():
                    yield successor, nodes[members >= 0], members[members >= 0], flipped

    def _reached_nodes(self, block: StoredBlock) -> Flags:
        """Return which nodes omitted members lead to: the same in all blocks like this one."""
        kind, key = block.kind, (block.kind.number, block.is_whole)
        if key not in self.reached:
            ends = kind.choices[kind.firsts[1:] - 1, 1]
            left_out = np.repeat(_is_omitted(block), np.diff(ends, prepend=0))
            rows = self._rows(block)[left_out]
            targets = np.union1d(
                rows["target"], rows["other"][rows["other"] >= 0] & (OPPONENT_CHOOSES - 1)
            )
            reached = np.zeros(len(kind.nodes), np.bool_)
            reached[kind.targets[targets, 1:]] = True
            self.reached[key] = reached & (kind.nodes[:, 0] >= 0)
        return self.reached[key]

    def _rows(self, block: StoredBlock) -> Records:
        return self.solved.file.array(f"rows/{block.kind.number}")


def _is_omitted(block: StoredBlock) -> Flags:
    """Return which members of a block are omitted from the file."""
    if not block.has_values:
        return np.ones(len(block.kind.members), np.bool_)
    return block.stored_index_of < 0


class RowPool:
    """Rows of consecutive blocks as `sweep` reads them, preceded by those of a finished game."""

    def __init__(self, reach: int) -> None:
        self.row = 2 * reach + 1
        self.parts = [terminal_rows(reach)]
        self.first: dict[int, int] = {}
        self.size = 2 * self.row

    def add(self, block: StoredBlock, known: Floats) -> None:
        """Add the chances of a block; beyond its leads the game is decided."""
        low = self.row // 2 - block.width
        rows = np.zeros((len(known), ROWS_PER_KEY, self.row))
        rows[:, 0, self.row - low :] = rows[:, 1, :low] = 1
        rows[:, :2, low : self.row - low] = known
        rows[:, 2:] = rows[:, :2, ::-1]
        self.parts.append(rows.reshape(-1))
        self.first[block.number] = self.size
        self.size += rows.size

    def values(self) -> Floats:
        return np.concatenate(self.parts)

    def of(self, block: StoredBlock, values: Floats) -> Floats:
        """Return the rows of a block in the result of `values`."""
        members = len(block.kind.members)
        rows = values[self.first[block.number] :][: members * ROWS_PER_KEY * self.row]
        return rows.reshape(members, ROWS_PER_KEY, self.row)


def verify_samples(solved: SolvedGame, samples: Ints, plainly: int = 0) -> Floats:
    """Return each sample's value, its best call's value, the error of the chances, and its calls.

    For one in `plainly` samples also the best call's value by the plain rules minus the value that
    `SolvedGame.value` returns; otherwise NaN.
    """
    verifier, results = SolutionVerifier(solved), np.full((len(samples), 5), np.nan)
    edges = np.flatnonzero(np.diff(samples[:, 0])) + 1
    for numbers in np.split(np.arange(len(samples)), edges):
        for first in range(0, len(numbers), POSITIONS_PER_BATCH):
            batch = numbers[first : first + POSITIONS_PER_BATCH]
            results[batch, :PLAIN] = verifier.verify_block(samples[batch])
            for number in batch[batch % plainly == 0] if plainly else ():
                results[number, PLAIN] = verifier.plain_residual(samples[number])
    return results


class SolutionVerifier:
    """Enumerates every legal call of positions and evaluates the successors."""

    def __init__(self, solved: SolvedGame) -> None:
        self.solved, self.whole = solved, CompleteValues(solved)
        self.policy = load_policy(solved)
        self.match = dispatch.match_array(solved.rules, solved.m)
        dtype = solved.rules.position.dtype(dispatch.enumerating_fields(solved.rules))
        self.work = np.zeros(2, dtype)
        self.lay_out = registration.compile_loop(_write_starts, solved.rules)
        self.locate = registration.compile_loop(_locate, solved.rules)

    def verify_block(self, samples: Ints) -> Floats:
        """Return the same for samples of one block."""
        number, rules, count = int(samples[0, 0]), self.solved.rules, len(samples)
        block = self.whole.blocks[number]
        time = np.array([0, *block.time, 0], np.int64)
        keys = np.stack((block.kind.members[samples[:, 1]], samples[:, 2]), axis=1)
        starts = np.zeros(MAX_CALLS * count, rules.position.dtype())
        calls, firsts = np.zeros(len(starts), np.int64), np.zeros(count + 1, np.int64)
        given = (self.policy.keys, time, keys, starts, calls, firsts)
        self.lay_out(rules, self.match, self.work, *given)
        batch = Batch(rules, self.solved.m, statistics=())
        rows = batch.run(starts[: firsts[-1]], calls[: firsts[-1]])
        assert not rows.abandoned
        worths = self._worths(batch.found_positions[: batch.count])
        chances, by_call = rows.rows["chance"], rows.offsets[:-1]
        sums = np.add.reduceat(chances * worths[rows.rows["next"]], by_call)
        results = np.zeros((count, PLAIN))
        results[:, VALUE] = self._at(
            number, samples[:, 1], samples[:, 2], np.zeros(count, np.int64)
        )
        results[:, BEST] = np.maximum.reduceat(sums, firsts[:-1])
        error = np.abs(np.add.reduceat(chances, by_call) - 1)
        results[:, CHANCE_ERROR] = np.maximum.reduceat(error, firsts[:-1])
        results[:, CALLS] = np.diff(firsts)
        return results

    def plain_residual(self, sample: Ints) -> float:
        """Return the best call's value by the plain rules minus the value of `SolvedGame.value`."""
        rules, m, g = self.solved.rules, self.solved.m, self.position(sample)
        calls = [NO_CALL]
        if rules.questions[rules.question(m, g)].calls:
            calls = rules.legal_calls(m, g)
        value = self.solved.value(g)
        return max(self.after(g, call) for call in calls) - value.worth(HOME, self.solved.tie)

    def position(self, sample: Ints) -> Any:
        """Return the position of a sample."""
        block, (_, member, lead) = self.whole.blocks[sample[0]], sample
        key = self.policy.keys[block.kind.members[member]]
        g = self.solved.rules.position.from_array(key)
        if g.period != k.LEAD_KEY_PERIOD:
            g.score = [max(int(lead), 0), max(-int(lead), 0)]
        k.restore_place(self.solved.rules, g, [0, *block.time, 0])
        return g

    def after(self, g: PositionRecord, call: int) -> float:
        """Return home's worth of a call by the plain rules: every path of the dice."""
        leaves = list(enumeration.enumerate_step(self.solved.rules, self.solved.m, g, call))
        positions = positions_array(self.solved.rules, [after for _, after, _ in leaves])
        return float(np.array([float(chance) for chance, *_ in leaves]) @ self._worths(positions))

    def _worths(self, positions: Records) -> Any:
        """Return home's worth of positions; at instant decisions the better answer counts."""
        places = np.zeros((len(positions), 2 * END + 1), np.int64)
        self.locate(self.solved.rules, self.match, self.work, self.policy, positions, places)
        first = self._of_places(places[:, :END])
        second = self._of_places(places[:, END : 2 * END])
        chosen = np.where(places[:, -1], np.maximum(first, second), np.minimum(first, second))
        return np.where(places[:, END + BLOCK] == NONE, first, chosen)

    def _of_places(self, places: Ints) -> Any:
        block, member, flipped, ahead = places.T
        worths = (ahead > 0) + self.solved.tie * (ahead == 0)
        own_leads = np.where(flipped, -ahead, ahead)
        for number in np.unique(block[block >= 0]).tolist():
            width = self.whole.blocks[number].width
            is_stored = (width < 0) | (np.abs(own_leads) <= width)
            indices = np.flatnonzero((block == number) & is_stored)
            worths[indices] = self._at(
                number, member[indices], own_leads[indices], flipped[indices]
            )
        return worths

    def _at(self, number: int, members: Ints, leads: Ints, flipped: Ints) -> Any:
        """Return home's worth of members of a block, where home acts unless teams are swapped."""
        width = self.whole.blocks[number].width
        columns = leads + width if width >= 0 else np.zeros_like(leads)
        won, lost = self.whole.of(number)[members, :, columns].T
        return np.where(flipped, lost, won) + self.solved.tie * (1 - won - lost)


# --- Compiled ------------------------------------------------------------------------------


def _write_starts(
    rules: RuleSet, m: Records, work: Records, keys: Records, time: Ints, samples: Ints,
    starts: Records, calls: Ints, firsts: Ints,
) -> None:  # fmt: skip
    """Write the position of each sample, a key and a lead, once per legal call."""
    count = 0
    for number in range(len(samples)):
        index = 0
        while True:
            _set_up(rules, work[0], keys[samples[number, 0]], time, samples[number, 1])
            call = legal_call(rules, m[0], work[0], index)
            if call == NO_CALL and index > 0:
                break
            if call != ILLEGAL:
                copy_position(rules, starts[count], work[0])
                calls[count] = call
                count += 1
            index += 1
        firsts[number + 1] = count


def _locate(
    rules: RuleSet, m: Records, work: Records, s: CompiledPolicy, positions: Records, places: Ints
) -> None:
    """Locate positions, after each answer of an instant decision; note whether home decides."""
    for number in range(len(positions)):
        position, place = work[0], places[number]
        copy_position(rules, position, positions[number])
        place[END + BLOCK] = NONE
        if is_over(rules, position) or not is_instant(rules, m[0], position):
            _write_location(rules, m[0], position, s, place, 0)
            continue
        place[2 * END] = team_to_act(rules, m[0], position) == 0
        index = answers = 0
        while True:
            call = legal_call(rules, m[0], position, index)
            if call == NO_CALL:
                break
            if call != ILLEGAL:
                copy_position(rules, work[1], position)
                work[1]._depth = 0
                work[1]._known = 0
                step(rules, m[0], work[1], call)
                _write_location(rules, m[0], work[1], s, place, END * answers)
                answers += 1
            index += 1


@register_jitable
def _write_location(
    rules: RuleSet, m: MatchRecord, g: PositionRecord, s: CompiledPolicy, place: Ints, first: int
) -> None:
    """Write the lead and the location in the file."""
    place[first + AHEAD] = g.score[0] - g.score[1]
    place[first + BLOCK] = OVER
    if not is_over(rules, g):
        split_key(rules, m, g, s.place)
        place[first + FLIPPED] = s.place[k.IS_FLIPPED]
        place[first + BLOCK], place[first + MEMBER] = _find(rules, g, s)
