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
