"""Backward induction over a whole game: the value of every position for every possible lead.

The solver visits blocks from the end of the game. Blocks that lead to each other without time
passing (a punt, a try) form one group, whose keys are ordered so that each comes after its
successors. Where that is impossible (a half that a penalty extends) the solver iterates the group
until no value changes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter

import numpy as np

from hashmark.compiler import registration
from hashmark.engine import solver_keys as k
from hashmark.errors import HashmarkError
from hashmark.odds.arrays import Bytes, Floats, Ints
from hashmark.sim.threads import wait_for
from hashmark.values import transition_kernel as kernel
from hashmark.values.state_space import BlockKind, BlockTime, StateSpace
from hashmark.values.sweep import (
    IS_SINGLE,
    LOST,
    ROWS_PER_KEY,
    WON,
    WORK_ROWS,
    sweep,
    terminal_rows,
)

MAX_RESIDUAL = 1e-15  # a group is iterated until no value changes by more
MAX_PASSES = 100_000
LEAD_IN_KEY = -1  # width of a block whose keys include the lead: one value per key
MAX_LEVELS = 50  # levels of steps without time; more indicate a cycle


@dataclass
class SolverBlock:
    """Positions at one time, and where their values lie in the work space."""

    time: BlockTime
    kind: BlockKind
    width: int  # largest lead either way, or LEAD_IN_KEY
    pad: int = -1  # padding of a row at both ends
    base: int = 0
    nodes: Ints = field(init=False)  # node table of its kind, as `sweep` expects it
    best: Bytes = field(init=False)  # the number of the best choice of each member, by lead

    @property
    def span(self) -> int:
        return 1 if self.width == LEAD_IN_KEY else 2 * self.width + 1

    @property
    def row(self) -> int:
        """Length of a row."""
        return self.span + 2 * self.pad

    @property
    def size(self) -> int:
        """Number of values."""
        return self.kind.count * (2 if self.width == LEAD_IN_KEY else ROWS_PER_KEY * self.row)


Levels = list[list[Ints]]
"""Members of each block, level by level."""

BlockGroup = list[list[SolverBlock]]
"""Blocks that lead to each other, by their times, the latest first."""


class Solver:
    """Solves the blocks of a match from the end and yields each solved group."""

    def __init__(
        self,
        state_space: StateSpace,
        width: Callable[[BlockTime], int],
        *,
        tie: float,
        threads: int,
    ) -> None:
        """Plan the solution; `width` returns the largest lead of a block either way."""
        self.state_space, self.tie, self.threads = state_space, tie, threads
        self.sweep = registration.compile_loop(sweep, state_space.rules)
        self.blocks: dict[BlockTime, SolverBlock] = {}
        kinds = state_space.kinds.values()
        self.pad = max(int(np.abs(kind.targets[:, 0]).max(initial=0)) for kind in kinds)
        for kind in kinds:
            has_lead_in_key = state_space.keys["period"][kind.members[0]] == k.LEAD_KEY_PERIOD
            for time in kind.times:
                shape = (LEAD_IN_KEY, -1) if has_lead_in_key else (width(time), self.pad)
                self.blocks[time] = SolverBlock(time, kind, *shape)
        self.terminal_rows = terminal_rows(
            max(block.width for block in self.blocks.values()) + self.pad
        )
        self.successors = {
            time: {next_time for next_time, _ in state_space.successors(block.kind, time)}
            for time, block in self.blocks.items()
        }
        self.groups = self._grouped()
        self.workspace_size = self._plan()
        self.values: Floats
        self._levels: dict[tuple[int, ...], tuple[Levels, bool]] = {}

    def run(self, values: Floats, first: int = 0) -> Iterator[list[SolverBlock]]:
        """Solve group after group in a work space; yield its blocks while their values are in it.

        With the work space of a run that ended after `first` groups, solving resumes with the next.
        """
        self.values = values
        values[: len(self.terminal_rows)] = self.terminal_rows
        with ThreadPoolExecutor(self.threads) as pool:
            for group in self.groups[first:]:
                blocks = [block for at_one_time in group for block in at_one_time]
                self._solve(group, blocks, pool)
                yield blocks
                for block in blocks:
                    del block.nodes, block.best

    def live_blocks(self, number: int) -> list[SolverBlock]:
        """Return the solved blocks that groups from this number on still depend on."""
        return [block for block in self.blocks.values() if self._life[block.time][0] < number
                <= self._life[block.time][1]]  # fmt: skip

    def block_values(self, block: SolverBlock) -> Floats:
        """Return the values of a block: for each member two rows, won and lost, by lead."""
        values = self.values[block.base : block.base + block.size]
        if block.width == LEAD_IN_KEY:
            return values.reshape(block.kind.count, 2, 1)
        rows = values.reshape(block.kind.count, ROWS_PER_KEY, block.row)
        return rows[:, :2, block.pad : block.pad + block.span]

    # --- The order of the blocks --------------------------------------------------------

    def _grouped(self) -> list[BlockGroup]:
        """Return the blocks in groups, successors first."""
        joined: dict[BlockTime, BlockTime] = {}  # maps merged times to their representative

        def name(time: BlockTime) -> BlockTime:
            representative = time[1:3]
            while representative in joined:
                representative = joined[representative]
            return representative

        while True:
            graph: dict[BlockTime, set[BlockTime]] = defaultdict(set)
            for time, leads in self.successors.items():
                graph[name(time)] |= {name(next_time) for next_time in leads} - {name(time)}
            try:
                order = list(TopologicalSorter(graph).static_order())
                break
            except CycleError as cycle:
                first, *rest = dict.fromkeys(cycle.args[1])
                joined.update(dict.fromkeys(rest, first))
        groups: dict[BlockTime, dict[BlockTime, list[SolverBlock]]] = {
            representative: defaultdict(list) for representative in order
        }
        for time, block in self.blocks.items():
            groups[name(time)][time[1:3]].append(block)
        return [
            [by_time[time] for time in sorted(by_time, key=lambda t: (-t[0], t[1]))]
            for by_time in groups.values()
        ]

    def _plan(self) -> int:
        """Allocate work space for each block while it is needed; return the total size."""
        first: dict[BlockTime, int] = {}
        last: dict[BlockTime, int] = {}
        for number, group in enumerate(self.groups):
            for block in (block for blocks in group for block in blocks):
                first[block.time] = number
                for time in (block.time, *self.successors[block.time]):
                    last[time] = max(last.get(time, 0), number)
        self._life = {time: (first[time], last[time]) for time in self.blocks}
        allocated: list[SolverBlock] = []
        total = len(self.terminal_rows)
        for number, group in enumerate(self.groups):
            allocated = [block for block in allocated if last[block.time] >= number]
            for block in (block for blocks in group for block in blocks):
                block.base = _first_gap(allocated, block.size, len(self.terminal_rows))
                allocated.append(block)
                allocated.sort(key=lambda other: other.base)
                total = max(total, block.base + block.size)
        return total

    # --- One group ----------------------------------------------------------------------

    def _solve(
        self, group: BlockGroup, blocks: list[SolverBlock], pool: ThreadPoolExecutor
    ) -> None:
        for block in blocks:
            self.values[block.base : block.base + block.size] = 0
            block.best = np.zeros((block.kind.count, block.span), np.int8)
            block.nodes = self._placed_nodes(block)
        ordered = [self._levelled(at_one_time) for at_one_time in group]
        loops = len(group) > 1 or any(loops for _, loops in ordered)
        for _ in range(MAX_PASSES if loops else 1):
            changed = 0.0
            for at_one_time, (levels, _) in zip(group, ordered, strict=True):
                changed = max(changed, self._pass(at_one_time, levels, pool))
            if changed <= MAX_RESIDUAL:
                return
        if loops:
            raise HashmarkError(
                f"a cycle of positions did not converge after {MAX_PASSES:,} passes"
            )

    def _placed_nodes(self, block: SolverBlock) -> Ints:
        """Return the nodes of a block's kind with the offsets of their rows."""
        kind = block.kind
        placed = np.zeros((kind.node_count, 3), np.int64)
        placed[:, WON] = len(self.terminal_rows) // 4
        placed[:, LOST] = placed[:, WON] + len(self.terminal_rows) // 2
        for time, nodes in self.state_space.successors(kind, block.time):
            successor = self.blocks[time]
            members = successor.kind.member_of[kind.nodes[nodes, 0]]
            is_flipped = kind.nodes[nodes, 1 + k.IS_FLIPPED]
            if successor.width == LEAD_IN_KEY:
                placed[nodes, WON] = successor.base + 2 * members + is_flipped
                placed[nodes, LOST] = successor.base + 2 * members + 1 - is_flipped
                placed[nodes, IS_SINGLE] = 1
            else:
                zero = successor.base + members * ROWS_PER_KEY * successor.row
                zero += successor.pad + successor.width
                placed[nodes, WON] = zero + np.where(is_flipped, 3, 0) * successor.row
                placed[nodes, LOST] = zero + np.where(is_flipped, 2, 1) * successor.row
        return placed

    def _pass(self, blocks: list[SolverBlock], levels: Levels, pool: ThreadPoolExecutor) -> float:
        """Sweep the blocks of one time once, level by level; return the largest change."""
        changed = 0.0
        for level in levels:
            jobs = [
                pool.submit(self._sweep, block, part)
                for block, members in zip(blocks, level, strict=True)
                for part in np.array_split(members, self.threads)
                if len(part)
            ]
            changed = max([changed, *(wait_for(job) for job in jobs)])
        return changed

    def _sweep(self, block: SolverBlock, members: Ints) -> float:
        kind, width = block.kind, max(block.width, 0)
        rows = (kind.firsts, kind.choices, kind.rows, kind.targets, block.nodes)
        out = (self.values, block.base, width, block.pad, self.tie, block.best)
        return float(self.sweep(members, *rows, *out, np.zeros((WORK_ROWS, block.span))))

    def _levelled(self, blocks: list[SolverBlock]) -> tuple[Levels, bool]:
        """Return the members of each block by level, and whether there are cycles."""
        key = tuple(id(block.kind) for block in blocks)
        if key not in self._levels:
            self._levels[key] = _levels(self, blocks)
        return self._levels[key]


def _first_gap(allocated: list[SolverBlock], size: int, offset: int) -> int:
    """Return the first free offset from `offset` on that is large enough."""
    for block in allocated:
        if block.base - offset >= size:
            return offset
        offset = block.base + block.size
    return offset


def _levels(solver: Solver, blocks: list[SolverBlock]) -> tuple[Levels, bool]:
    """Group the members of blocks of one time by the longest chain of timeless steps after them."""
    first, starts = {}, []
    total = 0
    for block in blocks:
        first[block.time] = total
        starts.append(total)
        total += block.kind.count
    edges = [_edges(solver, block, first) for block in blocks]
    befores, afters = (np.concatenate(ends) for ends in zip(*edges, strict=True))
    level, loops = np.zeros(total, np.int64), False
    for _ in range(MAX_LEVELS):
        deeper = np.zeros(total, np.int64)
        np.maximum.at(deeper, befores, level[afters] + 1)
        if np.array_equal(deeper, level):
            break
        level = deeper
    else:
        loops = True
    by_block = np.split(level, starts[1:])
    return [
        [np.flatnonzero(block_levels == number) for block_levels in by_block]
        for number in range(level.max() + 1)
    ], loops


def _edges(solver: Solver, block: SolverBlock, first: dict[BlockTime, int]) -> tuple[Ints, Ints]:
    """Return the edges between members of blocks of the same time."""
    kind = block.kind
    member_of_node = np.full(kind.node_count, -1, np.int64)
    for time, nodes in solver.state_space.successors(kind, block.time):
        if time in first:
            successor = solver.blocks[time].kind
            member_of_node[nodes] = first[time] + successor.member_of[kind.nodes[nodes, 0]]
    ends = kind.choices[kind.firsts[1:] - 1, 1]
    befores, afters = [], []
    for column in range(1, kernel.TARGET_SIZE):
        reached = member_of_node[kind.targets[:, column]]
        for name in ("target", "other"):
            numbers = np.where(
                kind.rows[name] < 0, -1, kind.rows[name] & (kernel.OPPONENT_CHOOSES - 1)
            )
            rows = np.flatnonzero((numbers >= 0) & (reached[numbers] >= 0))
            befores.append(first[block.time] + np.searchsorted(ends, rows, side="right"))
            afters.append(reached[numbers[rows]])
    pairs = np.unique(np.concatenate(befores) * (1 << 32) + np.concatenate(afters))
    return pairs >> 32, pairs & ((1 << 32) - 1)
