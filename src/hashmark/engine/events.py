"""Events: what a person would write on the score sheet, and what they add to the statistics.

A game declares its statistics once, and its event kinds with what each adds to them:

    STATISTICS = Statistics("points", "touchdowns", "yards")
    TOUCHDOWN = STATISTICS.declare("touchdown", adds={"points": 6, "touchdowns": 1})
    DRIVE = STATISTICS.declare("drive", "gain", "spot", adds={"yards": "gain"})

A rule emits the fields in this order, `emit(g, DRIVE, team, 12, 45)`; a reader of the event uses
their names, `event.gain`.

In a played game an event becomes a line of the play-by-play; compiled code only adds it up. Every
point on the scoreboard must come from an event that counts `points`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from hashmark.engine.record import TEAMS

Values = tuple[int, int, int]  # the numbers of an event, 0 where it has fewer


@dataclass(frozen=True, eq=False)
class EventKind:
    """A kind of event: its name, the names of its numbers, and what it adds to the statistics."""

    name: str
    fields: tuple[str, ...]
    increments: Mapping[int, int | str]  # index of the statistic -> amount, or a field

    @cached_property
    def stat_sources(self) -> list[tuple[int, int, int]]:
        """For each statistic that it adds to: its index, a field's index or -1, the amount."""
        return [
            (index, self.fields.index(amount), 0)
            if isinstance(amount, str)
            else (index, -1, amount)
            for index, amount in self.increments.items()
        ]

    def __repr__(self) -> str:
        return f"<{self.name}>"


class GameEvent(NamedTuple):
    """An event that a rule emitted; the fields of its kind are attributes."""

    kind: EventKind
    team: int
    values: Values = (0, 0, 0)

    def __getattr__(self, name: str) -> int:
        """Return a field of the kind."""
        try:
            return self.values[self.kind.fields.index(name)]
        except ValueError:
            raise AttributeError(f"the event {self.kind.name!r} has no field {name!r}") from None

    @property
    def name(self) -> str:
        return self.kind.name

    def amounts(self) -> list[tuple[int, int]]:
        """Return the indices of the statistics it adds to, each with its amount."""
        return [
            (index, amount if which < 0 else self.values[which])
            for index, which, amount in self.kind.stat_sources
        ]

    def to_line(self) -> str:
        """Return the event as text with its team and numbers, without trailing zeros."""
        numbers = list(self.values)
        while numbers and not numbers[-1]:
            numbers.pop()
        return " ".join([self.name, TEAMS[self.team], *map(str, numbers)])


@dataclass(frozen=True, eq=False)
class Statistics:
    """What a game counts for each team, in the order of its box score."""

    names: tuple[str, ...]
    kinds: list[EventKind] = field(default_factory=list)

    def __init__(self, *names: str) -> None:
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "kinds", [])

    def declare(
        self, name: str, *fields: str, adds: Mapping[str, int | str] = MappingProxyType({})
    ) -> EventKind:
        """Declare an event kind: its fields, and the amount or field it adds to statistics."""
        increments = {self.names.index(statistic): amount for statistic, amount in adds.items()}
        kind = EventKind(name, fields, increments)
        self.kinds.append(kind)
        return kind

    def empty_counts(self) -> list[list[int]]:
        """Return an empty box score: one row of counts for each team."""
        return [[0] * len(self.names) for _ in range(2)]

    def add(self, counts: list[list[int]], kind: EventKind, team: int, values: Values) -> None:
        """Add one event to the counts."""
        if not 0 <= team < len(counts):
            raise IndexError(f"{kind} is emitted for team {team}, which does not exist")
        row = counts[team]
        for index, which, amount in kind.stat_sources:
            row[index] += amount if which < 0 else values[which]
