"""The value of a position: the one interface between whoever knows it and whoever asks.

A `Source` knows the values of one match: a solved table, an enumerated ending, games played out.
`?`, best calls, coaches, reviews and pages ask it and never look behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from hashmark.table.record import AWAY, HOME
from hashmark.table.rules import RuleSet

HALF = 0.5  # what a tie is worth if nobody says otherwise
SMALL = 0.005  # calls that differ by less win probability do not matter
GAMES = 1000  # played out for each call where values are estimated, if nobody says otherwise

Progress = Callable[[int, int], None]
"""Hears how many games are played out, and of how many."""


@dataclass(frozen=True)
class Value:
    """The chances of home, of a tie and of away, with best play of both sides.

    `error` is the standard error of the worth; 0 where the value is exact.
    """

    home: float
    tie: float
    away: float
    error: float = 0.0

    @property
    def exact(self) -> bool:
        return self.error == 0.0

    def worth(self, team: int, tie: float = HALF) -> float:
        """What a team plays for: its chance to win, and a part of that of a tie."""
        return (self.home if team == HOME else self.away) + tie * self.tie

    @classmethod
    def of_winner(cls, winner: int) -> Value:
        """The value of a game that is over."""
        return cls(float(winner == HOME), float(winner not in (HOME, AWAY)), float(winner == AWAY))


@dataclass(frozen=True)
class Judgement:
    """Every legal call of the team that is asked, with its value if all play best afterwards.

    `errors` hold the standard error of each call's difference to the best one.
    """

    team: int
    calls: Mapping[int, Value]
    errors: Mapping[int, float]
    tie: float = HALF

    @property
    def best(self) -> int:
        """The call of the highest worth, the first of equals."""
        return max(self.calls, key=lambda call: self.calls[call].worth(self.team, self.tie))

    @property
    def value(self) -> Value:
        """The value of the position: that of the best call."""
        return self.calls[self.best]

    def loss(self, call: int) -> float:
        """How much worth a call gives away against the best one."""
        best = self.value.worth(self.team, self.tie)
        return best - self.calls[call].worth(self.team, self.tie)

    @property
    def matters(self) -> bool:
        """Whether any call gives away more than is worth talking about."""
        return any(self.loss(call) >= SMALL for call in self.calls)


class Source(Protocol):
    """Whoever knows the values of one match's positions."""

    rules: RuleSet
    m: Any
    tie: float
    said: str  # where the figures come from, in a sentence

    def value(self, g: Any) -> Value:
        """The value of a position, over or not, whoever is asked or only dice are wanted."""

    def judge(self, g: Any, before: Any = None) -> Judgement:
        """The legal calls of the team that is asked in a position.

        Where the other team has already called in secret, `before` is the position before that
        call: the team that is asked does not know it, and is not judged by it.
        """
