"""Baseline forecasters: ratings from scores and expected points that charts have to beat.

Each function returns one raw number for each game to be forecast, the home team's rating minus the
away team's; `forecast_model.py` turns it into a forecast. All baselines know the games of the odd
weeks, and those that carry over also the earlier seasons. None sees a game that it has to forecast.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import product

import numpy as np
import polars as pl

from hashmark.league.data.arrays import Floats
from hashmark.league.data.schedule import Schedule, ScheduledGame

# Ridge penalties, in games at the league's mean.
RIDGES = (1.0, 2.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0)
EPA_PLAYS = ("pass", "run")
EPA_METHODS = ("a play", "a game", "with kicks")

# Elo: the rating scale, and the settings that are tried.
MEAN_RATING = 1500.0
RATING_SCALE = 400.0  # rating points that make the odds ten to one
HOME_ADVANTAGES = (20.0, 35.0, 50.0, 65.0)  # rating points of home advantage
K_FACTORS = (5.0, 7.5, 10.0, 15.0, 20.0, 30.0)  # maximum change per game (K factor)
# Share of the difference from the mean that carries over to the next season.
CARRY_OVER_SHARES = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


def rating_differences(ratings: Mapping[str, float], games: Iterable[ScheduledGame]) -> Floats:
    """Return home rating minus away rating of each game; a team without a rating is average."""
    return np.array([[ratings.get(game.home, 0.0) - ratings.get(game.away, 0.0)] for game in games])


# --- Records and ratings by margin ------------------------------------------------------


def record_ratings(last: Schedule | None) -> dict[str, float]:
    """Return the share of last season's games that each team won, minus a half."""
    if last is None:
        return {}
    played = [game for game in last.regular if game.score is not None]
    teams = {team for game in played for team in (game.home, game.away)}
    games_played = {team: sum(team in (game.home, game.away) for game in played) for team in teams}
    return {team: last.wins(team) / games_played[team] - 0.5 for team in teams}


def home_margins(games: Iterable[ScheduledGame]) -> dict[str, float]:
    """Return the home team's margin by game, for games with a known score."""
    return {
        game.id: float(game.score[0] - game.score[1]) for game in games if game.score is not None
    }


def simple_ratings(
    games: Iterable[ScheduledGame], outcomes: Mapping[str, float], ridge: float
) -> dict[str, float]:
    """Fit the simple rating system: margin = difference of two ratings + home advantage.

    Least squares over all games at once, so the strength of opponents is taken into account;
    `ridge` times the sum of squared ratings is added to the error, which shrinks all ratings to the
    mean.
    """
    rated_games = [game for game in games if game.id in outcomes]
    teams = sorted({team for game in rated_games for team in (game.home, game.away)})
    columns = {team: index for index, team in enumerate(teams)}
    design = np.zeros((len(rated_games), len(teams) + 1))
    for row, game in enumerate(rated_games):
        design[row, columns[game.home]] += 1
        design[row, columns[game.away]] -= 1
        design[row, -1] = 0.0 if game.neutral else 1.0
    targets = np.array([outcomes[game.id] for game in rated_games])
    normal = design.T @ design + np.diag([ridge] * len(teams) + [1e-9])
    solved = np.linalg.solve(normal, design.T @ targets)
    return {team: float(solved[index]) for team, index in columns.items()}


# --- Expected points --------------------------------------------------------------------


def net_expected_points(plays: pl.DataFrame, method: str) -> dict[str, float]:
    """Return, by game, the expected points added by the home team minus the away team's.

    `a play`: the mean over runs and passes; `a game`: their sum; `a game with kicks`: all plays.
    """
    counted_plays = plays.filter(pl.col("posteam").is_not_null() & pl.col("epa").is_not_null())
    if method != EPA_METHODS[2]:
        counted_plays = counted_plays.filter(pl.col("play_type").is_in(EPA_PLAYS))
    at_home = pl.col("posteam") == pl.col("home_team")
    home, away = (_aggregate(pl.col("epa").filter(side), method) for side in (at_home, ~at_home))
    by_game = counted_plays.group_by("game_id").agg(home=home, away=away).sort("game_id")
    return {
        game: float(home_added or 0.0) - float(away_added or 0.0)
        for game, home_added, away_added in by_game.iter_rows()
    }


def _aggregate(value: pl.Expr, way: str) -> pl.Expr:
    return value.mean() if way == EPA_METHODS[0] else value.sum()


# --- Elo --------------------------------------------------------------------------------


class Elo:
    """Elo ratings: they move after every game, more after an upset or a wide margin."""

    def __init__(self, k_factor: float, carry_over: float, home_advantage: float) -> None:
        self.k_factor, self.carry_over, self.home_advantage = k_factor, carry_over, home_advantage
        self.ratings: dict[str, float] = {}

    def rating(self, team: str) -> float:
        return self.ratings.get(team, MEAN_RATING)

    def regress_to_mean(self) -> None:
        """Regress all ratings to the mean."""
        self.ratings = {
            team: MEAN_RATING + self.carry_over * (rating - MEAN_RATING)
            for team, rating in self.ratings.items()
        }

    def update(self, games: Iterable[ScheduledGame]) -> None:
        """Update the ratings by games, in order; one team gains what the other loses."""
        for game in games:
            if game.score is None:
                continue
            margin = game.score[0] - game.score[1]
            lead = (
                self.rating(game.home)
                - self.rating(game.away)
                + (0 if game.neutral else self.home_advantage)
            )
            expected = 1 / (1 + 10 ** (-lead / RATING_SCALE))
            won = 0.5 if margin == 0 else float(margin > 0)
            change = self.k_factor * _margin_multiplier(margin, lead) * (won - expected)
            self.ratings[game.home] = self.rating(game.home) + change
            self.ratings[game.away] = self.rating(game.away) - change

    def ratings_after(self, games: Iterable[ScheduledGame]) -> dict[str, float]:
        """Return the ratings after these games, as differences from the mean."""
        copy = Elo(self.k_factor, self.carry_over, self.home_advantage)
        copy.ratings = dict(self.ratings)
        copy.update(games)
        return {team: rating - MEAN_RATING for team, rating in copy.ratings.items()}


def _margin_multiplier(margin: int, lead: float) -> float:
    """Return the margin-of-victory multiplier: it grows slowly, and less for the favorite."""
    winner_lead = lead if margin > 0 else -lead
    return math.log(abs(margin) + 1 if margin else 2) * 2.2 / (2.2 + 0.001 * winner_lead)


def elo_settings() -> dict[str, tuple[float, float, float]]:
    """Return all candidate settings by name."""
    return {
        f"K {k_factor:g}, carry-over {carry_over:g}, home {home_advantage:g}": (
            k_factor,
            carry_over,
            home_advantage,
        )
        for k_factor, carry_over, home_advantage in product(
            K_FACTORS, CARRY_OVER_SHARES, HOME_ADVANTAGES
        )
    }


def elo_ratings(
    history: Mapping[int, Schedule], seasons: Iterable[int], setting: tuple[float, float, float]
) -> dict[int, dict[str, float]]:
    """Return, by season, the ratings after all earlier seasons and its own odd weeks."""
    wanted_seasons, by_season, elo_state = set(seasons), {}, Elo(*setting)
    for season in sorted(history):
        elo_state.regress_to_mean()
        if season in wanted_seasons:
            odd = [game for game in history[season].regular if game.week % 2]
            by_season[season] = elo_state.ratings_after(odd)
        elo_state.update(history[season].games)
    return by_season
