"""What play-by-play may hold: values that can be, teams that play, and enough of everything.

Charts are averages of thousands of plays. A single value that cannot be (a gain of 999 yards, a
clock of minus one) would be averaged in without a word, or break a sum somewhere far from here;
and of a handful of plays there is nothing to average.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import polars as pl

from hashmark.table.errors import HashmarkError
from hashmark.table.readable import plain, shown

YARDS = (-110, 110)  # the field with both end zones is 120 long
GAIN = (-99, 99)  # from the line of scrimmage
SCORE = (0, 250)
RANGES: Mapping[str, tuple[int, int]] = {
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
    "home_score": SCORE,
    "away_score": SCORE,
    "posteam_score": SCORE,
    "defteam_score": SCORE,
    "score_differential": (-250, 250),
    "posteam_timeouts_remaining": (-3, 6),
    "defteam_timeouts_remaining": (-3, 6),
    "fixed_drive": (0, 500),
    "yards_gained": GAIN,
    "air_yards": YARDS,
    "fumble_recovery_1_yards": YARDS,
    "return_yards": YARDS,
    "penalty_yards": YARDS,
    "kick_distance": YARDS,
}
NEEDED = ("season", "week", "game_id", "play_id", "season_type", "home_team", "away_team")
PARTS = ("REG", "POST", "PRE")
SIDES = (
    "posteam",
    "defteam",
    "penalty_team",
    "timeout_team",
    "return_team",
    "td_team",
    "fumbled_1_team",
    "fumble_recovery_1_team",
)
PLAYED = ("run", "pass", "punt", "field_goal", "kickoff", "extra_point")
CODE = r"^[A-Za-z0-9]{1,5}$"


class BrokenPlays(HashmarkError):
    """Play-by-play that cannot be used, with what is wrong with it."""


def check(plays: pl.DataFrame, name: str, flags: Iterable[str] = ()) -> None:
    """Refuse a value that cannot be, with its column and its play; numbers are floats here."""
    for column in NEEDED:
        if plays[column].null_count():
            missing = plays.filter(pl.col(column).is_null()).row(0, named=True)
            raise BrokenPlays(f"{name}: {column} is missing in {place(missing)}")
    faults = list(_faults(flags))
    found = plays.select(wrong.any().alias(str(at)) for at, (_, wrong, _) in enumerate(faults))
    for (column, wrong, why), any_wrong in zip(faults, found.row(0), strict=True):
        if any_wrong:
            row = plays.filter(wrong).row(0, named=True)
            raise BrokenPlays(f"{name}: {column} is {said(row[column])} in {place(row)}, {why}")


def _faults(flags: Iterable[str]) -> Iterator[tuple[str, pl.Expr, str]]:
    """The column, when its value cannot be, and what is allowed."""
    for column, (low, high) in RANGES.items():
        of = pl.col(column)
        yield column, ~of.is_between(low, high), f"not between {low} and {high}"
        yield column, of != of.round(), "not a whole number"
    for column in flags:
        yield column, ~pl.col(column).is_in([0.0, 1.0]), "not 0 or 1"
    yield "season_type", ~pl.col("season_type").is_in(PARTS), f"not one of {', '.join(PARTS)}"
    for column in ("home_team", "away_team"):
        wrong = ~pl.col(column).str.contains(CODE)
        yield column, wrong, "not a code of up to five letters"
    yield "away_team", pl.col("home_team") == pl.col("away_team"), "home as well"
    for column in SIDES:
        of = pl.col(column)
        strange = (of != pl.col("home_team")) & (of != pl.col("away_team"))
        yield column, strange, "neither of the two teams"
    alone = pl.col("posteam").is_null() | pl.col("defteam").is_null()
    lonely = pl.col("play_type").is_in(PLAYED) & alone
    yield "play_type", lonely, "a play, but without its two teams"


def place(row: Mapping[str, Any]) -> str:
    """Where a row is: `play 36 of game 2008_01_ARI_SF`."""
    number, game = row["play_id"], row["game_id"]
    play = "a play" if number is None else f"play {said(number)}"
    return f"{play} of {'a game' if game is None else f'game {plain(str(game))}'}"


def said(value: Any) -> str:
    """A value as a person would write it: 999 and not 999.0."""
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
    return shown(int(value) if whole else value)


def to_numbers(plays: pl.DataFrame, columns: Iterable[str], name: str) -> pl.DataFrame:
    """These columns as floats, null where there is nothing; what is no number is refused."""
    names = list(columns)
    try:
        return plays.with_columns(pl.col(one).cast(pl.Float64).fill_nan(None) for one in names)
    except pl.exceptions.PolarsError:
        for one in names:
            _check_numbers(plays, one, name)
        raise


def _check_numbers(plays: pl.DataFrame, column: str, name: str) -> None:
    try:
        cast = plays[column].cast(pl.Float64, strict=False)
    except pl.exceptions.PolarsError:
        kind = plays.schema[column]
        raise BrokenPlays(f"{name}: {column} holds {kind}, numbers are expected") from None
    wrong = plays.filter(cast.is_null() & plays[column].is_not_null())
    if not wrong.is_empty():
        row = wrong.row(0, named=True)
        raise BrokenPlays(
            f"{name}: {column} is {shown(row[column])} in {place(row)}, a number is expected"
        )


LEAST = {  # plays that there must be to make charts of, in the whole league
    "run": 30,
    "pass": 30,
    "punt": 5,
    "kickoff": 5,
    "field_goal": 5,
    "extra_point": 5,
}
LEAST_OF_TEAM = 20  # runs and passes of each team


def check_enough(plays: pl.DataFrame) -> None:
    """Refuse what is too little to make charts of."""
    counts = dict(plays.group_by("play_type").len().iter_rows())
    for kind, least in LEAST.items():
        if counts.get(kind, 0) < least:
            raise BrokenPlays(
                f"too little play-by-play for charts: {counts.get(kind, 0)} plays of type {kind}, "
                f"at least {least} are needed"
            )
    own = dict(
        plays.filter(pl.col("play_type").is_in(["run", "pass"]))
        .group_by("posteam")
        .len()
        .iter_rows()
    )
    for team in sorted({*plays["home_team"], *plays["away_team"]}):
        if own.get(team, 0) < LEAST_OF_TEAM:
            raise BrokenPlays(
                f"too little play-by-play for charts: {own.get(team, 0)} runs and passes of "
                f"{team}, at least {LEAST_OF_TEAM} are needed"
            )


def check_columns(counts: Mapping[str, float], columns: tuple[str, ...]) -> None:
    """Refuse a season in which a kind of play was never seen."""
    for column in columns:
        if counts.get(column, 0) < 1:
            raise BrokenPlays(f"too little play-by-play for charts: there is no {column} in it")


@contextmanager
def enough_for(what: str) -> Iterator[None]:
    """Averages of nothing are a matter of the plays: say so wherever one is missed.

    A season has tens of thousands of plays, with every kind of rare event in every column. What
    is a part of one, or invented, may lack any of them, and the sums that would need it are many.
    """
    import numpy as np

    try:
        with np.errstate(all="ignore"):
            yield
    except (ArithmeticError, LookupError, ValueError, pl.exceptions.PolarsError) as fault:
        raise BrokenPlays(
            f"these plays are too few or too strange to make {what} of: something that every "
            f"season has is missing ({type(fault).__name__}: {fault})"
        ) from fault
