"""Reviews: what every decision cost, and how much every roll moved the win probability."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hashmark import extras
from hashmark.api.tables import TableView, percent
from hashmark.engine.game import Game as EngineGame
from hashmark.engine.record import TEAMS
from hashmark.errors import HashmarkError
from hashmark.values.value import REVIEW_GAMES

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

    from hashmark.api.game import Game
    from hashmark.values.review import Review as ValuesReview

TURN_COLUMNS = {
    "turn": "number of the turn, from 1",
    "team": "team that called: home or away; null where only dice were rolled",
    "call": "its call",
    "wp_before": "home's win probability before the turn; a tie counts half",
    "wp_after": "home's win probability after the turn",
    "wpa": "the change",
    "luck": "the part of the change that the dice made",
    "loss": "win probability that the call cost its team; null without a choice",
    "better_call": "a better call, if there was one",
    "position_id": "position before the turn, for `Position` and `odds`",
}


class Review(TableView):
    """A reviewed game. `frame()` has every turn, `plot()` draws the win probability."""

    def __init__(self, review: ValuesReview) -> None:
        self._review = review

    @property
    def method(self) -> str:
        """How the values were computed."""
        return self._review.source.description

    @property
    def errors(self) -> tuple[float, float]:
        """Win probability that home and away lost by their calls, as fractions."""
        return self._review.errors

    @property
    def luck(self) -> float:
        """Win probability that the dice gave home, as a fraction."""
        return self._review.luck

    def frame(self) -> pl.DataFrame:
        """Return a row for each turn: home's WP before and after, the call, its loss, the luck."""
        extras.require("frame()", "polars")
        import polars as pl

        return pl.DataFrame(self._rows(), infer_schema_length=None)

    def _rows(self) -> list[dict[str, Any]]:
        calls = self._review.game.rules.calls
        rows = []
        for step in self._review.steps:
            decision = step.decision
            better = decision.better_call if decision is not None else None
            rows.append(
                {
                    "turn": step.number,
                    "team": TEAMS[step.turn.team] if step.turn.team >= 0 else None,
                    "call": calls[step.turn.call] if step.turn.call >= 0 else None,
                    "wp_before": step.before,
                    "wp_after": step.after,
                    "wpa": step.after - step.before,
                    "luck": step.luck,
                    "loss": decision.loss if decision is not None else None,
                    "better_call": calls[better] if better is not None else None,
                    "position_id": step.position_id,
                }
            )
        return rows

    def to_html(self) -> str:
        """Return the whole review as one HTML page."""
        from hashmark.values.review_report import render_review

        return render_review(self._review, "html")

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw home's win probability through the game."""
        from hashmark.api.plots import win_probability

        home = self._review.game.names[0]
        values = [self._review.start, *(step.after for step in self._review.steps)]
        return win_probability(values, home, ax)

    def _repr_svg_(self) -> str:
        from hashmark.api.pictures import report_svg
        from hashmark.values.review_report import build_report

        return report_svg(build_report(self._review))

    def __repr__(self) -> str:
        home, away = self.errors
        return (
            f"<Review {self._review.game.rules.name}: calls cost home {percent(home)} and away "
            f"{percent(away)} of win probability>"
        )

    def _caption(self) -> str:
        return f"{super()._caption()}. Method: {self.method}."

    def _table(self) -> tuple[Sequence[str], list[Sequence[str]]]:
        worst = sorted(
            (row for row in self._rows() if row["loss"]), key=lambda row: -float(row["loss"])
        )
        rows = [
            (
                str(row["turn"]),
                str(row["team"]),
                str(row["call"]),
                str(row["better_call"] or "–"),
                percent(row["loss"]),
            )
            for row in worst[:10]
        ]
        return ("turn", "team", "call", "better", "WP lost"), [*rows]


def review(
    game: str | os.PathLike[str] | Game,
    *,
    tie: float = 0.5,
    games: int = REVIEW_GAMES,
    seed: int = 0,
) -> Review:
    """Review a game, finished or not: the path of a log, or a `Game`.

    `games` rollouts for each call, with this `seed`, estimate values that no table has. `tie` is
    what a tie is worth, from 0 to 1.
    """
    from hashmark.api.game import Game
    from hashmark.session.log import replay

    if isinstance(game, Game):
        return review_of(game._game, tie, games, seed)
    if not isinstance(game, str | os.PathLike):
        raise HashmarkError(f"expected the path of a log or a Game, not {type(game).__name__}")
    return review_of(replay(os.fspath(game)).game, tie, games, seed)


def review_of(game: EngineGame, tie: float, games: int = REVIEW_GAMES, seed: int = 0) -> Review:
    """Review a game in memory."""
    extras.require("review", "numpy")
    from hashmark.values.review import review_game

    if not game.turns:
        raise HashmarkError("no play has been made yet, so there is nothing to review")
    return Review(review_game(game, tie=tie, games=games, seed=seed))
