"""Exact odds: every call with the distribution of its outcomes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hashmark import extras
from hashmark.api.positions import Situation, describe, parse_situation
from hashmark.api.tables import TableView
from hashmark.errors import HashmarkError, UnknownName
from hashmark.odds.odds_tables import call_outlooks, compare_calls
from hashmark.odds.outlook import Outlook, outlooks

if TYPE_CHECKING:
    import polars as pl

    from hashmark.api.game import Game

CALL_COLUMNS = {
    "call": "name of the call",
    "points_chance": "probability that the team scores in this step",
    "points_against_chance": "probability that the other team scores",
    "turnover_chance": "probability of a turnover",
    "ball_lost_chance": "probability that the other team has the ball afterwards",
    "mean_points": "mean points of the team minus those of the other team",
    "expected_yards": "mean yards",
}
OUTCOME_COLUMNS = {
    "call": "name of the call",
    "chance": "probability of this outcome",
    "home_score": "home's score afterwards",
    "away_score": "away's score afterwards",
}


class Odds(TableView, Mapping[str, Outlook]):
    """Odds of every legal call of a position, by name: a mapping from call to `Outlook`.

    A value is an `Outlook`: `outcomes` lists every next position with its chance, `summary()` the
    chances of a score and of a turnover and the mean points and yards of the play.
    """

    def __init__(self, situation: Situation, steps: Sequence[Outlook]) -> None:
        self._situation = situation
        self._calls = {str(step.name): step for step in steps}

    def __getitem__(self, call: str) -> Outlook:
        if call not in self._calls:
            raise UnknownName("call", call, self._calls)
        return self._calls[call]

    def __iter__(self) -> Iterator[str]:
        return iter(self._calls)

    def __len__(self) -> int:
        return len(self._calls)

    def frame(self) -> pl.DataFrame:
        """Return a row for each call with its chances and means."""
        extras.require("frame()", "polars")
        import polars as pl

        return pl.DataFrame(call_rows(list(self.values())))

    def outcomes(self) -> pl.DataFrame:
        """Return a row for each outcome of each call: its chance and the next position."""
        extras.require("outcomes()", "polars")
        import polars as pl

        return pl.DataFrame(outcome_rows(list(self.values())), infer_schema_length=None)

    def __repr__(self) -> str:
        return f"<Odds {self._situation.rules.name}, {describe(self._situation)}: {self._names()}>"

    def _names(self) -> str:
        names = list(self._calls)
        return ", ".join(names) if len(names) <= 4 else f"{len(names)} calls"

    def _table(self) -> tuple[Sequence[str], list[Sequence[str]]]:
        s = self._situation
        plays, _ = call_outlooks(
            s.rules, s.match, s.position, [step.call for step in self.values()], "auto"
        )
        headings, rows = compare_calls(plays, {})
        return headings, [*rows]

    def _repr_svg_(self) -> str:
        from hashmark.api.pictures import situation_svg

        return situation_svg(self._situation)


def call_rows(steps: Sequence[Outlook]) -> list[dict[str, Any]]:
    """Return a row for each call with the columns of `Odds.frame`."""
    return [{"call": step.name, **_summary(step)} for step in steps]


def outcome_rows(steps: Sequence[Outlook]) -> list[dict[str, Any]]:
    """Return a row for each outcome of each call with the columns of `Odds.outcomes`."""
    return [
        {"call": step.name, "chance": outcome.chance, **_flat(outcome.position.to_json())}
        for step in steps
        for outcome in step.outcomes
    ]


def _summary(step: Outlook) -> dict[str, float]:
    return {key: value for key, value in step.summary().items() if key != "expected_points"}


def _flat(position: Mapping[str, Any]) -> dict[str, Any]:
    """Return the plain values of a position, with the score by team."""
    score = position.get("score") or {}
    plain = {key: value for key, value in position.items() if isinstance(value, str | int | None)}
    return {**plain, **{f"{team}_score": points for team, points in score.items()}}


def odds(
    rules: str,
    position: Mapping[str, Any] | str | os.PathLike[str] | Game | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    calls: Sequence[str] | None = None,
) -> Odds:
    """Return the exact odds of every legal call of a position, or of the first decision of a game.

    >>> import hashmark as hm
    >>> fourth = hm.odds("fourth-down", {"phase": "fourth-down", "possession": "home",
    ...                                  "spot": 60, "to_go": 3})
    >>> list(fourth)
    ['go-for-it', 'field-goal', 'punt']
    >>> round(fourth["field-goal"].summary()["mean_points"], 3)
    1.2
    """
    situation = parse_situation(rules, position, options)
    game, m, g = situation.rules, situation.match, situation.position
    if game.is_over(g):
        raise HashmarkError("the game is over in this position: there is no call left")
    names = calls if calls is not None else [game.calls[code] for code in game.legal_calls(m, g)]
    codes = [game.parse_call(m, g, name) for name in names]
    if not codes:
        raise HashmarkError("no call is pending in this position: the dice decide")
    steps, omitted = outlooks(game, m, g, codes)
    if not steps:
        raise next(iter(omitted.values()))
    return Odds(situation, steps)
