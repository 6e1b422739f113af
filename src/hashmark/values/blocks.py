"""A game as a solver sees it: blocks of positions, and the rows of every call in them.

A block is a set of keys at one time: all steady positions of a layer, or all others. Steady blocks
with the same number share their rows (`Kind`); any other block has rows of its own. All blocks that
a game can come to are found by following the rows from its first position.
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

ROOM = 1 << 12  # of a table at first
ROW_SLOTS = 1 << 14
CALLS_AT_ONCE = 64  # between two looks at whether anybody still waits

Time = tuple[int, ...]
"""Where a block stands: its steady number, period, clock and what is carried."""


@dataclass(eq=False)
class Kind:
    """Keys that share their rows: those of one block, or of all steady blocks of a number."""

    time: Any  # the place at which its rows are made
    state: Any = field(default_factory=lambda: np.zeros(kernel.STATE, np.int64))
    members: Any = field(default_factory=lambda: np.zeros(ROOM, np.int64))
    is_member: Any = field(default_factory=lambda: np.zeros(0, np.bool_))
    nodes: Any = field(default_factory=lambda: np.zeros((ROOM, kernel.NODE), np.int64))
    node_slots: Any = field(default_factory=lambda: _slots(ROOM))
    targets: Any = field(default_factory=lambda: np.zeros((ROOM, kernel.TARGET), np.int64))
    target_slots: Any = field(default_factory=lambda: _slots(ROOM))
    rows: Any = field(default_factory=lambda: np.zeros(ROOM, kernel.ROW))
    choices: Any = field(default_factory=lambda: np.zeros((ROOM, kernel.CHOICE), np.int64))
    row_slots: Any = field(default_factory=lambda: np.full(ROW_SLOTS, -1, np.int64))
    firsts: Any = field(default_factory=lambda: np.zeros(ROOM + 1, np.int64))
    times: dict[Time, int] = field(default_factory=dict)  # its blocks, and nodes followed there
    member_of: Any = None  # the number of each key among the members, or -1
    _groups: dict[tuple[int, int], list[Any]] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """How many members it has."""
        return int(self.state[kernel.MEMBERS])

    @property
    def node_count(self) -> int:
        return int(self.state[kernel.NODES])

    def is_waiting(self) -> bool:
        """Whether there are members without rows, or nodes that were not followed."""
        if self.state[kernel.AT] < self.count:
            return True
        return any(followed < self.node_count for followed in self.times.values())

    @property
    def is_steady(self) -> bool:
        return bool(self.time[k.STEADY] > 0)

    def grouped(self, known: int) -> list[Any]:
        """The numbers of nodes from `known` on in groups that lead to the same time."""
        if (known, self.node_count) not in self._groups:
            nodes = self.nodes[known : self.node_count]
            numbers = np.flatnonzero(nodes[:, 0] != kernel.OVER)
            places = nodes[numbers, 1:]
            wanted = (k.PERIOD, k.CLOCK, k.FLIPPED) if self.is_steady else range(k.STEADY, k.LEAD)
            groups = _groups(places[:, tuple(wanted)])
            self._groups = {(known, self.node_count): [known + numbers[one] for one in groups]}
        return self._groups[known, self.node_count]

    def make_room(self, keys: int, more: int) -> None:
        """Room for so many more members, of so many keys that there can be."""
        self.is_member = _grown(self.is_member, keys)
        if self.count + more >= len(self.members):
            room = 2 * (self.count + more)
            self.members, self.firsts = _grown(self.members, room), _grown(self.firsts, room + 1)

    def widen(self) -> None:
        """More room for whatever is nearly full."""
        state = self.state
        if state[kernel.NODES] == len(self.nodes):
            self.nodes = _grown(self.nodes, 2 * len(self.nodes))
            self.node_slots, state[kernel.NODES_HASHED] = _slots(len(self.nodes)), 0
        if state[kernel.TARGETS] == len(self.targets):
            self.targets = _grown(self.targets, 2 * len(self.targets))
            self.target_slots, state[kernel.TARGETS_HASHED] = _slots(len(self.targets)), 0
        if 2 * state[kernel.ROWS] + ROW_SLOTS > len(self.rows):
            self.rows = _grown(self.rows, 2 * len(self.rows) + ROW_SLOTS)
        if 2 * state[kernel.CHOICES] > len(self.choices):
            self.choices = _grown(self.choices, 2 * len(self.choices))

    def trim(self) -> None:
        """Give back the room that is not needed."""
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
        """Note which member each key is."""
        self.member_of = np.full(keys, -1, np.int64)
        self.member_of[self.members] = np.arange(self.count)


class Blocks:
    """Everything that a match can come to, found by the rules."""

    def __init__(self, rules: RuleSet, m: Any, told: Callable[[int], None] | None = None) -> None:
        """`told` hears how many calls have their rows."""
        self.rules, self.m, self.told = rules, m, told
        self.match = compiled.match_array(rules, m)
        self.work = np.zeros(2, rules.position.dtype(compiled.enumerating_fields(rules)))
        self.keys = np.zeros(ROOM, rules.position.dtype())
        self.key_slots = _slots(ROOM)
        self.key_count = 0
        self.kinds: dict[Time, Kind] = {}
        self.enumerate = compiling.ready(kernel.enumerate_block, rules, "solving")
        self.steady_at = compiling.ready(kernel.steady_at, rules)

    def explore(self, g: Any) -> None:
        """Find all that the game can come to from a position."""
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
        """What was found before: the arrays of the keys and of each kind, by name and number."""
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
        """How early a kind comes in a game; in this order each is gone through once, as a rule."""
        g = self.rules.position()
        k.restore(self.rules, g, [int(number) for number in kind.time])
        return int(self.rules.progress(self.m, g))

    def _add(self, time: Time, numbers: Any) -> None:
        """These keys belong to the block at this time."""
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
        """The rows of all members, also of those that steps within the block lead to."""
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
            ended = self.enumerate(
                self.rules, self.match, self.work, kind.time, tables, CALLS_AT_ONCE
            )
            self.key_count = int(state[kernel.KEYS])
            if ended == kernel.DONE:
                return
            if ended == kernel.FULL:
                kind.widen()
                self._more_keys(state)
            if self.told is not None:
                self.told(int(state[kernel.CHOICES]))

    def _more_keys(self, state: Any) -> None:
        if self.key_count == len(self.keys):
            self.keys = _grown(self.keys, 2 * len(self.keys))
            self.key_slots, state[kernel.KEYS_HASHED] = _slots(len(self.keys)), 0

    def _follow(self, kind: Kind, time: Time) -> None:
        """Put the keys that the nodes of a kind lead to into their blocks."""
        known, kind.times[time] = kind.times[time], kind.node_count
        for then, nodes in self.leads(kind, time, known):
            self._add(then, kind.nodes[nodes, 0])

    def leads(self, kind: Kind, time: Time, known: int = 0) -> Iterator[tuple[Time, Any]]:
        """The times of the blocks that a block leads to, each with its nodes, from `known` on.

        The nodes of steady blocks say how much time has passed; the others, what time it is.
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
                then = (number, *place[k.PERIOD :].tolist())
                yield then, nodes[steady == number]


def name_of(time: Time) -> Time:
    """What the kind of a block is found by: steady blocks of a number are of one kind."""
    return time[:1] if time[0] else time


def _groups(table: Any) -> list[Any]:
    """The numbers of equal rows of a table of small numbers, group by group."""
    codes = np.zeros(len(table), np.int64)
    for column in table.T:
        low = int(column.min(initial=0))
        codes = codes * (int(column.max(initial=0)) - low + 1) + column - low
    order = np.argsort(codes, kind="stable")
    edges = np.flatnonzero(np.diff(codes[order])) + 1
    return [group for group in np.split(order, edges) if len(group)]


def _slots(room: int) -> Any:
    """An empty hash table for so many entries."""
    return np.full(4 * room, -1, np.int64)


def _grown(small: Any, room: int) -> Any:
    """The same array with more room at its end, if it has less."""
    if len(small) >= room:
        return small
    larger = np.zeros((room, *small.shape[1:]), small.dtype)
    larger[: len(small)] = small
    return larger
