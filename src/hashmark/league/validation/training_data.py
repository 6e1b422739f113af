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

from hashmark.errors import HashmarkError, join_names
from hashmark.league.data import play_by_play, schedule
from hashmark.league.data.arrays import Floats
from hashmark.league.data.play_checks import BrokenPlays
from hashmark.league.data.schedule import Schedule, ScheduledGame
from hashmark.league.validation import baselines, out_of_sample, simulated_forecast

GAME_TABLE_NAMES = ("games.parquet", "games.csv")
REQUIRED_COLUMNS = (
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
EPA_COLUMN = "epa"
SPREAD_COLUMN = "spread_line"  # points by which the home team is favored
NetExpectedPoints = Mapping[str, Mapping[str, float]]  # by method: net expected points by game


@dataclass(frozen=True)
class SeasonData:
    """A season: odd weeks to fit on, even weeks to forecast, and the season before."""

    season: int
    odd: tuple[ScheduledGame, ...]
    even: tuple[ScheduledGame, ...]
    last_games: tuple[ScheduledGame, ...]
    simulated: Floats  # mean points [game, home and away] of the even weeks, from the odd weeks
    simulated_last: Floats | None  # the same from last season; None without charts of it
    expected: NetExpectedPoints | None  # None if the play-by-play has no such column
    expected_last: NetExpectedPoints | None


def find_seasons(folder: Path | None, wanted: Iterable[int] | None = None) -> list[int]:
    """Return the seasons with play-by-play and schedule, or the wanted ones, which must exist."""
    if wanted is not None:
        chosen = sorted(set(wanted))
        for season in chosen:
            schedule.load(season)
            play_by_play.find_season_file(season, folder)
        return chosen
    available = [
        season for season in schedule.available_seasons() if _find_plays(season, folder) is not None
    ]
    if not available:
        raise HashmarkError(
            f"no play-by-play of any season: there is no file such as pbp_2008.parquet in "
            f"{play_by_play.play_folder(folder)}; name its folder with --pbp, or by "
            f"{play_by_play.FOLDER_VARIABLE}"
        )
    return available


def load_season(
    season: int, folder: Path | None, runs: int, seed: int = 0, threads: int | None = None
) -> SeasonData:
    """Load a season, build charts from its odd weeks, and play its even weeks."""
    even, odd = (
        out_of_sample.half_season_games(season, 0),
        out_of_sample.half_season_games(season, 1),
    )
    last_games = (
        schedule.load(season - 1).regular if season - 1 in schedule.available_seasons() else ()
    )
    has_last_plays = bool(last_games) and _find_plays(season - 1, folder) is not None
    frame = load_plays(season, folder)
    run_options = (runs, seed, threads)
    return SeasonData(
        season,
        odd,
        even,
        last_games,
        simulated_forecast.from_odd_weeks(frame, season, even, *run_options),
        simulated_forecast.from_whole_season(season - 1, even, *run_options),
        net_epa_by_method(frame),
        net_epa_by_method(load_plays(season - 1, folder)) if has_last_plays else None,
    )


def load_plays(season: int, folder: Path | None) -> pl.DataFrame:
    """Return the plays of a season, with expected points added (EPA) if the file has them."""
    source = play_by_play.find_season_file(season, folder)
    try:
        return play_by_play.load(source, season, extra_columns=(EPA_COLUMN,))
    except BrokenPlays:  # any other defect raises an error now
        return play_by_play.load(source, season)


def net_epa_by_method(frame: pl.DataFrame) -> NetExpectedPoints | None:
    """Return net EPA by game of the regular season for each method; None without the column."""
    if EPA_COLUMN not in frame.columns:
        return None
    plays = play_by_play.select_plays(frame)
    return {
        method: baselines.net_expected_points(plays, method) for method in baselines.EPA_METHODS
    }


def _find_plays(season: int, folder: Path | None) -> Path | None:
    try:
        return play_by_play.find_season_file(season, folder)
    except BrokenPlays:
        return None


@dataclass(frozen=True)
class PublicGameData:
    """Data other than play-by-play: all schedules, and closing lines by game."""

    history: Mapping[int, Schedule]
    lines: Mapping[str, float] | None
    missing_lines_note: str  # sentence for reports without closing lines

    @classmethod
    def load(cls, folder: Path | None) -> PublicGameData:
        schedules = {season: schedule.load(season) for season in schedule.available_seasons()}
        directory = play_by_play.play_folder(folder)
        path = next(
            (directory / name for name in GAME_TABLE_NAMES if (directory / name).is_file()), None
        )
        if path is None:
            note = f"No {GAME_TABLE_NAMES[0]} in {directory}: the closing-line baseline is omitted."
            return cls(schedules, None, note)
        rows = _read_games(path)
        earlier = sorted({row["season"] for row in rows} - set(schedules))
        history = {season: schedule.from_game_rows(rows, season) for season in earlier} | schedules
        lines = {
            row["game_id"]: float(row[SPREAD_COLUMN])
            for row in rows
            if row.get(SPREAD_COLUMN) is not None
        }
        note = f"{path.name} lacks some closing lines: the closing-line baseline is omitted."
        return cls(history, lines, note)


def _read_games(path: Path) -> list[dict[str, Any]]:
    frame = play_by_play.read_table(path)
    missing = [name for name in REQUIRED_COLUMNS if name not in frame.columns]
    if missing:
        raise HashmarkError(f"{path.name} lacks the column {join_names(missing)}")
    columns = [*REQUIRED_COLUMNS, *([SPREAD_COLUMN] if SPREAD_COLUMN in frame.columns else [])]
    return frame.select(columns).filter(pl.col("season").is_not_null()).to_dicts()
