"""Seasons of an invented league with known strengths, for rating and forecast tests."""

from __future__ import annotations

import numpy as np

from hashmark.league.data.arrays import Floats
from hashmark.league.data.schedule import Schedule, ScheduledGame
from hashmark.league.validation.baselines import EPA_METHODS
from hashmark.league.validation.training_data import SeasonData

TEAMS = tuple("ABCDEFGHIJKL")
HOME_EDGE_POINTS = 2.0
WEEKS = 10


def strengths(season: int) -> dict[str, float]:
    """Return strengths that persist but change a little from season to season."""
    rng = np.random.default_rng(season)
    return {team: 2.0 * index - 11 + float(rng.normal(0, 2)) for index, team in enumerate(TEAMS)}


def make_season(season: int, noise: float = 8.0, seed: int = 1) -> Schedule:
    """Return ten weeks in which every team plays; every fourth game is at a neutral site."""
    rng = np.random.default_rng((season, seed))
    strength, games = strengths(season), []
    for week in range(1, WEEKS + 1):
        order = [TEAMS[index] for index in rng.permutation(len(TEAMS))]
        for number, (home, away) in enumerate(zip(order[::2], order[1::2], strict=True)):
            neutral = number % 4 == 3
            expected = strength[home] - strength[away] + (0 if neutral else HOME_EDGE_POINTS)
            margin = round(expected + float(rng.normal(0, noise)) if noise else expected)
            score = (40 + margin, 40)
            name = f"{season}_{week:02}_{away}_{home}"
            games.append(ScheduledGame(name, week, "", "REG", home, away, neutral, score))
    return Schedule(season, tuple(games))


def margin(game: ScheduledGame) -> float:
    assert game.score is not None
    return float(game.score[0] - game.score[1])


def games_of_half(games: Schedule, rest: int) -> tuple[ScheduledGame, ...]:
    return tuple(game for game in games.regular if game.week % 2 == rest)


def simulated_points(season: int, games: tuple[ScheduledGame, ...]) -> Floats:
    """Return mean points of a simulation that knows the strengths, half of them in defense."""
    strength = strengths(season)
    advantages = [(strength[game.home] - strength[game.away]) / 2 for game in games]
    return np.array([[20 + advantage, 20 - advantage] for advantage in advantages])


def training_data_of(history: dict[int, Schedule], season: int) -> SeasonData:
    """Return the training data of a season, with last season if it is in the history."""
    odd, even = games_of_half(history[season], 1), games_of_half(history[season], 0)
    last = history[season - 1].regular if season - 1 in history else ()
    return SeasonData(
        season,
        odd,
        even,
        last,
        simulated_points(season, even),
        simulated_points(season - 1, even) if last else None,
        {way: {game.id: margin(game) / 2 for game in odd} for way in EPA_METHODS},
        {way: {game.id: margin(game) / 2 for game in last} for way in EPA_METHODS}
        if last
        else None,
    )
