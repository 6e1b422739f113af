"""The numbers that charts and plans give a game: its mean score when it is played many times.

Games are played on neutral ground, so that the numbers are of the teams alone; what playing at
home is worth is fitted for all predictors alike (`forecast.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from hashmark.games.data_driven.plans.plan import Plan
from hashmark.league.checks import holdout
from hashmark.league.checks.forecast import Floats
from hashmark.league.facts.schedule import Game
from hashmark.league.seasons import games as engine
from hashmark.league.seasons.season import Recipe, Roster, playable


def from_odd_weeks(
    frame: pl.DataFrame,
    season: int,
    games: Sequence[Game],
    runs: int,
    seed: int = 0,
    threads: int | None = None,
) -> Floats:
    """By charts and plans that are built from the odd weeks of the season alone."""
    with holdout.odd_weeks(frame, season) as (name, plans):
        return mean_points(Recipe(season, name), plans, games, runs, seed, threads)


def from_whole_season(
    season: int, games: Sequence[Game], runs: int, seed: int = 0, threads: int | None = None
) -> Floats | None:
    """By the charts and plans of a whole season; None where there are none of it."""
    if season not in playable():
        return None
    return mean_points(Recipe(season), None, games, runs, seed, threads)


def mean_points(
    recipe: Recipe,
    plans: Mapping[str, Plan] | None,
    games: Sequence[Game],
    runs: int,
    seed: int = 0,
    threads: int | None = None,
) -> Floats:
    """Home's and the visitors' mean points in each game, [game, 2]."""
    roster = Roster.of(recipe, teams_of(games), plans)
    pairings = [
        roster.pairing(game.home, game.away, neutral=True, number=at)
        for at, game in enumerate(games)
    ]
    played = engine.play(recipe.file, pairings, runs, seed, threads)
    if played.interrupted:
        raise KeyboardInterrupt
    return np.asarray(played.points.mean(axis=1), dtype=np.float64)


def teams_of(games: Sequence[Game]) -> list[str]:
    return sorted({team for game in games for team in (game.home, game.away)})


def margins(points: Floats) -> Floats:
    """Home's mean margin: the plain number, [game, 1]."""
    return points[:, :1] - points[:, 1:]


def apart(points: Floats, games: Sequence[Game]) -> Floats:
    """The margin in two numbers, [game, 2]: what offences and what defences are ahead by.

    Points are told as the sum of what the one team's offence scores and the other's defence
    allows, by least squares over all games. The numbers add up to about the margin; which of the
    two lasts longer is for the map to say.
    """
    teams = teams_of(games)
    home, away = ([teams.index(getattr(game, side)) for game in games] for side in ("home", "away"))
    rows, count = np.arange(len(games)), len(teams)
    known = np.zeros((2 * len(games), 2 * count))
    for first, scoring, allowing in ((0, home, away), (len(games), away, home)):
        known[first + rows, scoring] = 1
        known[first + rows, count + np.array(allowing)] = 1
    solved, *_ = np.linalg.lstsq(known, points.T.reshape(-1), rcond=None)
    scored, allowed = solved[:count], solved[count:]
    return np.column_stack([scored[home] - scored[away], allowed[away] - allowed[home]])
