"""What a seat sees, as a row of numbers with names and bounds, from what the records declare.

The numbers are those of the position behind the rule set's `veil`, in order of their declaration,
with who looks, what is asked and of whom before them. Teams are told as the seat sees them: what
belongs to each team comes own first, and a team is 0 for the own one and 1 for the other, so that
one policy can play both sides. `kernel` writes the same row in compiled code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import numpy as np

from hashmark.table.record import AWAY, NOBODY, TEAMS, Each, Flag, Kind, Many, Named, Row, Whole
from hashmark.table.rules import RuleSet

SIDES = ("own", "other")
SEAT, QUESTION, ASKED, FIRST = range(4)  # the columns before those of the position
EXACT = 1 << 24  # whole numbers up to this are exact in 32 bits


@dataclass(frozen=True)
class Column:
    """One number of an observation: where it comes from, and what it can be.

    `at` are its places within the field, the first a team where it is `of_team`. `turned` says what
    a value is for the team that is away, the last one for null, if it is not the same as for home.
    """

    name: str
    field: str
    at: tuple[int, ...]
    low: int
    high: int
    turned: tuple[int, ...] = ()
    of_team: bool = False


def turned(names: Sequence[str]) -> tuple[int, ...]:
    """Of each name the number of the one that means the same of the other team; then null."""
    home, away = TEAMS

    def other(name: str) -> str:
        for one, two in ((home, away), (away, home)):
            if name.startswith(one):
                return two + name.removeprefix(one)
        return name

    found = [names.index(other(name)) if other(name) in names else at
             for at, name in enumerate(names)]  # fmt: skip
    return () if found == list(range(len(names))) else (*found, NOBODY)


def bounds(kind: Kind) -> tuple[int, int]:
    """The least and the largest number that stands for a value."""
    if isinstance(kind, Whole):
        null = () if kind.null is None else (kind.null,)
        return min(kind.low, kind.default, *null), max(kind.high, kind.default, *null)
    if isinstance(kind, Named):
        return -int(kind.nullable), len(kind.names) - 1
    if isinstance(kind, Flag):
        return 0, 1
    limits = np.iinfo(np.dtype(kind.dtype))
    return int(limits.min), int(limits.max)


def is_of_teams(kind: Kind | None) -> bool:
    """Whether a field has a part for each team."""
    return isinstance(kind, Each) and kind.keys == TEAMS


def _columns(field: str, kind: Kind, name: str, at: tuple[int, ...] = ()) -> Iterator[Column]:
    """The columns of a field, lists laid out one after the other."""
    if isinstance(kind, Each):
        for place, key in enumerate(SIDES if not at and is_of_teams(kind) else kind.keys):
            yield from _columns(field, kind.kind, f"{name}.{key}", (*at, place))
    elif isinstance(kind, Row):
        for place in range(kind.length):
            yield from _columns(field, kind.kind, f"{name}.{place}", (*at, place))
    elif isinstance(kind, Many):
        low, high = bounds(kind.kind)
        yield Column(f"{name}.length", field, (*at, 0), 0, kind.most)
        for place in range(1, kind.most + 1):
            yield Column(f"{name}.{place - 1}", field, (*at, place), min(low, 0), max(high, 0))
    elif kind.shape:
        for place in range(int(np.prod(kind.shape))):
            yield Column(f"{name}.{place}", field, (*at, place), *bounds(kind))
    else:
        names = kind.names if isinstance(kind, Named) else ()
        yield Column(name, field, at, *bounds(kind), turned(names))


class Observation:
    """The row of numbers that a seat of a game sees, and the mask of the calls it may make."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        asked = [question.name for question in rules.questions]
        self.columns = (
            Column("seat", "", (), 0, len(TEAMS) - 1),
            Column("question", "", (), 0, len(asked) - 1, turned(asked)),
            Column("asked", "", (), NOBODY, len(TEAMS) - 1, turned(TEAMS)),
            *(
                replace(column, of_team=is_of_teams(kind))
                for field, kind in rules.position.fields.items()
                for column in _columns(field, kind, field)
            ),
        )
        self.names = tuple(column.name for column in self.columns)
        largest = max(max(-column.low, column.high) for column in self.columns)
        self.dtype = np.dtype(np.float32 if largest <= EXACT else np.float64)
        self.low = np.array([column.low for column in self.columns], self.dtype)
        self.high = np.array([column.high for column in self.columns], self.dtype)
        self._away = self._from_other_side()
        self._turned = [(at, one.turned) for at, one in enumerate(self.columns) if one.turned]

    @property
    def size(self) -> int:
        return len(self.columns)

    @cached_property
    def groups(self) -> dict[str, slice]:
        """The columns of each field, by its name."""
        found: dict[str, slice] = {}
        for at, column in enumerate(self.columns):
            first = found.get(column.field or column.name, slice(at, at)).start
            found[column.field or column.name] = slice(first, at + 1)
        return found

    def _from_other_side(self) -> Any:
        """For each column the one in which home sees what away sees here."""
        order = np.arange(self.size)
        places = {(one.field, one.at): at for at, one in enumerate(self.columns)}
        for at, one in enumerate(self.columns):
            if one.of_team:
                order[at] = places[one.field, (1 - one.at[0], *one.at[1:])]
        return order

    def write(self, m: Any, g: Any, seat: int, row: Any, mask: Any) -> None:
        """Write what the seat sees of a position, and which calls it may make now."""
        seen = self.rules.view(m, g, seat)
        number = self.rules.question(m, seen)
        question = self.rules.questions[number]
        asked = self.rules.asked(m, seen) if question.calls else NOBODY
        row[SEAT], row[QUESTION], row[ASKED] = seat, number, asked
        row[FIRST:] = seen.flat()
        if seat == AWAY:
            row[:] = row[self._away]
            for at, turn in self._turned:
                row[at] = turn[int(row[at])]
        mask[:] = 0
        if asked == seat:
            for call in self.rules.legal_calls(m, seen):
                mask[call] = 1

    def read(self, m: Any, g: Any, seat: int) -> tuple[Any, Any]:
        """The same in new arrays."""
        row, mask = self.blank()
        self.write(m, g, seat, row, mask)
        return row, mask

    def blank(self) -> tuple[Any, Any]:
        """Room for one observation and its mask."""
        return np.zeros(self.size, self.dtype), np.zeros(len(self.rules.calls), np.int8)


@cache
def of(rules: RuleSet) -> Observation:
    """The observation of a rule set."""
    return Observation(rules)
