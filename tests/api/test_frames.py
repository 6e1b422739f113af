"""Frames of played games: the same columns and plays as those of simulated ones."""

from __future__ import annotations

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import hashmark as hm
from hashmark.api import frames
from hashmark.engine import registry
from hashmark.engine.record import TEAMS, PositionRecord
from hashmark.values.value import Value


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_a_played_game_has_the_plays_of_the_simulated_one(rules: str) -> None:
    coach = registry.load(rules).coaches[-1].name
    game = hm.Game(rules, seed=5, home=coach, away=coach, names=TEAMS).play_out()
    sim = hm.simulate(rules, 1, seed=5, home=coach, away=coach, engine="plain")
    for nflverse in (False, True):
        played, simulated = (
            plays.drop("wp", "wpa", strict=False)  # simulations do not value every play
            for plays in (game.plays(nflverse), sim.plays(nflverse))
        )
        assert_frame_equal(played, simulated, check_exact=True)
    assert_frame_equal(game.drives(), sim.drives())


def test_a_game_without_plays_has_an_empty_frame() -> None:
    plays = hm.Game("rapid-roll").plays()
    assert plays.height == 0
    assert plays.columns == hm.simulate("rapid-roll", 1, engine="plain").plays().columns


def test_points_at_the_start_do_not_belong_to_a_play() -> None:
    start = {"phase": "drive", "period": 2, "clock": 2, "possession": "home", "spot": 30,
             "score": {"home": 14, "away": 3}}  # fmt: skip
    game = hm.Game("fourth-down", seed=1, start=start).play_out()
    plays = game.plays()
    points = sum(plays["points"]) + sum(plays["opponent_points"])
    assert points == sum(game.score) - 17
    assert plays["home_score"][0] == 14


def _value(g: PositionRecord) -> Value:
    """Return a value by the score of the moment."""
    home, away = g.score
    return Value(0.5 + (home - away) / 100, 0.0, 0.5 - (home - away) / 100)


def test_values_become_win_probability(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hashmark.values.instant.instant_value", lambda *at: _value(at[-1]))
    game = hm.Game("fourth-down", seed=3).play_out()
    plays = game.plays(nflverse=True).filter(pl.col("posteam").is_not_null())
    expected = 0.5 + plays["score_differential"] / 100
    assert plays["wp"].to_list() == pytest.approx(expected.to_list())
    is_home = plays["posteam"] == plays["home_team"]
    change = plays["wpa"] * is_home.cast(pl.Int8).replace_strict({1: 1, 0: -1})
    assert change.sum() == pytest.approx((game.score[0] - game.score[1]) / 100)


def test_without_values_there_is_no_win_probability() -> None:
    plays = (
        hm.Game("data-driven", seed=3, options={"quarter_seconds": 300})
        .play_out()
        .plays(nflverse=True)
    )
    assert plays["wp"].null_count() == plays.height
    assert plays["wpa"].null_count() == plays.height
    assert plays["epa"].null_count() < plays.height


def test_teams_have_codes_if_they_are_real() -> None:
    game = hm.Game("data-driven", home="2008:ARI", away="2007:PIT")
    assert frames.team_codes(game._game) == ("ARI", "PIT")
    assert frames.team_codes(hm.Game("fourth-down")._game) == ("home", "away")
