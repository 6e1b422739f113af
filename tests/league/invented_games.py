"""Seasons of an invented league with known strengths, for rating and forecast tests."""

from __future__ import annotations

import numpy as np

from hashmark.league.checks.forecast import Floats
from hashmark.league.checks.known import Known
from hashmark.league.checks.rivals import EPA_WAYS
from hashmark.league.facts.schedule import Game, Schedule

TEAMS = tuple("ABCDEFGHIJKL")
EDGE = 2.0
WEEKS = 10


def strengths(season: int) -> dict[str, float]:
    """Return strengths that persist but change a little from season to season."""
    rng = np.random.default_rng(season)
    return {team: 2.0 * index - 11 + float(rng.normal(0, 2)) for index, team in enumerate(TEAMS)}


def season_of(season: int, noise: float = 8.0, seed: int = 1) -> Schedule:
    """Return ten weeks in which every team plays; every fourth game is at a neutral site."""
    rng = np.random.default_rng((season, seed))
    strength, games = strengths(season), []
    for week in range(1, WEEKS + 1):
        order = [TEAMS[index] for index in rng.permutation(len(TEAMS))]
        for number, (home, away) in enumerate(zip(order[::2], order[1::2], strict=True)):
            neutral = number % 4 == 3
            expected = strength[home] - strength[away] + (0 if neutral else EDGE)
            margin = round(expected + float(rng.normal(0, noise)) if noise else expected)
            score = (40 + margin, 40)
            name = f"{season}_{week:02}_{away}_{home}"
            games.append(Game(name, week, "", "REG", home, away, neutral, score))
    return Schedule(season, tuple(games))


def margin(game: Game) -> float:
    assert game.score is not None
    return float(game.score[0] - game.score[1])


def half(games: Schedule, rest: int) -> tuple[Game, ...]:
    return tuple(game for game in games.regular if game.week % 2 == rest)


def points(season: int, games: tuple[Game, ...]) -> Floats:
    """Return mean points of a simulation that knows the strengths, half of them in defense."""
    strength = strengths(season)
    advantages = [(strength[game.home] - strength[game.away]) / 2 for game in games]
    return np.array([[20 + advantage, 20 - advantage] for advantage in advantages])


def known_of(history: dict[int, Schedule], season: int) -> Known:
    """Return the training data of a season, with last season if it is in the history."""
    odd, even = half(history[season], 1), half(history[season], 0)
    last = history[season - 1].regular if season - 1 in history else ()
    return Known(
        season,
        odd,
        even,
        last,
        points(season, even),
        points(season - 1, even) if last else None,
        {way: {game.id: margin(game) / 2 for game in odd} for way in EPA_WAYS},
        {way: {game.id: margin(game) / 2 for game in last} for way in EPA_WAYS} if last else None,
    )
