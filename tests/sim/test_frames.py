"""Frames of plays and drives: their columns are documented, and they add up."""

from __future__ import annotations

import polars as pl
import pytest

from hashmark.engine import registry
from hashmark.sim import frames
from hashmark.sim.play_rows import record_games
from hashmark.sim.run import SimulationWork

GAMES = 8
each_game = pytest.mark.parametrize("name", registry.builtin_names())


def plays_of(name: str) -> pl.DataFrame:
    rules = registry.load(name)
    m = rules.new_match()
    work = SimulationWork(rules, m, rules.new_position(m), 3, (1, 1), "plain", False)
    return frames.play_frame(rules, record_games(work, GAMES))


@each_game
def test_every_column_is_documented(name: str) -> None:
    plays = plays_of(name)
    statistics = registry.load(name).statistics.names
    own = [column for column in plays.columns if column not in statistics]
    assert set(own) <= frames.PLAY_COLUMNS.keys()
    assert set(frames.PLAY_COLUMNS) - set(own) <= {"opponent_penalties"}
    assert frames.drive_frame(plays).columns == list(frames.DRIVE_COLUMNS)


@each_game
def test_plays_are_numbered_within_their_game(name: str) -> None:
    plays = plays_of(name)
    numbers = plays.group_by("game", maintain_order=True).agg("play")
    for row in numbers["play"]:
        assert row.to_list() == list(range(1, len(row) + 1))
    assert plays["spot"].drop_nulls().is_between(0, 100).all()
    assert plays["down"].drop_nulls().is_between(1, 4).all()
    assert set(plays["team"].drop_nulls()) <= {"home", "away"}


@each_game
def test_drives_hold_the_plays_and_points_of_one_team(name: str) -> None:
    plays = plays_of(name)
    drives = frames.drive_frame(plays)
    inside = plays.filter(pl.col("drive").is_not_null())
    assert drives["plays"].sum() == inside.height
    assert drives["points"].sum() == inside["points"].sum()
    assert inside.group_by("game", "drive").agg(pl.col("team").n_unique())["team"].max() == 1
    results = "touchdown, field goal, safety, turnover, punt, missed field goal, downs, end"
    assert set(drives["result"]) <= set(results.split(", "))
    scores = drives.filter(pl.col("result") == "touchdown")
    assert (scores["points"] >= 6).all()


def test_no_plays_are_an_empty_frame() -> None:
    rules = registry.load("fourth-down")
    assert frames.play_frame(rules, []).height == 0
    assert frames.empty_batch(rules).games == 0
