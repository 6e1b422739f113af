"""What there is to tell games by: of each season its two halves, of all of them the past.

A season is what its play-by-play and its schedule say; what a public table of games says beside
that (earlier seasons, closing lines) is used where the file `games.parquet` (or .csv) lies with
the play-by-play.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from hashmark.league.checks import holdout, rivals, simulated
from hashmark.league.checks.forecast import Floats
from hashmark.league.facts import pbp, schedule
from hashmark.league.facts.pbp_bounds import BrokenPlays
from hashmark.league.facts.schedule import Game, Schedule
from hashmark.table.errors import HashmarkError, listed

TABLE = ("games.parquet", "games.csv")
NEEDED = (
    "game_id",
    "season",
    "week",
    "gameday",
    "game_type",
    "home_team",
    "away_team",
    "location",
    "home_score",
    "away_score",
)
EXPECTED = "epa"
LINE = "spread_line"  # points by which the home team is favoured
Worth = Mapping[str, Mapping[str, float]]  # by way of counting: net expected points by game


@dataclass(frozen=True)
class Known:
    """A season: its odd weeks to learn from, its even weeks to be told, and the season before."""

    season: int
    odd: tuple[Game, ...]
    even: tuple[Game, ...]
    last: tuple[Game, ...]
    simulated: Floats  # mean points [game, home and away] of the even weeks, by the odd weeks
    simulated_last: Floats | None  # by last season; None where there are no charts of it
    expected: Worth | None  # None where the play-by-play has no such column
    expected_last: Worth | None


def found(folder: Path | None, wanted: Iterable[int] | None = None) -> list[int]:
    """The seasons whose play-by-play and schedule are there, or the wanted ones, which must be."""
    if wanted is not None:
        chosen = sorted(set(wanted))
        for season in chosen:
            schedule.load(season)
            pbp.find(season, folder)
        return chosen
    there = [season for season in schedule.seasons() if _path(season, folder) is not None]
    if not there:
        raise HashmarkError(
            f"no play-by-play of any season: there is no file such as pbp_2008.parquet in "
            f"{pbp.folder_of(folder)}; name its folder with --pbp, or by {pbp.FOLDER}"
        )
    return there


def read(
    season: int, folder: Path | None, runs: int, seed: int = 0, threads: int | None = None
) -> Known:
    """Read a season, build on its odd weeks, and play its even weeks."""
    even, odd = holdout.part_of(season, 0), holdout.part_of(season, 1)
    before = schedule.load(season - 1).regular if season - 1 in schedule.seasons() else ()
    there = bool(before) and _path(season - 1, folder) is not None
    frame = plays_of(season, folder)
    sizes = (runs, seed, threads)
    return Known(
        season,
        odd,
        even,
        before,
        simulated.from_odd_weeks(frame, season, even, *sizes),
        simulated.from_whole_season(season - 1, even, *sizes),
        expected_points(frame),
        expected_points(plays_of(season - 1, folder)) if there else None,
    )


def plays_of(season: int, folder: Path | None) -> pl.DataFrame:
    """The plays of a season, with their expected points if the file has them."""
    source = pbp.find(season, folder)
    try:
        return pbp.load(source, season, also=(EXPECTED,))
    except BrokenPlays:  # whatever else is wrong with it is told now
        return pbp.load(source, season)


def expected_points(frame: pl.DataFrame) -> Worth | None:
    """Net expected points by game of the regular season, each way; None without the column."""
    if EXPECTED not in frame.columns:
        return None
    plays = pbp.pick(frame)
    return {way: rivals.net_expected_points(plays, way) for way in rivals.EPA_WAYS}


def _path(season: int, folder: Path | None) -> Path | None:
    try:
        return pbp.find(season, folder)
    except BrokenPlays:
        return None


@dataclass(frozen=True)
class Outside:
    """What is known beside play-by-play: all schedules, and closing lines by game."""

    history: Mapping[int, Schedule]
    lines: Mapping[str, float] | None
    no_lines: str  # the sentence to say where lines are missing

    @classmethod
    def of(cls, folder: Path | None) -> Outside:
        known = {season: schedule.load(season) for season in schedule.seasons()}
        place = pbp.folder_of(folder)
        path = next((place / name for name in TABLE if (place / name).is_file()), None)
        if path is None:
            said = f"There is no {TABLE[0]} in {place}: the closing line is left out."
            return cls(known, None, said)
        rows = _rows(path)
        earlier = sorted({row["season"] for row in rows} - set(known))
        history = {season: schedule.from_table(rows, season) for season in earlier} | known
        lines = {row["game_id"]: float(row[LINE]) for row in rows if row.get(LINE) is not None}
        said = f"{path.name} has no closing line of some game: the closing line is left out."
        return cls(history, lines, said)


def _rows(path: Path) -> list[dict[str, Any]]:
    frame = pbp.read_table(path)
    lacking = [name for name in NEEDED if name not in frame.columns]
    if lacking:
        raise HashmarkError(f"{path.name} lacks the column {listed(lacking)}")
    kept = [*NEEDED, *([LINE] if LINE in frame.columns else [])]
    return frame.select(kept).filter(pl.col("season").is_not_null()).to_dicts()
