"""Tutor at the prompt: asks for confirmation of a costly call and suggests a better one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hashmark.engine.game import Game
from hashmark.engine.rule_set import CallCode
from hashmark.errors import HashmarkError
from hashmark.number_text import percent
from hashmark.sanitize import PLUS_MINUS, shorten
from hashmark.session.redaction import SecretCalls

if TYPE_CHECKING:
    from hashmark.values.value import CallValues, ValueSource

DEFAULT_POINTS = 5.0
MIN_STANDARD_ERRORS = 2.0  # standard errors of an estimate; a smaller loss may be noise


def parse_points(text: str) -> float:
    """Parse the percentage points that a call may give away."""
    try:
        points = float(text)
    except ValueError:
        points = -1.0
    if not 0 < points <= 100:
        raise HashmarkError(f"--tutor {shorten(text)}: expected percentage points, such as 5")
    return points


@dataclass(frozen=True)
class CostlyCall:
    """Reason to reconsider a call."""

    judgement: CallValues
    call: CallCode
    names: tuple[str, ...]

    @property
    def message(self) -> str:
        error = self.judgement.errors[self.call]
        uncertainty = f" ({PLUS_MINUS} {100 * error:.1f})" if error else ""
        loss = 100 * self.judgement.loss(self.call)
        return (
            f"{self.names[self.call]} costs {loss:.1f} percentage points of win probability"
            f"{uncertainty}."
        )

    @property
    def suggestion(self) -> str:
        """The best call, and the win probability of both."""
        judgement = self.judgement
        best, current = (
            judgement.calls[call].worth(judgement.team, judgement.tie)
            for call in (judgement.best, self.call)
        )
        names = self.names
        return (
            f"Win probability: {names[judgement.best]} {percent(best, 1)}, {names[self.call]} "
            f"{percent(current, 1)}."
        )


class Tutor:
    """Adviser of a player; it judges calls with the best source available for the match."""

    def __init__(self, points: float = DEFAULT_POINTS) -> None:
        self.points = points
        self._game: Game | None = None

    def attach(self, game: Game) -> None:
        """Attach to a game and open the source now, so that no call has to wait for it."""
        self._game = game
        self.source  # noqa: B018

    @cached_property
    def source(self) -> ValueSource:
        from hashmark import extras
        from hashmark.values.sources import source_of

        extras.require("the tutor", "numpy")
        assert self._game is not None
        return source_of(self._game.rules, self._game.options, m=self._game.match)

    def review_call(self, game: Game, call: CallCode) -> CostlyCall | None:
        """Return the reason to reconsider a call, if it gives away more than the threshold.

        Calls that are on no list are not judged.
        """
        legal = game.legal_calls()
        if call not in legal or len(legal) < 2:
            return None
        before = SecretCalls.from_game(game).position_before_opponent(game.turns, game.team_to_act)
        judgement = self.source.judge(game.position, before)
        loss = judgement.loss(call)
        if 100 * loss <= self.points or loss < MIN_STANDARD_ERRORS * judgement.errors[call]:
            return None
        return CostlyCall(judgement, call, game.rules.calls)
