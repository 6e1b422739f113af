"""Observation of a seat: a row of numbers with names and bounds, derived from the record fields.

The numbers are those of the redacted position, in order of declaration, preceded by the seat, the
question and the team to act. Teams are relative to the seat: per-team fields list the own team
first, and a team is 0 for the own one and 1 for the other, so that one policy can play both sides.
`kernel` writes the same row in compiled code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from hashmark.engine.record import (
    AWAY,
    NOBODY,
    TEAMS,
    ArrayField,
    FieldKind,
    FlagField,
    IntField,
    KeyedField,
    ListField,
    MatchRecord,
    NameField,
    PositionRecord,
)
from hashmark.engine.rule_set import RuleSet

SIDES = ("own", "other")
SEAT, QUESTION, ASKED, FIRST_FIELD = range(4)  # columns before those of the position
MAX_EXACT_FLOAT32 = 1 << 24  # integers up to this are exact in float32

Row: TypeAlias = npt.NDArray[np.float32 | np.float64]  # an observation
Mask: TypeAlias = npt.NDArray[np.int8]  # 1 for each legal call


@dataclass(frozen=True)
class ObservationColumn:
    """One number of an observation: its source and its bounds.

    `at` is its index within the field, starting with a team if it is `of_team`. `swapped` maps
    values to those that the away team sees, null last, if they differ from home's.
    """

    name: str
    field: str
    at: tuple[int, ...]
    low: int
    high: int
    swapped: tuple[int, ...] = ()
    of_team: bool = False


def swapped_names(names: Sequence[str]) -> tuple[int, ...]:
    """Return the index of each name's counterpart for the other team, then null; empty if equal."""
    home, away = TEAMS

    def other(name: str) -> str:
        for team, opponent in ((home, away), (away, home)):
            if name.startswith(team):
                return opponent + name.removeprefix(team)
        return name

    counterparts = [names.index(other(name)) if other(name) in names else index
                    for index, name in enumerate(names)]  # fmt: skip
    return () if counterparts == list(range(len(names))) else (*counterparts, NOBODY)


def bounds(kind: FieldKind) -> tuple[int, int]:
    """Return the smallest and the largest number that encodes a value."""
    if isinstance(kind, IntField):
        null = () if kind.null_value is None else (kind.null_value,)
        return min(kind.low, kind.default, *null), max(kind.high, kind.default, *null)
    if isinstance(kind, NameField):
        return -int(kind.nullable), len(kind.names) - 1
    if isinstance(kind, FlagField):
        return 0, 1
    limits = np.iinfo(np.dtype(kind.dtype))
    return int(limits.min), int(limits.max)


def is_per_team(kind: FieldKind | None) -> bool:
    """Return whether a field has an entry for each team."""
    return isinstance(kind, KeyedField) and kind.keys == TEAMS


def _columns(
    field: str, kind: FieldKind, name: str, at: tuple[int, ...] = ()
) -> Iterator[ObservationColumn]:
    """Yield the columns of a field, lists flattened."""
    if isinstance(kind, KeyedField):
        for place, key in enumerate(SIDES if not at and is_per_team(kind) else kind.keys):
            yield from _columns(field, kind.kind, f"{name}.{key}", (*at, place))
    elif isinstance(kind, ArrayField):
        for place in range(kind.length):
            yield from _columns(field, kind.kind, f"{name}.{place}", (*at, place))
    elif isinstance(kind, ListField):
        low, high = bounds(kind.kind)
        yield ObservationColumn(f"{name}.length", field, (*at, 0), 0, kind.max_length)
        for place in range(1, kind.max_length + 1):
            yield ObservationColumn(
                f"{name}.{place - 1}", field, (*at, place), min(low, 0), max(high, 0)
            )
    elif kind.shape:
        for place in range(int(np.prod(kind.shape))):
            yield ObservationColumn(f"{name}.{place}", field, (*at, place), *bounds(kind))
    else:
        names = kind.names if isinstance(kind, NameField) else ()
        yield ObservationColumn(name, field, at, *bounds(kind), swapped_names(names))


class Observation:
    """Layout of the observation of a seat, and of its action mask."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        question_names = [question.name for question in rules.questions]
        self.columns = (
            ObservationColumn("seat", "", (), 0, len(TEAMS) - 1),
            ObservationColumn(
                "question", "", (), 0, len(question_names) - 1, swapped_names(question_names)
            ),
            ObservationColumn("asked", "", (), NOBODY, len(TEAMS) - 1, swapped_names(TEAMS)),
            *(
                replace(column, of_team=is_per_team(kind))
                for field, kind in rules.position.fields.items()
                for column in _columns(field, kind, field)
            ),
        )
        self.names = tuple(column.name for column in self.columns)
        largest = max(max(-column.low, column.high) for column in self.columns)
        self.dtype = np.dtype(np.float32 if largest <= MAX_EXACT_FLOAT32 else np.float64)
        self.low = np.array([column.low for column in self.columns], self.dtype)
        self.high = np.array([column.high for column in self.columns], self.dtype)
        self._away = self._from_other_side()
        self._turned = [
            (index, column.swapped) for index, column in enumerate(self.columns) if column.swapped
        ]

    @property
    def size(self) -> int:
        return len(self.columns)

    @cached_property
    def groups(self) -> dict[str, slice]:
        """Columns of each field, by name."""
        slices: dict[str, slice] = {}
        for index, column in enumerate(self.columns):
            first = slices.get(column.field or column.name, slice(index, index)).start
            slices[column.field or column.name] = slice(first, index + 1)
        return slices

    def _from_other_side(self) -> npt.NDArray[np.int_]:
        """Return, for each column, the column in which home sees what away sees here."""
        order = np.arange(self.size)
        index_of = {(column.field, column.at): index for index, column in enumerate(self.columns)}
        for index, column in enumerate(self.columns):
            if column.of_team:
                order[index] = index_of[column.field, (1 - column.at[0], *column.at[1:])]
        return order

    def write(self, m: MatchRecord, g: PositionRecord, seat: int, row: Row, mask: Mask) -> None:
        """Write what the seat sees of a position, and its action mask."""
        view = self.rules.view(m, g, seat)
        number = self.rules.question(m, view)
        question = self.rules.questions[number]
        asked = self.rules.team_to_act(m, view) if question.calls else NOBODY
        row[SEAT], row[QUESTION], row[ASKED] = seat, number, asked
        row[FIRST_FIELD:] = view.flat()
        if seat == AWAY:
            row[:] = row[self._away]
            for index, swapped in self._turned:
                row[index] = swapped[int(row[index])]
        mask[:] = 0
        if asked == seat:
            for call in self.rules.legal_calls(m, view):
                mask[call] = 1

    def read(self, m: MatchRecord, g: PositionRecord, seat: int) -> tuple[Row, Mask]:
        """Return the same in new arrays."""
        row, mask = self.blank()
        self.write(m, g, seat, row, mask)
        return row, mask

    def blank(self) -> tuple[Row, Mask]:
        """Return empty arrays for one observation and its mask."""
        return np.zeros(self.size, self.dtype), np.zeros(len(self.rules.calls), np.int8)


@cache
def of(rules: RuleSet) -> Observation:
    """Return the observation layout of a rule set."""
    return Observation(rules)
