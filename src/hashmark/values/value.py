"""Values of positions: the interface between value sources and their users.

A `ValueSource` knows the values of one match: a solved game, an enumerated endgame, rollouts. The
odds panel, best calls, coaches, reviews and reports depend on this interface only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol, runtime_checkable

from hashmark.engine.record import AWAY, HOME, MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import HashmarkError

DEFAULT_TIE_VALUE = 0.5  # default value of a tie
NEGLIGIBLE_LOSS = 0.005  # smaller differences in win probability are negligible
DEFAULT_GAMES = 1000  # default rollouts per call where values are estimated
REVIEW_GAMES = 500  # rollouts per call when a whole game is reviewed

RolloutProgress = Callable[[int, int], None]
"""Callback with the number of games played out, and the total."""


class Method(StrEnum):
    """How a value was computed."""

    EXACT = "exact"  # from the solved game, or the game is over
    TABLE = "table"  # from the solution of a simpler game
    FITTED = "value function"  # from the value function that the game ships
    HEURISTIC = "heuristic"  # from the game's heuristic table, with lookahead
    ROLLOUTS = "rollouts"  # games played out by coaches


@dataclass(frozen=True)
class Value:
    """Win probability of home, tie probability and win probability of away.

    `error` is the standard error of the worth, measured or estimated; 0 for an exact value.
    """

    home: float
    tie: float
    away: float
    error: float = 0.0
    method: Method = field(default=Method.EXACT, compare=False)

    @property
    def is_exact(self) -> bool:
        return self.error == 0.0

    def worth(self, team: int, tie: float = DEFAULT_TIE_VALUE) -> float:
        """Return a team's objective: its win probability plus a share of the tie probability."""
        return (self.home if team == HOME else self.away) + tie * self.tie

    @classmethod
    def of_winner(cls, winner: int) -> Value:
        """Return the value of a finished game."""
        return cls(float(winner == HOME), float(winner not in (HOME, AWAY)), float(winner == AWAY))


@dataclass(frozen=True)
class CallValues:
    """Value of every legal call of the team to act, with the same play afterwards.

    `errors` holds the standard error of each call's difference to the best one. `losses` holds
    that difference where it is not the difference of the values: the best of several estimates is
    too high, so rollouts estimate it without that bias.
    """

    team: int
    calls: Mapping[int, Value]
    errors: Mapping[int, float]
    tie: float = DEFAULT_TIE_VALUE
    losses: Mapping[int, float] | None = None

    @property
    def best(self) -> int:
        """The call with the highest worth, the first of equals."""
        return max(self.calls, key=lambda call: self.calls[call].worth(self.team, self.tie))

    @property
    def value(self) -> Value:
        """Value of the position: that of the best call."""
        return self.calls[self.best]

    def loss(self, call: int) -> float:
        """Return how much worth a call gives away against the best one."""
        if self.losses is not None:
            return max(self.losses[call], 0.0)
        best = self.value.worth(self.team, self.tie)
        return best - self.calls[call].worth(self.team, self.tie)

    @property
    def has_meaningful_choice(self) -> bool:
        """Whether any call gives away a meaningful amount."""
        return any(self.loss(call) >= NEGLIGIBLE_LOSS for call in self.calls)


@dataclass(frozen=True)
class MixedStrategy:
    """A team's equilibrium mix of its secret calls, and the worth of the equilibrium to it.

    `calls` holds the share and the worth of each call against the other team's mix, and the
    standard error of its difference to `worth`. `error` is the standard error of `worth`.
    """

    team: int
    calls: Mapping[int, tuple[float, float, float]]
    worth: float
    error: float
    method: str = "exact plays, then rollouts"


class NoValue(HashmarkError):
    """A position that a source does not cover; the next source is asked."""


class ValueSource(Protocol):
    """Source of values for the positions of one match."""

    rules: RuleSet
    m: MatchRecord
    tie: float

    @property
    def description(self) -> str:
        """Method of the values returned so far, in a few words for headlines and footers."""

    def value(self, g: PositionRecord) -> Value:
        """Return the value of a position, finished or not, with a call or dice pending."""

    def judge(self, g: PositionRecord, before: PositionRecord | None = None) -> CallValues:
        """Return the value of every legal call of the team to act.

        Where the other team has already called in secret, `before` is the position before that
        call: the team to act does not know the call and is not judged by it.
        """


@runtime_checkable
class MixingSource(ValueSource, Protocol):
    """Source that knows the equilibrium mixes of secret calls."""

    def mixes(self, g: PositionRecord) -> tuple[MixedStrategy, ...]:
        """Return the mix of both teams where calls are secret and none is made yet, or ()."""
