"""Baseline ratings on made-up leagues with known strengths."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from hashmark.league.data.schedule import Schedule, ScheduledGame
from hashmark.league.validation import baselines
from hashmark.league.validation.baselines import Elo
from league.invented_games import TEAMS, games_of_half, make_season, strengths


def test_simple_ratings_recover_the_strengths() -> None:
    """Without noise and ridge: strengths up to the rounding of scores."""
    games = make_season(2000, noise=0).regular
    ratings = baselines.simple_ratings(games, baselines.home_margins(games), 1e-6)
    true = strengths(2000)
    mean = np.mean(list(true.values()))
    for team in TEAMS:
        assert ratings[team] == pytest.approx(true[team] - mean, abs=0.5)


def test_simple_ratings_adjust_for_opponents() -> None:
    """A, which barely beats the strong B, rates above C, which beats the weak D by more."""
    scores = {"AB": (21, 20), "BC": (40, 20), "CD": (30, 20), "BD": (44, 14)}
    games = [
        ScheduledGame(name, 1, "", "REG", name[0], name[1], True, score)
        for name, score in scores.items()
    ]
    ratings = baselines.simple_ratings(games, baselines.home_margins(games), 0.01)
    assert ratings["A"] > ratings["B"] > ratings["C"] > ratings["D"]


def test_ridge_shrinks_ratings_to_the_mean() -> None:
    games = make_season(2000).regular
    weak, strong = (
        baselines.simple_ratings(games, baselines.home_margins(games), r) for r in (0.1, 20.0)
    )
    assert sum(strong.values()) == pytest.approx(0, abs=1e-6)
    assert np.std(list(strong.values())) < 0.6 * np.std(list(weak.values()))


def test_input_of_a_game_is_home_minus_away_rating() -> None:
    games = make_season(2000).regular[:3]
    inputs = baselines.rating_differences({games[0].home: 3.0, games[0].away: 1.0}, games)
    assert inputs.shape == (3, 1)
    assert inputs[0, 0] == 2


def test_record_is_the_share_of_wins_above_half() -> None:
    games = [
        ScheduledGame("1", 1, "", "REG", "A", "B", False, (20, 10)),
        ScheduledGame("2", 2, "", "REG", "B", "A", False, (10, 10)),
        ScheduledGame("3", 3, "", "REG", "B", "C", False, None),
    ]
    assert baselines.record_ratings(Schedule(2000, tuple(games))) == {"A": 0.25, "B": -0.25}
    assert baselines.record_ratings(None) == {}


def plays() -> pl.DataFrame:
    rows = [
        ("g", "H", "A", "H", "pass", 3.0),
        ("g", "H", "A", "H", "run", -1.0),
        ("g", "H", "A", "A", "run", 0.5),
        ("g", "H", "A", "H", "punt", 4.0),
        ("g", "H", "A", "A", "pass", None),
        ("g", "H", "A", None, "pass", 9.0),
    ]
    names = ["game_id", "home_team", "away_team", "posteam", "play_type", "epa"]
    return pl.DataFrame(rows, schema=names, orient="row")


@pytest.mark.parametrize(
    ("way", "net"), [*zip(baselines.EPA_METHODS, (0.5, 1.5, 5.5), strict=True)]
)
def test_net_expected_points_by_method(way: str, net: float) -> None:
    assert baselines.net_expected_points(plays(), way) == {"g": pytest.approx(net)}


# --- Elo -----------------------------------------------------------------------------------


def make_game(margin: int, neutral: bool = True) -> ScheduledGame:
    return ScheduledGame("x", 1, "", "REG", "A", "B", neutral, (20 + margin, 20))


def test_elo_is_zero_sum_and_follows_strength() -> None:
    ratings = Elo(20, 0.7, 50).ratings_after(make_season(2000).games)
    assert len(ratings) == len(TEAMS)
    assert sum(ratings.values()) == pytest.approx(0, abs=1e-6)
    true = strengths(2000)
    both = np.array([[ratings[team], true[team]] for team in TEAMS])
    assert np.corrcoef(both.T)[0, 1] > 0.8


def test_elo_change_after_a_win() -> None:
    assert Elo(20, 0.7, 50).ratings_after([make_game(7)])["A"] == pytest.approx(
        20 * math.log(8) * 0.5
    )


def test_elo_discounts_home_wins_and_penalizes_home_ties() -> None:
    fresh = Elo(20, 0.7, 50)
    assert (
        fresh.ratings_after([make_game(7, neutral=False)])["A"]
        < fresh.ratings_after([make_game(7)])["A"]
    )
    assert fresh.ratings_after([make_game(0)])["A"] == 0
    assert fresh.ratings_after([make_game(0, neutral=False)])["A"] < 0
    assert fresh.ratings_after([replace(make_game(7), score=None)]) == {}


def test_elo_regresses_to_the_mean_between_seasons() -> None:
    ratings = Elo(20, 0.5, 50)
    ratings.update([make_game(7)])
    before = ratings.rating("A") - baselines.MEAN_RATING
    ratings.regress_to_mean()
    assert ratings.rating("A") - baselines.MEAN_RATING == pytest.approx(before / 2)


def test_elo_never_sees_the_games_it_forecasts() -> None:
    """Other scores in the even weeks change nothing in that season, but in the next."""
    history = {season: make_season(season) for season in (2000, 2001, 2002)}
    setting = (20.0, 0.7, 50.0)
    changed = tuple(
        game if game.week % 2 else replace(game, score=(0, 50)) for game in history[2001].games
    )
    other = {**history, 2001: Schedule(2001, changed)}
    before, after = (
        baselines.elo_ratings(schedules, (2001, 2002), setting) for schedules in (history, other)
    )
    assert before[2001] == after[2001]
    assert before[2002] != after[2002]
    odd = games_of_half(history[2001], 1)
    assert set(before[2001]) == {team for game in odd for team in (game.home, game.away)}
    assert len(baselines.elo_settings()) == len(baselines.K_FACTORS) * len(
        baselines.CARRY_OVER_SHARES
    ) * len(baselines.HOME_ADVANTAGES)
