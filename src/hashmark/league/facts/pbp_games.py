"""What the plays of a game must agree on, whatever the season.

Every play stands there once. All plays of a game name the same season, week and teams; its score
never falls. A file that was joined, sorted or cut by mistake shows here; no chart is made of it.
"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from hashmark.league.facts.pbp_bounds import BrokenPlays, place
from hashmark.table.readable import plain, shown

AGREED = (
    "season",
    "week",
    "season_type",
    "home_team",
    "away_team",
    "home_score",
    "away_score",
)
YEAR = r"^(\d{4})_"  # with which a game's id begins
FEW = 0.5  # of the games asked for: a season with fewer is not meant to be there


def check(plays: pl.DataFrame) -> None:
    """Refuse plays that stand there twice, and games that do not agree with themselves."""
    _check_once(plays)
    _check_agreed(plays)
    _check_year(plays)
    _check_scores(plays)


def _check_once(plays: pl.DataFrame) -> None:
    twice = plays.filter(plays.select("game_id", "play_id").is_duplicated())
    if twice.is_empty():
        return
    kinds = twice.select("game_id", "play_id").n_unique()
    more = f", and {kinds - 1} others too" if kinds > 1 else ""
    where = place(twice.row(0, named=True))
    raise BrokenPlays(f"{where} stands there more than once{more}: a play may be there only once")


def _check_agreed(plays: pl.DataFrame) -> None:
    kinds = plays.group_by("game_id", maintain_order=True).agg(
        pl.col(column).drop_nulls().n_unique() for column in AGREED
    )
    wrong = kinds.filter(pl.any_horizontal(pl.col(column) > 1 for column in AGREED))
    if wrong.is_empty():
        return
    row = wrong.row(0, named=True)
    column = next(one for one in AGREED if row[one] > 1)
    found = plays.filter(pl.col("game_id") == row["game_id"])[column].drop_nulls()
    values = " and ".join(map(_value, found.unique(maintain_order=True)[:2]))
    raise BrokenPlays(
        f"the plays of game {plain(str(row['game_id']))} have {values} as {column}: all plays of "
        "a game must have the same"
    )


def _value(value: object) -> str:
    return shown(int(value) if isinstance(value, float) else value)


def _check_year(plays: pl.DataFrame) -> None:
    games = plays.select("game_id", "season").unique(maintain_order=True)
    wrong = games.filter(
        pl.col("game_id").str.extract(YEAR).cast(pl.Int64, strict=False) != pl.col("season")
    )
    if not wrong.is_empty():
        game, season = wrong.row(0)
        raise BrokenPlays(
            f"the plays of game {plain(str(game))} are said to be of the season {int(season)}: "
            "the id of a game must begin with its season"
        )


def _check_scores(plays: pl.DataFrame) -> None:
    """Points of home and visitors before each play, in order."""
    at_home = pl.col("posteam") == pl.col("home_team")
    own, other = pl.col("posteam_score"), pl.col("defteam_score")
    known = plays.filter(at_home.is_not_null() & own.is_not_null() & other.is_not_null())
    scores = known.select(
        "game_id",
        "play_id",
        home=pl.when(at_home).then(own).otherwise(other),
        away=pl.when(at_home).then(other).otherwise(own),
    ).with_columns(
        before_home=pl.col("home").shift().over("game_id"),
        before_away=pl.col("away").shift().over("game_id"),
    )
    for side in ("home", "away"):
        fallen = scores.filter(pl.col(side) < pl.col(f"before_{side}"))
        if not fallen.is_empty():
            row = fallen.row(0, named=True)
            raise BrokenPlays(
                f"the score of the {side} team falls from {row[f'before_{side}']:g} to "
                f"{row[side]:g} in {place(row)}: plays must be in order, and a score never falls"
            )


def check_others(plays: pl.DataFrame, season: int) -> None:
    """Whole seasons may stand side by side; a few games of another are there by mistake."""
    counted: Mapping[int, int] = dict(
        plays.group_by("season").agg(pl.col("game_id").n_unique()).sort("season").iter_rows()
    )
    for other, games in counted.items():
        if other != season and games < FEW * counted[season]:
            first = plays.filter(pl.col("season") == other).row(0, named=True)
            raise BrokenPlays(
                f"{place(first)} is of the season {other}, not of {season}: {games} of the games "
                f"are, too few to be a season; only whole seasons may stand side by side"
            )
