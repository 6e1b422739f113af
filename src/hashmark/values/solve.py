"""Solving a whole game backwards: the value of every position for every lead that can come.

Blocks are gone through from the end of the game. Blocks that lead to each other without time
passing (a punt, a try) are one group: its keys are ordered so that each comes after those it leads
to. Where that is impossible (a half that a penalty extends) the group is gone through until
nothing changes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any

import numpy as np

from hashmark.sim.threads import patiently
from hashmark.table import compiling
from hashmark.table import keys as k
from hashmark.table.errors import HashmarkError
from hashmark.values import kernel
from hashmark.values.blocks import Blocks, Kind, Time
from hashmark.values.sweep import LONE, LOST, ROWS, WON, WORK_ROWS, decided_rows, sweep

RESIDUAL = 1e-15  # a group is gone through again until no value changes by more
MOST_PASSES = 100_000
ALONE = -1  # the width of a block whose keys have one value each: the lead is part of them
MOST_LEVELS = 50  # of steps without time; more are a loop


@dataclass
class Block:
    """The positions of one time, and where their values lie."""

    time: Time
    kind: Kind
    width: int  # how far leads go either way, or ALONE
    pad: int = -1  # how much longer rows are at both ends
    base: int = 0
    nodes: Any = None  # of its kind, as `sweep` wants them
    best: Any = None  # the number of the best choice of each member, by lead

    @property
    def span(self) -> int:
        return 1 if self.width == ALONE else 2 * self.width + 1

    @property
    def row(self) -> int:
        """The length of a row."""
        return self.span + 2 * self.pad

    @property
    def size(self) -> int:
        """How many numbers its values are."""
        return self.kind.count * (2 if self.width == ALONE else ROWS * self.row)


Group = list[list[Block]]
"""Blocks that lead to each other, by their times, the latest first."""


class Solver:
    """Goes through the blocks of a match from the end; each is handed on when it is solved."""

    def __init__(
        self,
        found: Blocks,
        width: Callable[[Time], int],
        *,
        tie: float,
        threads: int,
    ) -> None:
        """`width` says how far the leads of a block go either way."""
        self.found, self.tie, self.threads = found, tie, threads
        self.sweep = compiling.ready(sweep, found.rules)
        self.blocks: dict[Time, Block] = {}
        kinds = found.kinds.values()
        self.pad = max(int(np.abs(kind.targets[:, 0]).max(initial=0)) for kind in kinds)
        for kind in kinds:
            alone = found.keys["period"][kind.members[0]] == k.WITH_LEAD
            for time in kind.times:
                made = (ALONE, -1) if alone else (width(time), self.pad)
                self.blocks[time] = Block(time, kind, *made)
        self.decided = decided_rows(max(block.width for block in self.blocks.values()) + self.pad)
        self.leads = {
            time: {then for then, _ in found.leads(block.kind, time)}
            for time, block in self.blocks.items()
        }
        self.groups = self._grouped()
        self.room = self._plan()
        self.values: Any = None
        self._levels: dict[Any, Any] = {}

    def run(self, values: Any, first: int = 0) -> Iterator[list[Block]]:
        """Solve group after group in a work space; yields its blocks while their values are there.

        Whoever has the work space of a run that ended after some groups may go on with the next.
        """
        self.values = values
        values[: len(self.decided)] = self.decided
        with ThreadPoolExecutor(self.threads) as pool:
            for group in self.groups[first:]:
                blocks = [block for at_one_time in group for block in at_one_time]
                self._solve(group, blocks, pool)
                yield blocks
                for block in blocks:
                    block.nodes = block.best = None

    def needed(self, number: int) -> list[Block]:
        """The blocks that groups from this number on look back to."""
        return [block for block in self.blocks.values() if self._life[block.time][0] < number
                <= self._life[block.time][1]]  # fmt: skip

    def of(self, block: Block) -> Any:
        """The values of a block: for each member two rows, won and lost, by lead."""
        found = self.values[block.base : block.base + block.size]
        if block.width == ALONE:
            return found.reshape(block.kind.count, 2, 1)
        rows = found.reshape(block.kind.count, ROWS, block.row)
        return rows[:, :2, block.pad : block.pad + block.span]

    # --- The order of the blocks --------------------------------------------------------

    def _grouped(self) -> list[Group]:
        """The blocks in groups, those first that others lead to."""
        joined: dict[Any, Any] = {}  # of times that lead to each other: the one that stands for all

        def name(time: Time) -> Any:
            at: Any = time[1:3]
            while at in joined:
                at = joined[at]
            return at

        while True:
            graph: dict[Any, set[Any]] = defaultdict(set)
            for time, leads in self.leads.items():
                graph[name(time)] |= {name(then) for then in leads} - {name(time)}
            try:
                order = list(TopologicalSorter(graph).static_order())
                break
            except CycleError as cycle:
                first, *rest = dict.fromkeys(cycle.args[1])
                joined.update(dict.fromkeys(rest, first))
        groups: dict[Any, dict[Any, list[Block]]] = {one: defaultdict(list) for one in order}
        for time, block in self.blocks.items():
            groups[name(time)][time[1:3]].append(block)
        return [self._latest_first(one) for one in groups.values()]

    def _latest_first(self, by_time: dict[Any, list[Block]]) -> Group:
        return [by_time[time] for time in sorted(by_time, key=lambda t: (-t[0], t[1]))]

    def _plan(self) -> int:
        """Give every block a place that is free while it is needed; how much room that takes."""
        first: dict[Time, int] = {}
        last: dict[Time, int] = {}
        for number, group in enumerate(self.groups):
            for block in (block for blocks in group for block in blocks):
                first[block.time] = number
                for time in (block.time, *self.leads[block.time]):
                    last[time] = max(last.get(time, 0), number)
        self._life = {time: (first[time], last[time]) for time in self.blocks}
        taken: list[Block] = []
        room = len(self.decided)
        for number, group in enumerate(self.groups):
            taken = [block for block in taken if last[block.time] >= number]
            for block in (block for blocks in group for block in blocks):
                block.base = _first_gap(taken, block.size, len(self.decided))
                taken.append(block)
                taken.sort(key=lambda one: one.base)
                room = max(room, block.base + block.size)
        return room

    # --- One group ----------------------------------------------------------------------

    def _solve(self, group: Group, blocks: list[Block], pool: ThreadPoolExecutor) -> None:
        for block in blocks:
            self.values[block.base : block.base + block.size] = 0
            block.best = np.zeros((block.kind.count, block.span), np.int8)
            block.nodes = self._placed_nodes(block)
        ordered = [self._levelled(at_one_time) for at_one_time in group]
        loops = len(group) > 1 or any(loops for _, loops in ordered)
        for _ in range(MOST_PASSES if loops else 1):
            changed = 0.0
            for at_one_time, (levels, _) in zip(group, ordered, strict=True):
                changed = max(changed, self._pass(at_one_time, levels, pool))
            if changed <= RESIDUAL:
                return
        if loops:
            raise HashmarkError(f"a loop of positions is not settled after {MOST_PASSES:,} passes")

    def _placed_nodes(self, block: Block) -> Any:
        """The nodes of a block's kind, each with where its rows lie."""
        kind = block.kind
        placed = np.zeros((kind.node_count, 3), np.int64)
        placed[:, WON] = len(self.decided) // 4
        placed[:, LOST] = placed[:, WON] + len(self.decided) // 2
        for time, nodes in self.found.leads(kind, block.time):
            then = self.blocks[time]
            members = then.kind.member_of[kind.nodes[nodes, 0]]
            turned = kind.nodes[nodes, 1 + k.FLIPPED]
            if then.width == ALONE:
                placed[nodes, WON] = then.base + 2 * members + turned
                placed[nodes, LOST] = then.base + 2 * members + 1 - turned
                placed[nodes, LONE] = 1
            else:
                zero = then.base + members * ROWS * then.row + then.pad + then.width
                placed[nodes, WON] = zero + np.where(turned, 3, 0) * then.row
                placed[nodes, LOST] = zero + np.where(turned, 2, 1) * then.row
        return placed

    def _pass(
        self, blocks: list[Block], levels: list[list[Any]], pool: ThreadPoolExecutor
    ) -> float:
        """Go through the blocks of a time once, level by level."""
        changed = 0.0
        for level in levels:
            jobs = [
                pool.submit(self._sweep, block, part)
                for block, members in zip(blocks, level, strict=True)
                for part in np.array_split(members, self.threads)
                if len(part)
            ]
            changed = max([changed, *(patiently(job) for job in jobs)])
        return changed

    def _sweep(self, block: Block, members: Any) -> float:
        kind, width = block.kind, max(block.width, 0)
        rows = (kind.firsts, kind.choices, kind.rows, kind.targets, block.nodes)
        out = (self.values, block.base, width, block.pad, self.tie, block.best)
        return float(self.sweep(members, *rows, *out, np.zeros((WORK_ROWS, block.span))))

    def _levelled(self, blocks: list[Block]) -> tuple[list[list[Any]], bool]:
        """For each level the members of each block, and whether any lead to themselves."""
        names = tuple(id(block.kind) for block in blocks)
        if names not in self._levels:
            self._levels[names] = _levels(self, blocks)
        return self._levels[names]  # type: ignore[no-any-return]


def _first_gap(taken: list[Block], size: int, at: int) -> int:
    """The first place from here on that is large enough, between blocks in order of place."""
    for block in taken:
        if block.base - at >= size:
            return at
        at = block.base + block.size
    return at


def _levels(solver: Solver, blocks: list[Block]) -> tuple[list[list[Any]], bool]:
    """The members of blocks of one time by how many steps without time lie before them."""
    first, starts = {}, []
    total = 0
    for block in blocks:
        first[block.time] = total
        starts.append(total)
        total += block.kind.count
    edges = [_edges(solver, block, first) for block in blocks]
    befores, afters = (np.concatenate(ends) for ends in zip(*edges, strict=True))
    level, loops = np.zeros(total, np.int64), False
    for _ in range(MOST_LEVELS):
        deeper = np.zeros(total, np.int64)
        np.maximum.at(deeper, befores, level[afters] + 1)
        if np.array_equal(deeper, level):
            break
        level = deeper
    else:
        loops = True
    by_block = np.split(level, starts[1:])
    return [[np.flatnonzero(own == at) for own in by_block] for at in range(level.max() + 1)], loops


def _edges(solver: Solver, block: Block, first: dict[Time, int]) -> tuple[Any, Any]:
    """Which members of a block lead to which members of blocks of the same time."""
    kind = block.kind
    inside = np.full(kind.node_count, -1, np.int64)
    for time, nodes in solver.found.leads(kind, block.time):
        if time in first:
            then = solver.blocks[time].kind
            inside[nodes] = first[time] + then.member_of[kind.nodes[nodes, 0]]
    ends = kind.choices[kind.firsts[1:] - 1, 1]
    befores, afters = [], []
    for column in range(1, kernel.TARGET):
        reached = inside[kind.targets[:, column]]
        for name in ("target", "other"):
            numbers = np.where(kind.rows[name] < 0, -1, kind.rows[name] & (kernel.THEIRS - 1))
            rows = np.flatnonzero((numbers >= 0) & (reached[numbers] >= 0))
            befores.append(first[block.time] + np.searchsorted(ends, rows, side="right"))
            afters.append(reached[numbers[rows]])
    pairs = np.unique(np.concatenate(befores) * (1 << 32) + np.concatenate(afters))
    return pairs >> 32, pairs & ((1 << 32) - 1)
