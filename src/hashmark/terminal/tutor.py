"""A tutor at the prompt: asks "sure?" before a call that gives much away, and knows better."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from hashmark.table.errors import HashmarkError
from hashmark.table.game import Game
from hashmark.table.readable import PLUS_MINUS, plain
from hashmark.table.secrets import Secrets

if TYPE_CHECKING:
    from hashmark.values.value import Judgement, Source

USUAL_POINTS = 5.0
CANNOT_TELL = 2.0  # standard errors of an estimate: what is less may be nothing


def read_points(text: str) -> float:
    """How many points of a hundred a call may give away."""
    try:
        points = float(text)
    except ValueError:
        points = -1.0
    if not 0 < points <= 100:
        raise HashmarkError(f"--tutor {plain(text)}: expected points of a hundred, such as 5")
    return points


@dataclass(frozen=True)
class Doubt:
    """Why a call should be thought over."""

    judgement: Judgement
    call: int
    names: tuple[str, ...]

    @property
    def said(self) -> str:
        error = self.judgement.errors[self.call]
        rough = f" ({PLUS_MINUS} {100 * error:.1f})" if error else ""
        lost = 100 * self.judgement.loss(self.call)
        return f"{self.names[self.call]} gives away {lost:.1f} points of a hundred{rough}."

    @property
    def better(self) -> str:
        """The best call, and what both are worth."""
        judged = self.judgement
        best, here = (
            judged.calls[call].worth(judged.team, judged.tie) for call in (judged.best, self.call)
        )
        names = self.names
        return f"{names[judged.best]} wins {best:.1%}, {names[self.call]} {here:.1%}."


class Tutor:
    """Looks over a player's shoulder; asks the source of the match, whatever that is."""

    def __init__(self, points: float = USUAL_POINTS) -> None:
        self.points = points
        self._game: Game | None = None

    def sits_down(self, game: Game) -> None:
        """At this table; the source is opened before the first call, not in the middle of one."""
        self._game = game
        self.source  # noqa: B018

    @cached_property
    def source(self) -> Source:
        from hashmark.table import extras
        from hashmark.values.sources import source_of

        extras.need("the tutor", "numpy")
        assert self._game is not None
        return source_of(self._game.rules, self._game.options, m=self._game.match)

    def doubt(self, game: Game, name: str) -> Doubt | None:
        """What is to be said against a call, if it gives away more than is let pass.

        A call that the rules do not allow is theirs to refuse, and one that is on no list is a
        matter of taste.
        """
        rules = game.rules
        call = rules.call_codes.get(rules.spell(name))
        legal = rules.legal_calls(game.match, game.position)
        if call not in legal or len(legal) < 2:
            return None
        before = Secrets.of(game).before_other(game.turns, game.asked)
        judged = self.source.judge(game.position, before)
        loss = judged.loss(call)
        if 100 * loss <= self.points or loss < CANNOT_TELL * judged.errors[call]:
            return None
        return Doubt(judged, call, rules.calls)
