"""What charts have to be compared with: ratings that forecasters make of scores and points.

Each function gives one raw number for each game to be told, home's rating less the visitors';
`forecast.py` makes a forecast of it. All of them know the games of the odd weeks, and those that
carry over the seasons before as well. None of them sees a game that it has to tell.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import product

import numpy as np
import polars as pl

from hashmark.league.checks.forecast import Floats
from hashmark.league.facts.schedule import Game, Schedule

# Games at the league's mean, as it were.
RIDGES = (1.0, 2.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0)
EPA_PLAYS = ("pass", "run")
EPA_WAYS = ("a play", "a game", "a game with kicks")

# Elo: what a rating is, and the settings that are tried.
EVEN = 1500.0
STEP = 400.0  # points of a rating that make the odds ten to one
HOME = (20.0, 35.0, 50.0, 65.0)  # points that playing at home is worth
SPEED = (5.0, 7.5, 10.0, 15.0, 20.0, 30.0)  # points that a game can move
# The part of a rating above the mean that the next season begins with.
KEPT = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


def differences(ratings: Mapping[str, float], games: Iterable[Game]) -> Floats:
    """Home's rating less the visitors', one number a game; who has none is average."""
    return np.array([[ratings.get(one.home, 0.0) - ratings.get(one.away, 0.0)] for one in games])


def nothing(games: Sequence[Game]) -> Floats:
    """No number at all: the home edge is left."""
    return np.zeros((len(games), 0))


# --- Records and ratings by margin ------------------------------------------------------


def record(last: Schedule | None) -> dict[str, float]:
    """The share of last season's games that each team won; nobody has one if it is not known."""
    if last is None:
        return {}
    played = [game for game in last.regular if game.score is not None]
    teams = {team for game in played for team in (game.home, game.away)}
    each = {team: sum(team in (game.home, game.away) for game in played) for team in teams}
    return {team: last.wins(team) / each[team] - 0.5 for team in teams}


def margins(games: Iterable[Game]) -> dict[str, float]:
    """The home team's margin by game, of those whose score is known."""
    return {one.id: float(one.score[0] - one.score[1]) for one in games if one.score is not None}


def simple_ratings(
    games: Iterable[Game], worth: Mapping[str, float], ridge: float
) -> dict[str, float]:
    """The simple rating system: margins as the difference of two ratings and a home edge.

    Least squares over all games at once, so opponents are taken into account; the sum of squared
    ratings, `ridge` times, is added to the error, which draws everybody towards the mean.
    """
    told = [one for one in games if one.id in worth]
    teams = sorted({team for one in told for team in (one.home, one.away)})
    place = {team: at for at, team in enumerate(teams)}
    known = np.zeros((len(told), len(teams) + 1))
    for row, one in enumerate(told):
        known[row, place[one.home]] += 1
        known[row, place[one.away]] -= 1
        known[row, -1] = 0.0 if one.neutral else 1.0
    wanted = np.array([worth[one.id] for one in told])
    normal = known.T @ known + np.diag([ridge] * len(teams) + [1e-9])
    solved = np.linalg.solve(normal, known.T @ wanted)
    return {team: float(solved[at]) for team, at in place.items()}


# --- Expected points --------------------------------------------------------------------


def net_expected_points(plays: pl.DataFrame, way: str) -> dict[str, float]:
    """By game: what home's plays added to its expected points, less what the visitors' did.

    `a play`: the mean over runs and passes; `a game`: their sum; `a game with kicks`: all plays.
    """
    told = plays.filter(pl.col("posteam").is_not_null() & pl.col("epa").is_not_null())
    if way != EPA_WAYS[2]:
        told = told.filter(pl.col("play_type").is_in(EPA_PLAYS))
    at_home = pl.col("posteam") == pl.col("home_team")
    home, away = (_added(pl.col("epa").filter(side), way) for side in (at_home, ~at_home))
    made = told.group_by("game_id").agg(home=home, away=away).sort("game_id")
    return {game: float(one or 0.0) - float(two or 0.0) for game, one, two in made.iter_rows()}


def _added(value: pl.Expr, way: str) -> pl.Expr:
    return value.mean() if way == EPA_WAYS[0] else value.sum()


# --- Elo --------------------------------------------------------------------------------


class Elo:
    """Ratings that move with every game: further after a surprise, and after a wide margin."""

    def __init__(self, speed: float, kept: float, home: float) -> None:
        self.speed, self.kept, self.home = speed, kept, home
        self.ratings: dict[str, float] = {}

    def of(self, team: str) -> float:
        return self.ratings.get(team, EVEN)

    def new_season(self) -> None:
        """Everybody comes a step nearer to the mean."""
        self.ratings = {team: EVEN + self.kept * (one - EVEN) for team, one in self.ratings.items()}

    def hear(self, games: Iterable[Game]) -> None:
        """Move the ratings by games, in order; what one team gains the other loses."""
        for game in games:
            if game.score is None:
                continue
            margin = game.score[0] - game.score[1]
            ahead = self.of(game.home) - self.of(game.away) + (0 if game.neutral else self.home)
            expected = 1 / (1 + 10 ** (-ahead / STEP))
            won = 0.5 if margin == 0 else float(margin > 0)
            moved = self.speed * _weight(margin, ahead) * (won - expected)
            self.ratings[game.home] = self.of(game.home) + moved
            self.ratings[game.away] = self.of(game.away) - moved

    def after(self, games: Iterable[Game]) -> dict[str, float]:
        """The ratings that these games would lead to, as differences from the mean."""
        other = Elo(self.speed, self.kept, self.home)
        other.ratings = dict(self.ratings)
        other.hear(games)
        return {team: one - EVEN for team, one in other.ratings.items()}


def _weight(margin: int, ahead: float) -> float:
    """A wide margin counts more, but grows slowly, and less so for the favourite."""
    favoured = ahead if margin > 0 else -ahead
    return math.log(abs(margin) + 1 if margin else 2) * 2.2 / (2.2 + 0.001 * favoured)


def elo_settings() -> dict[str, tuple[float, float, float]]:
    """All that are tried, by their names."""
    return {
        f"moves by {speed:g}, keeps {kept:g}, home {home:g}": (speed, kept, home)
        for speed, kept, home in product(SPEED, KEPT, HOME)
    }


def elo(
    history: Mapping[int, Schedule], seasons: Iterable[int], setting: tuple[float, float, float]
) -> dict[int, dict[str, float]]:
    """By season: the ratings after all earlier seasons that are known and its own odd weeks."""
    wanted, made, ratings = set(seasons), {}, Elo(*setting)
    for season in sorted(history):
        ratings.new_season()
        if season in wanted:
            odd = [game for game in history[season].regular if game.week % 2]
            made[season] = ratings.after(odd)
        ratings.hear(history[season].games)
    return made
