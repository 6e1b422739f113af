"""Invented play-by-play, row by row."""

from __future__ import annotations

from typing import Any

import polars as pl

from hashmark.league.data import play_by_play


def row(**given: Any) -> dict[str, Any]:
    """Return a row with every column; columns that are not given are null or 0."""
    values: dict[str, Any] = dict.fromkeys(play_by_play.TEXT_COLUMNS)
    values |= dict.fromkeys(play_by_play.NUMBER_COLUMNS, None)
    values |= dict.fromkeys(play_by_play.FLAG_COLUMNS, 0.0)
    week = int(given.get("week", 1))
    values |= {"season": 2030, "week": 1, "season_type": "REG", "game_id": f"2030_{week:02}_B_A"}
    values |= {"home_team": "A", "away_team": "B", "home_score": 20, "away_score": 17}
    values |= {"posteam": "A", "defteam": "B", "down": 1.0, "ydstogo": 10.0, "yardline_100": 60.0}
    values |= {
        "desc": "a play",
        "qtr": 1.0,
        "half_seconds_remaining": 900.0,
        "score_differential": 0.0,
    }
    return values | given


def frame(*rows: dict[str, Any]) -> pl.DataFrame:
    """Return the rows as a frame; plays without a number are numbered."""
    return pl.DataFrame(
        [{**play, "play_id": play["play_id"] or number} for number, play in enumerate(rows, 1)],
        schema={
            **dict.fromkeys(play_by_play.INTEGER_COLUMNS, pl.Int32),
            **dict.fromkeys(play_by_play.TEXT_COLUMNS, pl.String),
            **dict.fromkeys(play_by_play.NUMBER_COLUMNS, pl.Float64),
            **dict.fromkeys(play_by_play.FLAG_COLUMNS, pl.Float64),
        },
    )


def run(gap: str | None = None, where: str = "left", **given: Any) -> dict[str, Any]:
    kinds = {"play_type": "run", "rush_attempt": 1.0, "run_location": where, "run_gap": gap}
    return row(**{**kinds, "yards_gained": 4.0, **given})


def pass_play(air: float | None, where: str | None = "left", **given: Any) -> dict[str, Any]:
    kinds = {"play_type": "pass", "pass_attempt": 1.0, "air_yards": air, "pass_location": where}
    return row(**{**kinds, "complete_pass": 1.0, "yards_gained": 9.0, **given})
