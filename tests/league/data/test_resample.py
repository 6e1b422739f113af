"""Resampled games: as many as there are, reproducible by seed, each with all its plays."""

from __future__ import annotations

import pytest

from hashmark.errors import HashmarkError
from hashmark.league.data import play_by_play, resample, schedule
from league.invented_plays import frame, run

GAMES = {game.id: (game.home, game.away) for game in schedule.load(2008).regular}


def test_a_resample_has_all_games_and_a_third_for_every_team() -> None:
    for number in range(30):
        counts = resample.draw_games(GAMES, 7, number)
        assert sum(counts.values()) == len(GAMES) == 256
        assert min(resample.games_per_team(GAMES, counts).values()) >= 16 / 3


def test_a_resample_depends_on_seed_and_number_alone() -> None:
    first = resample.draw_games(GAMES, 7, 3)
    resample.draw_games(GAMES, 7, 4)
    assert resample.draw_games(GAMES, 7, 3) == first
    assert resample.draw_games(GAMES, 7, 4) != first
    assert resample.draw_games(GAMES, 8, 3) != first


def test_games_are_drawn_evenly() -> None:
    draws = 200
    total = dict.fromkeys(GAMES, 0)
    for number in range(draws):
        for game, count in resample.draw_games(GAMES, 1, number).items():
            total[game] += count
    assert all(draws - 75 < count < draws + 75 for count in total.values())  # five deviations


def test_a_game_drawn_twice_is_two_games() -> None:
    plays = play_by_play.load(
        frame(run(), run(game_id="2030_02_C_A", away_team="C", defteam="C"), run())
    )
    assert resample.list_games(plays) == {"2030_01_B_A": ("A", "B"), "2030_02_C_A": ("A", "C")}
    once_each = dict.fromkeys(resample.list_games(plays), 1)
    assert resample.resample_plays(plays, once_each).equals(plays)
    resampled = resample.resample_plays(plays, {"2030_01_B_A": 2, "2030_02_C_A": 0})
    assert resampled["game_id"].to_list() == ["2030_01_B_A"] * 2 + ["2030_01_B_A#2"] * 2
    assert resampled.columns == plays.columns


def test_a_team_that_is_never_drawn_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resample, "FEWEST", 2.0)
    with pytest.raises(HashmarkError, match="too few games"):
        resample.draw_games({"a": ("A", "B"), "b": ("C", "D")}, 0, 0)
