"""State space of a match as the solver sees it: blocks of positions and the rows of their calls.

A block is a set of keys at one time: all steady positions of a layer, or all others. Steady blocks
with the same number share their rows (`BlockKind`); every other block has its own rows. Exploration
follows the rows from the first position and finds every reachable block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hashmark.compiler import dispatch, registration
from hashmark.engine import solver_keys as k
from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.odds.arrays import Flags, Ints, Records, extended
from hashmark.values import transition_kernel as kernel

INITIAL_CAPACITY = 1 << 12  # initial entries of a table
ROW_SLOTS = 1 << 14
CALLS_PER_SLICE = 64  # calls per compiled slice; Ctrl-C is noticed between slices

BlockTime = tuple[int, ...]
"""Where a block stands: its steady number, period, clock and what is carried."""


class BlockKind:
    """Keys that share their rows: those of one block, or of all steady blocks with one number."""

    def __init__(self, time: Ints) -> None:
        """Prepare empty tables; `time` is the place for which the rows are enumerated."""
        self.time = time
        self.state: Ints = np.zeros(kernel.STATE_SIZE, np.int64)
        self.members: Ints = np.zeros(INITIAL_CAPACITY, np.int64)
        self.is_member: Flags = np.zeros(0, np.bool_)
        self.member_of: Ints = np.zeros(0, np.int64)  # member index of each key, or -1
        self.nodes: Ints = np.zeros((INITIAL_CAPACITY, kernel.NODE_SIZE), np.int64)
        self.targets: Ints = np.zeros((INITIAL_CAPACITY, kernel.TARGET_SIZE), np.int64)
        self.choices: Ints = np.zeros((INITIAL_CAPACITY, kernel.CHOICE_SIZE), np.int64)
        self.rows: Records = np.zeros(INITIAL_CAPACITY, kernel.ROW_DTYPE)
        self.firsts: Ints = np.zeros(INITIAL_CAPACITY + 1, np.int64)
        self.node_slots, self.target_slots = (_empty_slots(INITIAL_CAPACITY) for _ in range(2))
        self.row_slots: Ints = np.full(ROW_SLOTS, -1, np.int64)
        self.times: dict[BlockTime, int] = {}  # nodes followed, by block
        self._groups: dict[tuple[int, int], list[Ints]] = {}

    @property
    def count(self) -> int:
        """Number of members."""
        return int(self.state[kernel.MEMBERS])

    @property
    def node_count(self) -> int:
        return int(self.state[kernel.NODES])

    def has_pending_work(self) -> bool:
        """Return whether there are members without rows or nodes not yet followed."""
        if self.state[kernel.NEXT_MEMBER] < self.count:
            return True
        return any(followed < self.node_count for followed in self.times.values())

    @property
    def is_steady(self) -> bool:
        return bool(self.time[k.STEADY] > 0)

    def nodes_by_time(self, known: int) -> list[Ints]:
        """Return the node numbers from `known` on, grouped by the time they lead to."""
        if (known, self.node_count) not in self._groups:
            nodes = self.nodes[known : self.node_count]
            numbers = np.flatnonzero(nodes[:, 0] != kernel.OVER)
            node_places = nodes[numbers, 1:]
            absolute = tuple(range(k.STEADY, k.LEAD))
            columns = (k.PERIOD, k.CLOCK, k.IS_FLIPPED) if self.is_steady else absolute
            groups = _groups(node_places[:, columns])
            self._groups = {(known, self.node_count): [known + numbers[group] for group in groups]}
        return self._groups[known, self.node_count]

    def reserve(self, keys: int, more: int) -> None:
        """Make room for `more` members among `keys` possible keys."""
        self.is_member = extended(self.is_member, keys)
        if self.count + more >= len(self.members):
            capacity = 2 * (self.count + more)
            self.members = extended(self.members, capacity)
            self.firsts = extended(self.firsts, capacity + 1)

    def grow_full_tables(self) -> None:
        """Grow the tables that are nearly full."""
        state = self.state
        if state[kernel.NODES] == len(self.nodes):
            self.nodes = extended(self.nodes, 2 * len(self.nodes))
            self.node_slots, state[kernel.NODES_HASHED] = _empty_slots(len(self.nodes)), 0
        if state[kernel.TARGETS] == len(self.targets):
            self.targets = extended(self.targets, 2 * len(self.targets))
            self.target_slots, state[kernel.TARGETS_HASHED] = _empty_slots(len(self.targets)), 0
        if 2 * state[kernel.ROWS] + ROW_SLOTS > len(self.rows):
            self.rows = extended(self.rows, 2 * len(self.rows) + ROW_SLOTS)
        if 2 * state[kernel.CHOICES] > len(self.choices):
            self.choices = extended(self.choices, 2 * len(self.choices))

    def trim(self) -> None:
        """Release unused capacity."""
        state = self.state
        self.rows = self.rows[: state[kernel.ROWS]].copy()
        self.nodes = self.nodes[: self.node_count].copy()
        self.targets = self.targets[: state[kernel.TARGETS]].copy()
        self.choices = self.choices[: state[kernel.CHOICES]].copy()
        self.members = self.members[: self.count].copy()
        self.firsts = self.firsts[: self.count + 1].copy()
        self.node_slots = self.target_slots = self.row_slots = _empty_slots(0)
        self.index_members(len(self.is_member))

    def index_members(self, keys: int) -> None:
        """Record the member index of each key."""
        self.member_of = np.full(keys, -1, np.int64)
        self.member_of[self.members] = np.arange(self.count)


class StateSpace:
    """Every position that a match can reach, found by running the rules."""

    def __init__(
        self, rules: RuleSet, m: MatchRecord, on_progress: Callable[[int], None] | None = None
    ) -> None:
        """Prepare an empty state space; `on_progress` receives the number of calls with rows."""
        self.rules, self.m, self.on_progress = rules, m, on_progress
        self.match = dispatch.match_array(rules, m)
        self.work = np.zeros(2, rules.position.dtype(dispatch.enumerating_fields(rules)))
        self.keys = np.zeros(INITIAL_CAPACITY, rules.position.dtype())
        self.key_slots = _empty_slots(INITIAL_CAPACITY)
        self.key_count = 0
        self.kinds: dict[BlockTime, BlockKind] = {}
        self.enumerate = registration.compile_loop(kernel.enumerate_block, rules, "solving")
        self.steady_at = registration.compile_loop(kernel.steady_at, rules)

    def explore(self, g: PositionRecord) -> None:
        """Find every position that the game can reach from a position."""
        key, place = g.copy(), [0] * k.PLACE_SIZE
        k.split_key(self.rules, self.m, key, place)
        key.to_array(self.keys[0])
        self.key_count = 1
        self._add(tuple(place[k.STEADY : k.LEAD]), np.zeros(1, np.int64))
        while waiting := [kind for kind in self.kinds.values() if kind.has_pending_work()]:
            kind = min(waiting, key=self._progress)
            self._close(kind)
            for time in list(kind.times):
                self._follow(kind, time)
        for kind in self.kinds.values():
            kind.reserve(len(self.keys), 0)
            kind.trim()

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Restore an earlier exploration from its arrays, by name and kind number."""
        self.keys, self.key_count = arrays["keys"], len(arrays["keys"])
        for number in range(sum(name.startswith("time/") for name in arrays)):
            kind = BlockKind(arrays[f"time/{number}"])
            for name in ("members", "firsts", "choices", "targets", "nodes", "rows"):
                setattr(kind, name, arrays[f"{name}/{number}"])
            kind.times = {tuple(time): 0 for time in arrays[f"times/{number}"].tolist()}
            kind.state[kernel.MEMBERS] = len(kind.members)
            kind.state[kernel.NODES] = len(kind.nodes)
            kind.index_members(self.key_count)
            self.kinds[kind_key(tuple(kind.time[k.STEADY : k.LEAD].tolist()))] = kind

    def _progress(self, kind: BlockKind) -> int:
        """Return how early a kind occurs; in this order most kinds are visited once."""
        g = self.rules.position()
        k.restore_place(self.rules, g, [int(number) for number in kind.time])
        return int(self.rules.solver.progress(self.m, g))

    def _add(self, time: BlockTime, numbers: Ints) -> None:
        """Add keys to the block at a time."""
        name = kind_key(time)
        if name not in self.kinds:
            self.kinds[name] = BlockKind(np.array([0, *time, 0], np.int64))
        kind = self.kinds[name]
        kind.times.setdefault(time, 0)
        kind.reserve(len(self.keys), len(numbers))
        new = np.unique(numbers[~kind.is_member[numbers]])
        kind.members[kind.count : kind.count + len(new)] = new
        kind.is_member[new] = True
        kind.state[kernel.MEMBERS] += len(new)

    def _close(self, kind: BlockKind) -> None:
        """Enumerate the rows of all members, including those reached within the block."""
        place, state = np.zeros(k.PLACE_SIZE, np.int64), kind.state
        state[kernel.KEYS_HASHED] = self.key_count if self.key_count > 1 else 0
        while True:
            state[kernel.KEYS] = self.key_count
            kind.reserve(len(self.keys), 1)
            tables = kernel.Tables(
                *(self.keys, self.key_slots, kind.members, kind.is_member),
                *(kind.nodes, kind.node_slots, kind.targets, kind.target_slots),
                *(kind.rows, kind.row_slots, kind.choices, kind.firsts),
                *(state, place),
            )
            status = self.enumerate(
                self.rules, self.match, self.work, kind.time, tables, CALLS_PER_SLICE
            )
            self.key_count = int(state[kernel.KEYS])
            if status == kernel.DONE:
                return
            if status == kernel.FULL:
                kind.grow_full_tables()
                self._grow_keys(state)
            if self.on_progress is not None:
                self.on_progress(int(state[kernel.CHOICES]))

    def _grow_keys(self, state: Ints) -> None:
        if self.key_count == len(self.keys):
            self.keys = extended(self.keys, 2 * len(self.keys))
            self.key_slots, state[kernel.KEYS_HASHED] = _empty_slots(len(self.keys)), 0

    def _follow(self, kind: BlockKind, time: BlockTime) -> None:
        """Put the keys that the nodes of a kind lead to into their blocks."""
        known, kind.times[time] = kind.times[time], kind.node_count
        for next_time, nodes in self.successors(kind, time, known):
            self._add(next_time, kind.nodes[nodes, 0])

    def successors(
        self, kind: BlockKind, time: BlockTime, known: int = 0
    ) -> Iterator[tuple[BlockTime, Ints]]:
        """Yield the times of the blocks that a block leads to, with their nodes from `known` on.

        Nodes of steady blocks store elapsed time; nodes of other blocks store absolute time.
        """
        for nodes in kind.nodes_by_time(known):
            place = kind.nodes[nodes[0], 1:].copy()
            if not kind.is_steady:
                yield tuple(place[k.STEADY : k.LEAD].tolist()), nodes
                continue
            carried = [1 - c if place[k.IS_FLIPPED] and c >= 0 else c for c in time[3:]]
            period, clock = time[1] + place[k.PERIOD], time[2] + place[k.CLOCK]
            place[k.PERIOD :] = [period, clock, *carried]
            steady = np.zeros(len(nodes), np.int64)
            keys = kind.nodes[nodes, 0]
            self.steady_at(self.rules, self.match, self.work, self.keys, keys, place, steady)
            for number in np.unique(steady).tolist():
                next_time = (number, *place[k.PERIOD :].tolist())
                yield next_time, nodes[steady == number]


def kind_key(time: BlockTime) -> BlockTime:
    """Return the key of a block's kind: steady blocks with one number share a kind."""
    return time[:1] if time[0] else time


def _groups(table: Ints) -> list[Ints]:
    """Return the indices of equal rows of a table of small integers, group by group."""
    codes = np.zeros(len(table), np.int64)
    for column in table.T:
        low = int(column.min(initial=0))
        codes = codes * (int(column.max(initial=0)) - low + 1) + column - low
    order = np.argsort(codes, kind="stable")
    edges = np.flatnonzero(np.diff(codes[order])) + 1
    return [group for group in np.split(order, edges) if len(group)]


def _empty_slots(capacity: int) -> Ints:
    """Return an empty hash table for this many entries."""
    return np.full(4 * capacity, -1, np.int64)
