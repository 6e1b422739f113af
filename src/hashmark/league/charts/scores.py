"""What a team scored beyond what its plays were worth, given back to its gains.

Charts know no situation: a team that was good on third down or near the goal line has the
same yards there as everywhere, and its simulated points lie off its real ones. So the part
of a team's points (for, and against) that its rates do not explain is laid, in part, on its
gains: a few percent more or less yards. What rates are worth was measured on simulated
seasons of 2006 to 2025 (448 teams): points a game, by what an offence's plays come to and
what the other half of the team does.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from hashmark.league.charts.overlay import Rates
from hashmark.league.charts.tallies import Array

TRAPPED_YARDS = -1.9  # of a sack or scramble, on average
# Points a game for: logarithm of yards a call, incompletions, turnovers; the same of the other
# side of the ball: logarithm of yards, turnovers.
WORTH = np.array([32.0, -20.0, -115.0, -3.0, 160.0])
MOST = 0.08  # of its yards that a team's gains may change


def yards_of_calls(rates: Rates, yards: Array) -> Array:
    """What a call comes to in yards, its gain being so many."""
    return np.asarray(rates.gain * yards + TRAPPED_YARDS * rates.qt)


def features(rates: Rates, yards: Array, calls: Array) -> tuple[Array, Array, Array]:
    """By team: logarithm of yards a call, incompletions a call, turnovers a call."""
    share = calls / calls.sum(1, keepdims=True)
    gained = (share * yards_of_calls(rates, yards)).sum(1)
    missed = (share * rates.inc).sum(1)
    lost = (share * (rates.int + 0.5 * rates.f)).sum(1)
    return np.log(np.maximum(gained, 0.1)), missed, lost


def unexplained(points: Array, own: tuple[Array, ...], other: tuple[Array, ...]) -> Array:
    """Points a game above the league that the features do not account for, by team."""
    known = np.stack([*own, other[0], other[2]], 1)
    known = known - known.mean(0)
    return np.asarray(points - points.mean() - known @ WORTH)


def factors(points: Array, own: tuple[Array, ...], other: tuple[Array, ...], part: float) -> Array:
    """By team: what its gains are multiplied by, so that part of the points is explained."""
    wanted = part * unexplained(points, own, other) / WORTH[0]
    return np.asarray(np.exp(np.clip(wanted, -MOST, MOST)))


def per_game(plays: pl.DataFrame, teams: list[str]) -> tuple[Array, Array]:
    """Points for and against a game, by team."""
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
