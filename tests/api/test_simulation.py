"""Simulations from Python, with frames of games, drives and plays."""

from __future__ import annotations

import pytest

import hashmark as hm
from hashmark.engine import registry


def test_rows_and_plays_add_up_to_the_totals() -> None:
    sim = hm.simulate("fourth-down", 50, home="bold", away="cautious", rows=True, engine="plain")
    games, plays = sim.frame(), sim.plays()
    assert games.height == 50
    assert games["home_points"].mean() == pytest.approx(sim.points("home").mean)
    home = plays.filter(plays["team"] == "home")
    away = plays.filter(plays["team"] == "away")
    total = int(home["points"].sum()) + int(away["opponent_points"].sum())
    assert total == games["home_points"].sum()
    assert "\n" not in repr(sim)
    assert len(repr(sim)) < 120


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_every_game_has_plays_and_drives(rules: str) -> None:
    sim = hm.simulate(rules, 4, engine="plain")
    plays, drives = sim.plays(), sim.drives()
    assert set(plays["game"]) == {0, 1, 2, 3}
    assert (plays.group_by("game").agg(first=plays["play"].min())["first"] == 1).all()
    assert drives.height >= 4
    assert drives["plays"].sum() == plays["drive"].is_not_null().sum()
    nflverse = sim.plays(nflverse=True)
    assert nflverse.height == plays.height
    assert nflverse["yardline_100"].drop_nulls().is_between(0, 100).all()


def test_wrong_names_are_refused_with_suggestions() -> None:
    with pytest.raises(hm.UnknownName, match="did you mean 'book'"):
        hm.simulate("fourth-down", 1, home="boook")
    sim = hm.simulate("fourth-down", 2, engine="plain")
    with pytest.raises(hm.UnknownName, match="unknown statistic 'punt'"):
        sim.statistic("punt", "home")
    with pytest.raises(hm.UnknownName, match="unknown team 'Home'"):
        sim.points("Home")
    with pytest.raises(hm.HashmarkError, match="rows=True"):
        sim.frame()


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_every_game_can_be_looked_at(rules: str) -> None:
    sim = hm.simulate(rules, 3, seed=9, engine="plain", rows=True)
    for number in range(3):
        game = sim.game(number)
        row = sim.frame().row(number, named=True)
        for name, (home, away) in game.box_score().items():
            assert (row[f"home_{name}"], row[f"away_{name}"]) == (home, away)


def test_games_of_real_teams_and_of_positions_can_be_looked_at() -> None:
    start = {
        "phase": "drive", "possession": "away", "spot": 50, "period": 2, "clock": 20,
        "score": {"home": 10, "away": 14},
    }  # fmt: skip
    sim = hm.simulate("fourth-down", 2, start=start, engine="plain", rows=True)
    scores = list(sim.frame().select("home_points", "away_points").iter_rows())
    assert [sim.game(number).score for number in (0, 1)] == scores
    assert sim.frame()["away_points"].mean() == sim.points("away").mean
    real = hm.simulate("data-driven", 2, home="2008:ARI", away="2008:PIT", engine="plain")
    assert real.game(0).names == ("Arizona", "Pittsburgh")
    for number in (-1, 2):
        with pytest.raises(hm.HashmarkError, match="expected a number from 0 to 1"):
            real.game(number)


def test_coaches_may_be_functions() -> None:
    from hashmark.games.fourth_down import position as p

    def gambler(m: p.Match, g: p.Position) -> int:
        """Never kicks."""
        if g.phase == p.DRIVE:
            return p.PASS_FIRST
        return p.TWO_POINT if g.phase == p.TRY else p.GO_FOR_IT

    sim = hm.simulate("fourth-down", 4, home=gambler, engine="plain", rows=True)
    assert sim.statistic("punts", "home").mean == 0
    assert sim.game(3).score[0] == sim.frame()["home_points"][3]
    assert "gambler" in str(sim)


def test_the_distribution_of_points_is_drawn() -> None:
    sim = hm.simulate("fourth-down", 20, engine="plain", rows=True)
    assert len(sim.plot().get_lines()) == 2
