"""Events: what a person would write on the score sheet, and what is counted from it.

A game declares its statistics once and its events with what each adds to them:

    STATISTICS = Statistics("points", "touchdowns", "yards")
    TOUCHDOWN = STATISTICS.event("touchdown", points=6, touchdowns=1)
    DRIVE = STATISTICS.event("drive", yards="a")        # the first number told

At the table an event becomes a line of the play-by-play, compiled it is only added up.
Every point on the scoreboard must be told by an event that counts `points`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from hashmark.table.record import TEAMS


@dataclass(frozen=True, eq=False)
class Event:
    """One kind of thing that happens, and what it adds to its team's statistics."""

    name: str
    adds: Mapping[int, int | str]  # index of the statistic -> amount, or which number told

    @cached_property
    def places(self) -> list[tuple[int, int, int]]:
        """Each statistic with the place of a number told, or -1, and the amount it then has."""
        return [
            (at, "abc".index(n), 0) if isinstance(n, str) else (at, -1, n)
            for at, n in self.adds.items()
        ]

    def amounts(self, a: int, b: int, c: int) -> list[tuple[int, int]]:
        """The statistics and amounts for the numbers told."""
        told = (a, b, c)
        return [(at, n if place < 0 else told[place]) for at, place, n in self.places]

    def __repr__(self) -> str:
        return f"<{self.name}>"


class Told(NamedTuple):
    """An event as it happened: to whom, with which numbers."""

    event: Event
    team: int
    a: int
    b: int
    c: int

    @property
    def name(self) -> str:
        return self.event.name

    def line(self) -> str:
        """The event with its team and its numbers; noughts at the end are left out."""
        numbers = [self.a, self.b, self.c]
        while numbers and not numbers[-1]:
            numbers.pop()
        return " ".join([self.name, TEAMS[self.team], *map(str, numbers)])


@dataclass(frozen=True, eq=False)
class Statistics:
    """What a game counts for each team, in the order of its box score."""

    names: tuple[str, ...]
    events: list[Event] = field(default_factory=list)

    def __init__(self, *names: str) -> None:
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "events", [])

    def event(self, name: str, **adds: int | str) -> Event:
        """Declare an event and what it adds."""
        made = Event(name, {self.names.index(key): amount for key, amount in adds.items()})
        self.events.append(made)
        return made

    def zero(self) -> list[list[int]]:
        """An empty box score: one row of counts for each team."""
        return [[0] * len(self.names) for _ in range(2)]

    def add(self, counts: list[list[int]], event: Event, team: int, a: int, b: int, c: int) -> None:
        """Count one event."""
        if not 0 <= team < len(counts):
            raise IndexError(f"{event} is told of team {team}, which is none")
        row, told = counts[team], (a, b, c)
        for at, place, amount in event.places:
            row[at] += amount if place < 0 else told[place]
