"""Checks of single plays: possible values, consistent teams, and enough plays for charts.

Charts are averages over thousands of plays. An impossible value (a gain of 999 yards, a clock of
-1) would silently distort an average or fail far from here, and a handful of plays is too small a
sample to average.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import polars as pl

from hashmark.errors import HashmarkError
from hashmark.sanitize import quote, shorten

YARDS_RANGE = (-110, 110)  # the field is 120 yards long with both end zones
GAIN_RANGE = (-99, 99)  # from the line of scrimmage
SCORE_RANGE = (0, 250)
COLUMN_RANGES: Mapping[str, tuple[int, int]] = {
    "season": (1900, 2200),
    "week": (0, 40),
    "play_id": (0, 10**7),
    "qtr": (1, 20),
    "quarter_seconds_remaining": (0, 900),
    "half_seconds_remaining": (0, 1800),
    "game_seconds_remaining": (0, 3600),
    "down": (0, 4),
    "ydstogo": (0, 99),
    "yardline_100": (0, 100),
    "home_score": SCORE_RANGE,
    "away_score": SCORE_RANGE,
    "posteam_score": SCORE_RANGE,
    "defteam_score": SCORE_RANGE,
    "score_differential": (-250, 250),
    "posteam_timeouts_remaining": (-3, 6),
    "defteam_timeouts_remaining": (-3, 6),
    "fixed_drive": (0, 500),
    "yards_gained": GAIN_RANGE,
    "air_yards": YARDS_RANGE,
    "fumble_recovery_1_yards": YARDS_RANGE,
    "return_yards": YARDS_RANGE,
    "penalty_yards": YARDS_RANGE,
    "kick_distance": YARDS_RANGE,
}
REQUIRED_COLUMNS = ("season", "week", "game_id", "play_id", "season_type", "home_team", "away_team")
SEASON_TYPES = ("REG", "POST", "PRE")
TEAM_COLUMNS = (
    "posteam",
    "defteam",
    "penalty_team",
    "timeout_team",
    "return_team",
    "td_team",
    "fumbled_1_team",
    "fumble_recovery_1_team",
)
PLAY_TYPES_WITH_TEAMS = ("run", "pass", "punt", "field_goal", "kickoff", "extra_point")
TEAM_CODE_PATTERN = r"^[A-Za-z0-9]{1,5}$"


class BrokenPlays(HashmarkError):
    """Play-by-play that cannot be used, with the reason."""


def check_values(plays: pl.DataFrame, name: str, flags: Iterable[str] = ()) -> None:
    """Reject an impossible value and name its column and play; numbers are floats here."""
    for column in REQUIRED_COLUMNS:
        if plays[column].null_count():
            missing = plays.filter(pl.col(column).is_null()).row(0, named=True)
            raise BrokenPlays(f"{name}: {column} is missing in {describe_play(missing)}")
    faults = list(_conditions(flags))
    results = plays.select(
        is_wrong.any().alias(str(index)) for index, (_, is_wrong, _) in enumerate(faults)
    )
    for (column, is_wrong, allowed), has_fault in zip(faults, results.row(0), strict=True):
        if has_fault:
            row = plays.filter(is_wrong).row(0, named=True)
            raise BrokenPlays(
                f"{name}: {column} is {format_value(row[column])} in {describe_play(row)}, "
                f"{allowed}"
            )


def _conditions(flags: Iterable[str]) -> Iterator[tuple[str, pl.Expr, str]]:
    """Yield each column with the condition for an invalid value and what is allowed."""
    for column, (low, high) in COLUMN_RANGES.items():
        value = pl.col(column)
        yield column, ~value.is_between(low, high), f"not between {low} and {high}"
        yield column, value != value.round(), "not a whole number"
    for column in flags:
        yield column, ~pl.col(column).is_in([0.0, 1.0]), "not 0 or 1"
    yield (
        "season_type",
        ~pl.col("season_type").is_in(SEASON_TYPES),
        f"not one of {', '.join(SEASON_TYPES)}",
    )
    for column in ("home_team", "away_team"):
        malformed = ~pl.col(column).str.contains(TEAM_CODE_PATTERN)
        yield column, malformed, "not a code of up to five letters"
    yield "away_team", pl.col("home_team") == pl.col("away_team"), "the same as the home team"
    for column in TEAM_COLUMNS:
        value = pl.col(column)
        foreign = (value != pl.col("home_team")) & (value != pl.col("away_team"))
        yield column, foreign, "neither of the two teams"
    lacks_team = pl.col("posteam").is_null() | pl.col("defteam").is_null()
    teamless = pl.col("play_type").is_in(PLAY_TYPES_WITH_TEAMS) & lacks_team
    yield "play_type", teamless, "a play without both of its teams"


def describe_play(row: Mapping[str, Any]) -> str:
    """Describe the position of a row: `play 36 of game 2008_01_ARI_SF`."""
    number, game = row["play_id"], row["game_id"]
    play = "a play" if number is None else f"play {format_value(number)}"
    return f"{play} of {'a game' if game is None else f'game {shorten(str(game))}'}"


def format_value(value: object) -> str:
    """Format a value for a message: 999 rather than 999.0."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return quote(int(value))
    return quote(value)


def to_numbers(plays: pl.DataFrame, columns: Iterable[str], name: str) -> pl.DataFrame:
    """Cast these columns to floats, null where empty; reject values that are not numbers."""
    names = list(columns)
    try:
        return plays.with_columns(
            pl.col(column).cast(pl.Float64).fill_nan(None) for column in names
        )
    except pl.exceptions.PolarsError:
        for column in names:
            _check_numbers(plays, column, name)
        raise


def _check_numbers(plays: pl.DataFrame, column: str, name: str) -> None:
    try:
        cast = plays[column].cast(pl.Float64, strict=False)
    except pl.exceptions.PolarsError:
        dtype = plays.schema[column]
        raise BrokenPlays(f"{name}: {column} holds {dtype}, expected numbers") from None
    wrong = plays.filter(cast.is_null() & plays[column].is_not_null())
    if not wrong.is_empty():
        row = wrong.row(0, named=True)
        raise BrokenPlays(
            f"{name}: {column} is {quote(row[column])} in {describe_play(row)}, expected a number"
        )


MIN_LEAGUE_PLAYS = {  # plays of the whole league that charts need, by type
    "run": 30,
    "pass": 30,
    "punt": 5,
    "kickoff": 5,
    "field_goal": 5,
    "extra_point": 5,
}
MIN_TEAM_PLAYS = 20  # runs and passes that charts need from each team


def check_sample_size(plays: pl.DataFrame) -> None:
    """Reject a sample that is too small to build charts from."""
    counts = dict(plays.group_by("play_type").len().iter_rows())
    for kind, least in MIN_LEAGUE_PLAYS.items():
        if counts.get(kind, 0) < least:
            raise BrokenPlays(
                f"too little play-by-play for charts: {counts.get(kind, 0)} plays of type {kind}, "
                f"at least {least} are needed"
            )
    by_team = dict(
        plays.filter(pl.col("play_type").is_in(["run", "pass"]))
        .group_by("posteam")
        .len()
        .iter_rows()
    )
    for team in sorted({*plays["home_team"], *plays["away_team"]}):
        if by_team.get(team, 0) < MIN_TEAM_PLAYS:
            raise BrokenPlays(
                f"too little play-by-play for charts: {by_team.get(team, 0)} runs and passes of "
                f"{team}, at least {MIN_TEAM_PLAYS} are needed"
            )


def check_all_columns_seen(counts: Mapping[str, float], columns: tuple[str, ...]) -> None:
    """Reject a season in which some chart column has no play."""
    for column in columns:
        if counts.get(column, 0) < 1:
            raise BrokenPlays(f"too little play-by-play for charts: it has no {column}")


@contextmanager
def translate_sparse_data_errors(what: str) -> Iterator[None]:
    """Turn errors caused by missing kinds of plays into `BrokenPlays`.

    A season has tens of thousands of plays, with every rare event in every column. A partial or
    invented season may lack any of them, and many computations would fail without them.
    """
    import numpy as np

    try:
        with np.errstate(all="ignore"):
            yield
    except (ArithmeticError, LookupError, ValueError, pl.exceptions.PolarsError) as fault:
        raise BrokenPlays(
            f"cannot make {what} from these plays: they lack something that every season has "
            f"({type(fault).__name__}: {fault})"
        ) from fault
