"""Score adjustment: points a team's rates do not explain, put into its gains.

Charts are independent of the situation: a team that was good on third down or near the goal line
has the same yards there as anywhere, so its simulated points differ from its real ones. Part of
the unexplained points (for and against) is therefore added to the team's gains, as a few percent
more or fewer yards. The value of rates in points a game was measured on simulated seasons 2006 to
2025 (448 teams): from the yield of a team's offense and the play of its other unit.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from hashmark.league.charts.overlay import ResultRates
from hashmark.league.data.arrays import Floats

TRAPPED_YARDS = -1.9  # mean yards of a sack or scramble
# Points a game per unit of: log of yards per call, incompletions, turnovers; and of the other side
# of the ball: log of yards, turnovers.
POINT_WEIGHTS = np.array([32.0, -20.0, -115.0, -3.0, 160.0])
MAX_GAIN_CHANGE = 0.08  # largest relative change of a team's gains


def yards_per_call(rates: ResultRates, yards: Floats) -> Floats:
    """Return yards per call, given the yards of a gain."""
    return np.asarray(rates.gain * yards + TRAPPED_YARDS * rates.qt)


def rate_features(
    rates: ResultRates, yards: Floats, calls: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return by team: log of yards per call, incompletions and turnovers per call."""
    share = calls / calls.sum(1, keepdims=True)
    gained = (share * yards_per_call(rates, yards)).sum(1)
    missed = (share * rates.inc).sum(1)
    lost = (share * (rates.int + 0.5 * rates.f)).sum(1)
    return np.log(np.maximum(gained, 0.1)), missed, lost


def unexplained_points(
    points: Floats, own: tuple[Floats, ...], other: tuple[Floats, ...]
) -> Floats:
    """Return by team the points a game above average that the features do not explain."""
    predictors = np.stack([*own, other[0], other[2]], 1)
    predictors = predictors - predictors.mean(0)
    return np.asarray(points - points.mean() - predictors @ POINT_WEIGHTS)


def gain_factors(
    points: Floats, own: tuple[Floats, ...], other: tuple[Floats, ...], share: float
) -> Floats:
    """Return by team the factor on gains that explains a share of the points."""
    wanted = share * unexplained_points(points, own, other) / POINT_WEIGHTS[0]
    return np.asarray(np.exp(np.clip(wanted, -MAX_GAIN_CHANGE, MAX_GAIN_CHANGE)))


def points_per_game(plays: pl.DataFrame, teams: list[str]) -> tuple[Floats, Floats]:
    """Return points a game for and against, by team."""
    games = plays.group_by("game_id").agg(
        pl.col(name).first() for name in ("home_team", "away_team", "home_score", "away_score")
    )
    both = pl.concat(
        [
            games.select(team="home_team", own="home_score", other="away_score"),
            games.select(team="away_team", own="away_score", other="home_score"),
        ]
    )
    means = {
        team: (own, other)
        for team, own, other in both.group_by("team")
        .agg(pl.col("own").mean(), pl.col("other").mean())
        .iter_rows()
    }
    scored = np.array([float(means[team][0] or 0.0) for team in teams])
    allowed = np.array([float(means[team][1] or 0.0) for team in teams])
    return scored, allowed
