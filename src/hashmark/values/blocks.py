"""State space of a match as the solver sees it: blocks of positions and the rows of their calls.

A block is a set of keys at one time: all steady positions of a layer, or all others. Steady blocks
with the same number share their rows (`Kind`); every other block has its own rows. Exploration
follows the rows from the first position and finds every reachable block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hashmark.table import compiled, compiling
from hashmark.table import keys as k
from hashmark.table.rules import RuleSet
from hashmark.values import kernel

ROOM = 1 << 12  # initial entries of a table
ROW_SLOTS = 1 << 14
CALLS_AT_ONCE = 64  # calls per compiled slice; Ctrl-C is noticed between slices

Time = tuple[int, ...]
"""Where a block stands: its steady number, period, clock and what is carried."""


@dataclass(eq=False)
class Kind:
    """Keys that share their rows: those of one block, or of all steady blocks with one number."""

    time: Any  # the place for which its rows are enumerated
    state: Any = field(default_factory=lambda: np.zeros(kernel.STATE, np.int64))
    members: Any = field(default_factory=lambda: np.zeros(ROOM, np.int64))
    is_member: Any = field(default_factory=lambda: np.zeros(0, np.bool_))
    nodes: Any = field(default_factory=lambda: np.zeros((ROOM, kernel.NODE), np.int64))
    node_slots: Any = field(default_factory=lambda: _empty_slots(ROOM))
    targets: Any = field(default_factory=lambda: np.zeros((ROOM, kernel.TARGET), np.int64))
    target_slots: Any = field(default_factory=lambda: _empty_slots(ROOM))
    rows: Any = field(default_factory=lambda: np.zeros(ROOM, kernel.ROW))
    choices: Any = field(default_factory=lambda: np.zeros((ROOM, kernel.CHOICE), np.int64))
    row_slots: Any = field(default_factory=lambda: np.full(ROW_SLOTS, -1, np.int64))
    firsts: Any = field(default_factory=lambda: np.zeros(ROOM + 1, np.int64))
    times: dict[Time, int] = field(default_factory=dict)  # nodes followed, by block
    member_of: Any = None  # member index of each key, or -1
    _groups: dict[tuple[int, int], list[Any]] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """Number of members."""
        return int(self.state[kernel.MEMBERS])

    @property
    def node_count(self) -> int:
        return int(self.state[kernel.NODES])

    def is_waiting(self) -> bool:
        """Return whether there are members without rows or nodes not yet followed."""
        if self.state[kernel.AT] < self.count:
            return True
        return any(followed < self.node_count for followed in self.times.values())

    @property
    def is_steady(self) -> bool:
        return bool(self.time[k.STEADY] > 0)

    def grouped(self, known: int) -> list[Any]:
        """Return the node numbers from `known` on, grouped by the time they lead to."""
        if (known, self.node_count) not in self._groups:
            nodes = self.nodes[known : self.node_count]
            numbers = np.flatnonzero(nodes[:, 0] != kernel.OVER)
            node_places = nodes[numbers, 1:]
            columns = (k.PERIOD, k.CLOCK, k.FLIPPED) if self.is_steady else range(k.STEADY, k.LEAD)
            groups = _groups(node_places[:, tuple(columns)])
            self._groups = {(known, self.node_count): [known + numbers[group] for group in groups]}
        return self._groups[known, self.node_count]

    def make_room(self, keys: int, more: int) -> None:
        """Make room for `more` members among `keys` possible keys."""
        self.is_member = _extended(self.is_member, keys)
        if self.count + more >= len(self.members):
            capacity = 2 * (self.count + more)
            self.members, self.firsts = (
                _extended(self.members, capacity),
                _extended(self.firsts, capacity + 1),
            )

    def widen(self) -> None:
        """Grow the tables that are nearly full."""
        state = self.state
        if state[kernel.NODES] == len(self.nodes):
            self.nodes = _extended(self.nodes, 2 * len(self.nodes))
            self.node_slots, state[kernel.NODES_HASHED] = _empty_slots(len(self.nodes)), 0
        if state[kernel.TARGETS] == len(self.targets):
            self.targets = _extended(self.targets, 2 * len(self.targets))
            self.target_slots, state[kernel.TARGETS_HASHED] = _empty_slots(len(self.targets)), 0
        if 2 * state[kernel.ROWS] + ROW_SLOTS > len(self.rows):
            self.rows = _extended(self.rows, 2 * len(self.rows) + ROW_SLOTS)
        if 2 * state[kernel.CHOICES] > len(self.choices):
            self.choices = _extended(self.choices, 2 * len(self.choices))

    def trim(self) -> None:
        """Release unused capacity."""
        state = self.state
        self.rows = self.rows[: state[kernel.ROWS]].copy()
        self.nodes = self.nodes[: self.node_count].copy()
        self.targets = self.targets[: state[kernel.TARGETS]].copy()
        self.choices = self.choices[: state[kernel.CHOICES]].copy()
        self.members = self.members[: self.count].copy()
        self.firsts = self.firsts[: self.count + 1].copy()
        self.node_slots = self.target_slots = self.row_slots = None
        self.index(len(self.is_member))

    def index(self, keys: int) -> None:
        """Record the member index of each key."""
        self.member_of = np.full(keys, -1, np.int64)
        self.member_of[self.members] = np.arange(self.count)


class Blocks:
    """Every position that a match can reach, found by running the rules."""

    def __init__(self, rules: RuleSet, m: Any, told: Callable[[int], None] | None = None) -> None:
        """Prepare an empty state space; `told` receives the number of calls with rows."""
        self.rules, self.m, self.told = rules, m, told
        self.match = compiled.match_array(rules, m)
        self.work = np.zeros(2, rules.position.dtype(compiled.enumerating_fields(rules)))
        self.keys = np.zeros(ROOM, rules.position.dtype())
        self.key_slots = _empty_slots(ROOM)
        self.key_count = 0
        self.kinds: dict[Time, Kind] = {}
        self.enumerate = compiling.ready(kernel.enumerate_block, rules, "solving")
        self.steady_at = compiling.ready(kernel.steady_at, rules)

    def explore(self, g: Any) -> None:
        """Find every position that the game can reach from a position."""
        key, place = g.copy(), [0] * k.PLACE
        k.part(self.rules, self.m, key, place)
        key.to_array(self.keys[0])
        self.key_count = 1
        self._add(tuple(place[k.STEADY : k.LEAD]), np.zeros(1, np.int64))
        while waiting := [kind for kind in self.kinds.values() if kind.is_waiting()]:
            kind = min(waiting, key=self._progress)
            self._close(kind)
            for time in list(kind.times):
                self._follow(kind, time)
        for kind in self.kinds.values():
            kind.make_room(len(self.keys), 0)
            kind.trim()

    def take_up(self, arrays: dict[str, Any]) -> None:
        """Restore an earlier exploration from its arrays, by name and kind number."""
        self.keys, self.key_count = arrays["keys"], len(arrays["keys"])
        for number in range(sum(name.startswith("time/") for name in arrays)):
            kind = Kind(arrays[f"time/{number}"])
            for name in ("members", "firsts", "choices", "targets", "nodes", "rows"):
                setattr(kind, name, arrays[f"{name}/{number}"])
            kind.times = {tuple(time): 0 for time in arrays[f"times/{number}"].tolist()}
            kind.state[kernel.MEMBERS] = len(kind.members)
            kind.state[kernel.NODES] = len(kind.nodes)
            kind.index(self.key_count)
            self.kinds[name_of(tuple(kind.time[k.STEADY : k.LEAD].tolist()))] = kind

    def _progress(self, kind: Kind) -> int:
        """Return how early a kind occurs; in this order most kinds are visited once."""
        g = self.rules.position()
        k.restore(self.rules, g, [int(number) for number in kind.time])
        return int(self.rules.progress(self.m, g))

    def _add(self, time: Time, numbers: Any) -> None:
        """Add keys to the block at a time."""
        name = name_of(time)
        if name not in self.kinds:
            self.kinds[name] = Kind(np.array([0, *time, 0], np.int64))
        kind = self.kinds[name]
        kind.times.setdefault(time, 0)
        kind.make_room(len(self.keys), len(numbers))
        new = np.unique(numbers[~kind.is_member[numbers]])
        kind.members[kind.count : kind.count + len(new)] = new
        kind.is_member[new] = True
        kind.state[kernel.MEMBERS] += len(new)

    def _close(self, kind: Kind) -> None:
        """Enumerate the rows of all members, including those reached within the block."""
        place, state = np.zeros(k.PLACE, np.int64), kind.state
        state[kernel.KEYS_HASHED] = self.key_count if self.key_count > 1 else 0
        while True:
            state[kernel.KEYS] = self.key_count
            kind.make_room(len(self.keys), 1)
            tables = kernel.Tables(
                *(self.keys, self.key_slots, kind.members, kind.is_member),
                *(kind.nodes, kind.node_slots, kind.targets, kind.target_slots),
                *(kind.rows, kind.row_slots, kind.choices, kind.firsts),
                *(state, place),
            )
            status = self.enumerate(
                self.rules, self.match, self.work, kind.time, tables, CALLS_AT_ONCE
            )
            self.key_count = int(state[kernel.KEYS])
            if status == kernel.DONE:
                return
            if status == kernel.FULL:
                kind.widen()
                self._grow_keys(state)
            if self.told is not None:
                self.told(int(state[kernel.CHOICES]))

    def _grow_keys(self, state: Any) -> None:
        if self.key_count == len(self.keys):
            self.keys = _extended(self.keys, 2 * len(self.keys))
            self.key_slots, state[kernel.KEYS_HASHED] = _empty_slots(len(self.keys)), 0

    def _follow(self, kind: Kind, time: Time) -> None:
        """Put the keys that the nodes of a kind lead to into their blocks."""
        known, kind.times[time] = kind.times[time], kind.node_count
        for next_time, nodes in self.leads(kind, time, known):
            self._add(next_time, kind.nodes[nodes, 0])

    def leads(self, kind: Kind, time: Time, known: int = 0) -> Iterator[tuple[Time, Any]]:
        """Yield the times of the blocks that a block leads to, with their nodes from `known` on.

        Nodes of steady blocks store elapsed time; nodes of other blocks store absolute time.
        """
        for nodes in kind.grouped(known):
            place = kind.nodes[nodes[0], 1:].copy()
            if not kind.is_steady:
                yield tuple(place[k.STEADY : k.LEAD].tolist()), nodes
                continue
            carried = [1 - c if place[k.FLIPPED] and c >= 0 else c for c in time[3:]]
            period, clock = time[1] + place[k.PERIOD], time[2] + place[k.CLOCK]
            place[k.PERIOD :] = [period, clock, *carried]
            steady = np.zeros(len(nodes), np.int64)
            keys = kind.nodes[nodes, 0]
            self.steady_at(self.rules, self.match, self.work, self.keys, keys, place, steady)
            for number in np.unique(steady).tolist():
                next_time = (number, *place[k.PERIOD :].tolist())
                yield next_time, nodes[steady == number]


def name_of(time: Time) -> Time:
    """Return the key of a block's kind: steady blocks with one number share a kind."""
    return time[:1] if time[0] else time


def _groups(table: Any) -> list[Any]:
    """Return the indices of equal rows of a table of small integers, group by group."""
    codes = np.zeros(len(table), np.int64)
    for column in table.T:
        low = int(column.min(initial=0))
        codes = codes * (int(column.max(initial=0)) - low + 1) + column - low
    order = np.argsort(codes, kind="stable")
    edges = np.flatnonzero(np.diff(codes[order])) + 1
    return [group for group in np.split(order, edges) if len(group)]


def _empty_slots(capacity: int) -> Any:
    """Return an empty hash table for this many entries."""
    return np.full(4 * capacity, -1, np.int64)


def _extended(array: Any, length: int) -> Any:
    """Return the array extended to this length, or unchanged if it is long enough."""
    if len(array) >= length:
        return array
    larger = np.zeros((length, *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
