"""Events: what a person would write on the score sheet, and what they add to the statistics.

A game declares its statistics once, and its event kinds with what each adds to them:

    STATISTICS = Statistics("points", "touchdowns", "yards")
    TOUCHDOWN = STATISTICS.event("touchdown", points=6, touchdowns=1)
    DRIVE = STATISTICS.event("drive", yards="a")        # the first number of the event

In a played game an event becomes a line of the play-by-play; compiled code only adds it up. Every
point on the scoreboard must come from an event that counts `points`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from hashmark.engine.record import TEAMS


@dataclass(frozen=True, eq=False)
class EventKind:
    """A kind of event, and what it adds to the statistics of its team."""

    name: str
    increments: Mapping[
        int, int | str
    ]  # index of the statistic -> amount, or "a", "b", "c": a number of the event

    @cached_property
    def stat_sources(self) -> list[tuple[int, int, int]]:
        """Return for each statistic: its index, which event number it adds or -1, and the fixed
        amount.
        """
        return [
            (index, "abc".index(amount), 0) if isinstance(amount, str) else (index, -1, amount)
            for index, amount in self.increments.items()
        ]

    def amounts(self, a: int, b: int, c: int) -> list[tuple[int, int]]:
        """Return the statistics and amounts for the numbers of an event."""
        numbers = (a, b, c)
        return [
            (index, amount if which < 0 else numbers[which])
            for index, which, amount in self.stat_sources
        ]

    def __repr__(self) -> str:
        return f"<{self.name}>"


class GameEvent(NamedTuple):
    """An event that a rule emitted: its kind, its team, and up to three numbers."""

    kind: EventKind
    team: int
    a: int
    b: int
    c: int

    @property
    def name(self) -> str:
        return self.kind.name

    def to_line(self) -> str:
        """Return the event as text with its team and numbers, without trailing zeros."""
        numbers = [self.a, self.b, self.c]
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

    def declare(self, name: str, **adds: int | str) -> EventKind:
        """Declare an event kind and what it adds."""
        kind = EventKind(name, {self.names.index(key): amount for key, amount in adds.items()})
        self.kinds.append(kind)
        return kind

    def empty_counts(self) -> list[list[int]]:
        """Return an empty box score: one row of counts for each team."""
        return [[0] * len(self.names) for _ in range(2)]

    def add(
        self, counts: list[list[int]], event: EventKind, team: int, a: int, b: int, c: int
    ) -> None:
        """Add one event to the counts."""
        if not 0 <= team < len(counts):
            raise IndexError(f"{event} is told of team {team}, which is none")
        row, numbers = counts[team], (a, b, c)
        for index, which, amount in event.stat_sources:
            row[index] += amount if which < 0 else numbers[which]
