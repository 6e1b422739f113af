"""Consistency checks of whole games, independent of the season.

Every play occurs once, all plays of a game name the same season, week and teams, and its score
never decreases. This detects files that were joined, sorted or truncated by mistake.
"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from hashmark.league.data.play_checks import BrokenPlays, describe_play
from hashmark.sanitize import quote, shorten

CONSTANT_COLUMNS = (
    "season",
    "week",
    "season_type",
    "home_team",
    "away_team",
    "home_score",
    "away_score",
)
GAME_ID_YEAR_PATTERN = r"^(\d{4})_"  # prefix of a game id
MIN_SEASON_SHARE = (
    0.5  # share of the requested season's games; a season with fewer is there by mistake
)


def check_games(plays: pl.DataFrame) -> None:
    """Reject duplicate plays and games whose plays contradict each other."""
    _check_duplicates(plays)
    _check_agreement(plays)
    _check_season(plays)
    _check_scores(plays)


def _check_duplicates(plays: pl.DataFrame) -> None:
    duplicates = plays.filter(plays.select("game_id", "play_id").is_duplicated())
    if duplicates.is_empty():
        return
    distinct = duplicates.select("game_id", "play_id").n_unique()
    more = f", and {distinct - 1} others too" if distinct > 1 else ""
    first = describe_play(duplicates.row(0, named=True))
    raise BrokenPlays(f"{first} appears more than once{more}: every play must be unique")


def _check_agreement(plays: pl.DataFrame) -> None:
    distinct = plays.group_by("game_id", maintain_order=True).agg(
        pl.col(column).drop_nulls().n_unique() for column in CONSTANT_COLUMNS
    )
    conflicting = distinct.filter(
        pl.any_horizontal(pl.col(column) > 1 for column in CONSTANT_COLUMNS)
    )
    if conflicting.is_empty():
        return
    row = conflicting.row(0, named=True)
    column = next(name for name in CONSTANT_COLUMNS if row[name] > 1)
    seen = plays.filter(pl.col("game_id") == row["game_id"])[column].drop_nulls()
    values = " and ".join(map(_format, seen.unique(maintain_order=True)[:2]))
    raise BrokenPlays(
        f"the plays of game {shorten(str(row['game_id']))} have {values} as {column}: all plays of "
        "a game must agree"
    )


def _format(value: object) -> str:
    return quote(int(value) if isinstance(value, float) else value)


def _check_season(plays: pl.DataFrame) -> None:
    games = plays.select("game_id", "season").unique(maintain_order=True)
    mismatched = games.filter(
        pl.col("game_id").str.extract(GAME_ID_YEAR_PATTERN).cast(pl.Int64, strict=False)
        != pl.col("season")
    )
    if not mismatched.is_empty():
        game, season = mismatched.row(0)
        raise BrokenPlays(
            f"the plays of game {shorten(str(game))} are said to be of the season {int(season)}: "
            "the id of a game must begin with its season"
        )


def _check_scores(plays: pl.DataFrame) -> None:
    """Reject a score of either team that decreases from one play to the next."""
    has_home = pl.col("posteam") == pl.col("home_team")
    own, other = pl.col("posteam_score"), pl.col("defteam_score")
    known = plays.filter(has_home.is_not_null() & own.is_not_null() & other.is_not_null())
    scores = known.select(
        "game_id",
        "play_id",
        home=pl.when(has_home).then(own).otherwise(other),
        away=pl.when(has_home).then(other).otherwise(own),
    ).with_columns(
        before_home=pl.col("home").shift().over("game_id"),
        before_away=pl.col("away").shift().over("game_id"),
    )
    for side in ("home", "away"):
        decreased = scores.filter(pl.col(side) < pl.col(f"before_{side}"))
        if not decreased.is_empty():
            row = decreased.row(0, named=True)
            raise BrokenPlays(
                f"the score of the {side} team falls from {row[f'before_{side}']:g} to "
                f"{row[side]:g} in {describe_play(row)}: plays must be in order, and a score never "
                "falls"
            )


def check_other_seasons(plays: pl.DataFrame, season: int) -> None:
    """Reject a few stray games of another season; whole seasons may share a file."""
    games_by_season: Mapping[int, int] = dict(
        plays.group_by("season").agg(pl.col("game_id").n_unique()).sort("season").iter_rows()
    )
    for other, games in games_by_season.items():
        if other != season and games < MIN_SEASON_SHARE * games_by_season[season]:
            first = plays.filter(pl.col("season") == other).row(0, named=True)
            raise BrokenPlays(
                f"{describe_play(first)} is of the season {other}, not of {season}: {games} of the "
                "games are, too few to be a season; only whole seasons may stand side by side"
            )
