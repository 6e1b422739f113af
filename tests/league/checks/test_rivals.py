"""Ratings on made-up leagues whose strengths are known."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from hashmark.league.checks import rivals
from hashmark.league.checks.rivals import Elo
from hashmark.league.facts.schedule import Game, Schedule
from league.invented_games import TEAMS, half, season_of, strengths


def test_planted_ratings_are_found_again() -> None:
    """Without luck and without a ridge: strengths to the rounding of scores, from every game."""
    games = season_of(2000, noise=0).regular
    found = rivals.simple_ratings(games, rivals.margins(games), 1e-6)
    true = strengths(2000)
    middle = np.mean(list(true.values()))
    for team in TEAMS:
        assert found[team] == pytest.approx(true[team] - middle, abs=0.5)


def test_opponents_count() -> None:
    """A that barely beats the strong B is above C, which beats the weak D by more."""
    scores = {"AB": (21, 20), "BC": (40, 20), "CD": (30, 20), "BD": (44, 14)}
    games = [
        Game(name, 1, "", "REG", name[0], name[1], True, score) for name, score in scores.items()
    ]
    found = rivals.simple_ratings(games, rivals.margins(games), 0.01)
    assert found["A"] > found["B"] > found["C"] > found["D"]


def test_a_ridge_draws_to_the_mean() -> None:
    games = season_of(2000).regular
    weak, strong = (rivals.simple_ratings(games, rivals.margins(games), r) for r in (0.1, 20.0))
    assert sum(strong.values()) == pytest.approx(0, abs=1e-6)
    assert np.std(list(strong.values())) < 0.6 * np.std(list(weak.values()))


def test_the_number_of_a_game_is_home_less_away() -> None:
    games = season_of(2000).regular[:3]
    found = rivals.differences({games[0].home: 3.0, games[0].away: 1.0}, games)
    assert found.shape == (3, 1)
    assert found[0, 0] == 2
    assert rivals.nothing(games).shape == (3, 0)


def test_last_seasons_record() -> None:
    games = [
        Game("1", 1, "", "REG", "A", "B", False, (20, 10)),
        Game("2", 2, "", "REG", "B", "A", False, (10, 10)),
        Game("3", 3, "", "REG", "B", "C", False, None),
    ]
    assert rivals.record(Schedule(2000, tuple(games))) == {"A": 0.25, "B": -0.25}
    assert rivals.record(None) == {}


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


@pytest.mark.parametrize(("way", "net"), [*zip(rivals.EPA_WAYS, (0.5, 1.5, 5.5), strict=True)])
def test_expected_points_by_hand(way: str, net: float) -> None:
    assert rivals.net_expected_points(plays(), way) == {"g": pytest.approx(net)}


# --- Elo -----------------------------------------------------------------------------------


def game(margin: int, neutral: bool = True) -> Game:
    return Game("x", 1, "", "REG", "A", "B", neutral, (20 + margin, 20))


def test_what_one_gains_the_other_loses() -> None:
    found = Elo(20, 0.7, 50).after(season_of(2000).games)
    assert len(found) == len(TEAMS)
    assert sum(found.values()) == pytest.approx(0, abs=1e-6)
    true = strengths(2000)
    both = np.array([[found[team], true[team]] for team in TEAMS])
    assert np.corrcoef(both.T)[0, 1] > 0.8


def test_a_win_by_hand() -> None:
    assert Elo(20, 0.7, 50).after([game(7)])["A"] == pytest.approx(20 * math.log(8) * 0.5)


def test_at_home_a_win_is_less_of_a_surprise_and_a_tie_is_a_loss() -> None:
    fresh = Elo(20, 0.7, 50)
    assert fresh.after([game(7, neutral=False)])["A"] < fresh.after([game(7)])["A"]
    assert fresh.after([game(0)])["A"] == 0
    assert fresh.after([game(0, neutral=False)])["A"] < 0
    assert fresh.after([replace(game(7), score=None)]) == {}


def test_ratings_carry_over_in_part() -> None:
    ratings = Elo(20, 0.5, 50)
    ratings.hear([game(7)])
    before = ratings.of("A") - rivals.EVEN
    ratings.new_season()
    assert ratings.of("A") - rivals.EVEN == pytest.approx(before / 2)


def test_games_that_are_told_are_not_known() -> None:
    """Other scores in the even weeks change nothing in that season, but in the next."""
    history = {season: season_of(season) for season in (2000, 2001, 2002)}
    setting = (20.0, 0.7, 50.0)
    changed = tuple(
        game if game.week % 2 else replace(game, score=(0, 50)) for game in history[2001].games
    )
    other = {**history, 2001: Schedule(2001, changed)}
    before, after = (rivals.elo(one, (2001, 2002), setting) for one in (history, other))
    assert before[2001] == after[2001]
    assert before[2002] != after[2002]
    odd = half(history[2001], 1)
    assert set(before[2001]) == {team for game in odd for team in (game.home, game.away)}
    assert len(rivals.elo_settings()) == len(rivals.SPEED) * len(rivals.KEPT) * len(rivals.HOME)
