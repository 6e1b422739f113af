"""Forecast inputs from charts and plans: the mean score of a game that is played many times.

Games are played on neutral ground, so that the inputs describe the teams alone; home advantage is
fitted in the same way for all predictors (`forecast_model.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from hashmark.games.data_driven.plans.plan import Plan
from hashmark.league.data.arrays import Floats
from hashmark.league.data.schedule import ScheduledGame, teams_of
from hashmark.league.seasons import pairings
from hashmark.league.seasons.season import Recipe, Roster, playable_seasons
from hashmark.league.validation import out_of_sample


def from_odd_weeks(
    frame: pl.DataFrame,
    season: int,
    games: Sequence[ScheduledGame],
    runs: int,
    seed: int = 0,
    threads: int | None = None,
) -> Floats:
    """Return mean points by charts and plans built from the odd weeks of the season alone."""
    with out_of_sample.odd_weeks(frame, season) as (name, plans):
        return mean_points(Recipe(season, name), plans, games, runs, seed, threads)


def from_whole_season(
    season: int,
    games: Sequence[ScheduledGame],
    runs: int,
    seed: int = 0,
    threads: int | None = None,
) -> Floats | None:
    """Return mean points by the charts and plans of a whole season; None if there are none."""
    if season not in playable_seasons():
        return None
    return mean_points(Recipe(season), None, games, runs, seed, threads)


def mean_points(
    recipe: Recipe,
    plans: Mapping[str, Plan] | None,
    games: Sequence[ScheduledGame],
    runs: int,
    seed: int = 0,
    threads: int | None = None,
) -> Floats:
    """Return the home and away teams' mean points in each game, [game, 2]."""
    roster = Roster.of(recipe, teams_of(games), plans)
    games_to_play = [
        roster.pairing(game.home, game.away, neutral=True, number=index)
        for index, game in enumerate(games)
    ]
    played = pairings.play(recipe.chart_file, games_to_play, runs, seed, threads)
    if played.interrupted:
        raise KeyboardInterrupt
    return np.asarray(played.points.mean(axis=1), dtype=np.float64)


def home_margins(points: Floats) -> Floats:
    """Return the home team's mean margin, [game, 1]."""
    return points[:, :1] - points[:, 1:]


def split_margins(points: Floats, games: Sequence[ScheduledGame]) -> Floats:
    """Split the margin into an offense part and a defense part, [game, 2].

    Points are modeled as the sum of what one team's offense scores and the other's defense allows,
    by least squares over all games. The two parts add up to about the margin; the fitted forecast
    decides how much each of them counts.
    """
    teams = teams_of(games)
    home, away = ([teams.index(getattr(game, side)) for game in games] for side in ("home", "away"))
    row_indices, count = np.arange(len(games)), len(teams)
    design = np.zeros((2 * len(games), 2 * count))
    for first, scoring, allowing in ((0, home, away), (len(games), away, home)):
        design[first + row_indices, scoring] = 1
        design[first + row_indices, count + np.array(allowing)] = 1
    solved, *_ = np.linalg.lstsq(design, points.T.reshape(-1), rcond=None)
    scored, allowed = solved[:count], solved[count:]
    return np.column_stack([scored[home] - scored[away], allowed[away] - allowed[home]])
