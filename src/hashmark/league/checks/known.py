"""Training data of forecasts: the two halves of each season, and the past of all of them.

A season consists of its play-by-play and its schedule. A public table of games (earlier seasons,
closing lines) is used as well if `games.parquet` (or .csv) is in the play-by-play directory.
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
LINE = "spread_line"  # points by which the home team is favored
Worth = Mapping[str, Mapping[str, float]]  # by method: net expected points by game


@dataclass(frozen=True)
class Known:
    """A season: odd weeks to fit on, even weeks to forecast, and the season before."""

    season: int
    odd: tuple[Game, ...]
    even: tuple[Game, ...]
    last: tuple[Game, ...]
    simulated: Floats  # mean points [game, home and away] of the even weeks, from the odd weeks
    simulated_last: Floats | None  # the same from last season; None without charts of it
    expected: Worth | None  # None if the play-by-play has no such column
    expected_last: Worth | None


def found(folder: Path | None, wanted: Iterable[int] | None = None) -> list[int]:
    """Return the seasons with play-by-play and schedule, or the wanted ones, which must exist."""
    if wanted is not None:
        chosen = sorted(set(wanted))
        for season in chosen:
            schedule.load(season)
            pbp.find(season, folder)
        return chosen
    available = [season for season in schedule.seasons() if _find_plays(season, folder) is not None]
    if not available:
        raise HashmarkError(
            f"no play-by-play of any season: there is no file such as pbp_2008.parquet in "
            f"{pbp.folder_of(folder)}; name its folder with --pbp, or by {pbp.FOLDER}"
        )
    return available


def read(
    season: int, folder: Path | None, runs: int, seed: int = 0, threads: int | None = None
) -> Known:
    """Load a season, build charts from its odd weeks, and play its even weeks."""
    even, odd = holdout.part_of(season, 0), holdout.part_of(season, 1)
    last_games = schedule.load(season - 1).regular if season - 1 in schedule.seasons() else ()
    has_last_plays = bool(last_games) and _find_plays(season - 1, folder) is not None
    frame = plays_of(season, folder)
    run_options = (runs, seed, threads)
    return Known(
        season,
        odd,
        even,
        last_games,
        simulated.from_odd_weeks(frame, season, even, *run_options),
        simulated.from_whole_season(season - 1, even, *run_options),
        expected_points(frame),
        expected_points(plays_of(season - 1, folder)) if has_last_plays else None,
    )


def plays_of(season: int, folder: Path | None) -> pl.DataFrame:
    """Return the plays of a season, with expected points added (EPA) if the file has them."""
    source = pbp.find(season, folder)
    try:
        return pbp.load(source, season, also=(EXPECTED,))
    except BrokenPlays:  # any other defect raises an error now
        return pbp.load(source, season)


def expected_points(frame: pl.DataFrame) -> Worth | None:
    """Return net EPA by game of the regular season for each method; None without the column."""
    if EXPECTED not in frame.columns:
        return None
    plays = pbp.pick(frame)
    return {method: rivals.net_expected_points(plays, method) for method in rivals.EPA_WAYS}


def _find_plays(season: int, folder: Path | None) -> Path | None:
    try:
        return pbp.find(season, folder)
    except BrokenPlays:
        return None


@dataclass(frozen=True)
class Outside:
    """Data other than play-by-play: all schedules, and closing lines by game."""

    history: Mapping[int, Schedule]
    lines: Mapping[str, float] | None
    no_lines: str  # sentence for reports without closing lines

    @classmethod
    def of(cls, folder: Path | None) -> Outside:
        schedules = {season: schedule.load(season) for season in schedule.seasons()}
        directory = pbp.folder_of(folder)
        path = next((directory / name for name in TABLE if (directory / name).is_file()), None)
        if path is None:
            note = f"There is no {TABLE[0]} in {directory}: the closing line is left out."
            return cls(schedules, None, note)
        rows = _read_games(path)
        earlier = sorted({row["season"] for row in rows} - set(schedules))
        history = {season: schedule.from_table(rows, season) for season in earlier} | schedules
        lines = {row["game_id"]: float(row[LINE]) for row in rows if row.get(LINE) is not None}
        note = f"{path.name} has no closing line of some game: the closing line is left out."
        return cls(history, lines, note)


def _read_games(path: Path) -> list[dict[str, Any]]:
    frame = pbp.read_table(path)
    missing = [name for name in NEEDED if name not in frame.columns]
    if missing:
        raise HashmarkError(f"{path.name} lacks the column {listed(missing)}")
    columns = [*NEEDED, *([LINE] if LINE in frame.columns else [])]
    return frame.select(columns).filter(pl.col("season").is_not_null()).to_dicts()
