"""Impossible values: each is reported with its column, its play and what is allowed."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from hashmark.league.data import play_by_play
from hashmark.league.data.play_checks import BrokenPlays
from league.invented_plays import frame, run

PLACE = "in play 2 of game 2030_01_B_A"


def fault(plays: pl.DataFrame) -> str:
    with pytest.raises(BrokenPlays) as caught:
        play_by_play.load(plays)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    ("column", "value", "allowed"),
    [
        ("yards_gained", 999.0, "not between -99 and 99"),
        ("yards_gained", -100.0, "not between -99 and 99"),
        ("kick_distance", 200.0, "not between -110 and 110"),
        ("return_yards", 111.0, "not between -110 and 110"),
        ("penalty_yards", 1e18, "not between -110 and 110"),
        ("yardline_100", 120.0, "not between 0 and 100"),
        ("down", 7.0, "not between 0 and 4"),
        ("down", 1.5, "not a whole number"),
        ("quarter_seconds_remaining", -1.0, "not between 0 and 900"),
        ("game_seconds_remaining", -1.0, "not between 0 and 3600"),
        ("air_yards", float("inf"), "not between -110 and 110"),
        ("sack", 2.0, "not 0 or 1"),
        ("touchdown", -1.0, "not 0 or 1"),
        ("season_type", "reg", "not one of REG, POST, PRE"),
        ("posteam", "C", "neither of the two teams"),
        ("home_team", "no team", "not a code of up to five letters"),
        ("week", 99, "not between 0 and 40"),
    ],
)
def test_an_impossible_value_is_rejected_with_its_place(
    column: str, value: Any, allowed: str
) -> None:
    message = fault(frame(run(), run(game_id="2030_01_B_A", **{column: value})))
    assert message.startswith(f"the frame: {column} is ")
    assert message.endswith(f"{PLACE}, {allowed}")


def test_long_but_possible_plays_are_accepted() -> None:
    rows = [
        run(yards_gained=99.0, yardline_100=99.0),
        run(kick_distance=85.0, return_yards=109.0),
        run(fumble_recovery_1_yards=104.0, penalty_yards=66.0, ydstogo=50.0),
    ]
    assert play_by_play.load(frame(*rows)).height == 3


@pytest.mark.parametrize("column", ["week", "down", "yards_gained", "sack"])
def test_text_in_a_number_column_is_rejected(column: str) -> None:
    plays = frame(run(), run()).with_columns(pl.Series(column, ["1", "one"]))
    assert fault(plays) == f"the frame: {column} is 'one' {PLACE}, expected a number"


def test_a_column_of_lists_is_rejected() -> None:
    plays = frame(run(), run()).with_columns(pl.Series("down", [[1], [2]]))
    assert "down" in fault(plays)


def test_numbers_written_as_text_are_parsed() -> None:
    plays = frame(run(), run()).with_columns(pl.col("down", "week", "sack").cast(pl.String))
    assert play_by_play.load(plays)["down"].to_list() == [1.0, 1.0]


@pytest.mark.parametrize("column", ["week", "game_id", "play_id", "home_team"])
def test_a_missing_required_value_is_rejected(column: str) -> None:
    kind = frame(run()).schema[column]
    plays = frame(run()).with_columns(pl.lit(None, kind).alias(column))
    assert f"{column} is missing in " in fault(plays)
