"""Play-by-play of a season in the nflverse layout: found, read, checked, brought into one form.

`load` takes a path (Parquet, CSV, CSV.gz), several, a folder, a polars or a pandas frame, and
gives one polars frame of one season in order of play, regular season and postseason:

- flags (`FLAGS`) are whole numbers 0 or 1, never null;
- numbers (`NUMBERS`) are floats, null where the data says nothing;
- `season` and `week` are whole numbers, everything else is text;
- team codes are today's in every season, as the data has them (`LA`, `LAC`, `LV`).

What cannot be (`pbp_bounds.py`, `pbp_games.py`) is refused; whether all games of the season are
there is another question (`coverage.py`).

Only the columns named here are kept, and those that `also` names.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl

from hashmark.league.facts import pbp_bounds, pbp_games
from hashmark.league.facts.pbp_bounds import BrokenPlays
from hashmark.table.errors import listed
from hashmark.table.readable import plain, shown

WHOLE = ("season", "week")
TEXT = (
    "game_id",
    "season_type",
    "home_team",
    "away_team",
    "location",
    "posteam",
    "defteam",
    "desc",
    "play_type",
    "run_location",
    "run_gap",
    "pass_length",
    "pass_location",
    "fumbled_1_team",
    "fumble_recovery_1_team",
    "penalty_team",
    "penalty_type",
    "td_team",
    "timeout_team",
    "return_team",
    "extra_point_result",
    "two_point_conv_result",
    "field_goal_result",
)
NUMBERS = (
    "play_id",
    "qtr",
    "quarter_seconds_remaining",
    "half_seconds_remaining",
    "game_seconds_remaining",
    "down",
    "ydstogo",
    "yardline_100",
    "home_score",
    "away_score",
    "posteam_score",
    "defteam_score",
    "score_differential",
    "posteam_timeouts_remaining",
    "defteam_timeouts_remaining",
    "fixed_drive",
    "yards_gained",
    "air_yards",
    "fumble_recovery_1_yards",
    "return_yards",
    "penalty_yards",
    "kick_distance",
)
FLAGS = (
    "aborted_play",
    "shotgun",
    "no_huddle",
    "qb_kneel",
    "qb_spike",
    "qb_scramble",
    "rush_attempt",
    "pass_attempt",
    "complete_pass",
    "interception",
    "sack",
    "out_of_bounds",
    "first_down",
    "third_down_converted",
    "third_down_failed",
    "fourth_down_converted",
    "fourth_down_failed",
    "fumble",
    "fumble_lost",
    "penalty",
    "timeout",
    "touchdown",
    "safety",
    "extra_point_attempt",
    "two_point_attempt",
    "field_goal_attempt",
    "punt_attempt",
    "punt_blocked",
    "punt_out_of_bounds",
    "punt_fair_catch",
    "punt_downed",
    "kickoff_attempt",
    "kickoff_out_of_bounds",
    "kickoff_fair_catch",
    "own_kickoff_recovery",
    "touchback",
    "special_teams_play",
)
COLUMNS = (*WHOLE, *TEXT, *NUMBERS, *FLAGS)
WEEKS = ("all", "odd", "even")
REGULAR = "REG"
FOLDER = "HASHMARK_PBP"  # environment variable: where the seasons lie
SUFFIXES = (".parquet", ".csv", ".csv.gz")

Source = Any  # a path, a folder, a frame, or several of them


def load(source: Source, season: int | None = None, also: Iterable[str] = ()) -> pl.DataFrame:
    """One season of plays in order; `also` names further columns to keep, as they are."""
    also = [name for name in also if name not in COLUMNS]
    frames = [_tidy(frame, name, also) for frame, name in _frames(source)]
    if not frames:
        raise BrokenPlays("no play-by-play was given")
    plays = pl.concat(frames, how="vertical") if len(frames) > 1 else frames[0]
    pbp_games.check(plays)
    return _one_season(plays, season)


def folder_of(folder: Path | str | None = None) -> Path:
    """Where play-by-play lies: in the folder given, else in that of HASHMARK_PBP, else here."""
    given = folder if folder is not None else os.environ.get(FOLDER)
    return Path(given) if given else Path.cwd()


def find(season: int, folder: Path | str | None = None) -> Path:
    """The file of a season in its folder."""
    place = folder_of(folder)
    for suffix in SUFFIXES:
        for name in (f"pbp_{season}{suffix}", f"play_by_play_{season}{suffix}"):
            if (place / name).is_file():
                return place / name
    raise BrokenPlays(
        f"no play-by-play of {season}: there is no file pbp_{season}.parquet (or .csv) in "
        f"{place}; give it with --pbp, or set {FOLDER} to its folder"
    )


def download(season: int) -> pl.DataFrame:
    """The season as nflverse publishes it, through nflreadpy where that is installed."""
    try:
        nflreadpy = import_module("nflreadpy")
    except ImportError:
        raise BrokenPlays(
            "--download needs the package nflreadpy (pip install nflreadpy); "
            "or give a file with --pbp"
        ) from None
    try:
        frame = nflreadpy.load_pbp(season)
    except Exception as fault:  # whatever the network does
        raise BrokenPlays(f"cannot download the season {season}: {fault}") from None
    return load(frame, season)


def check_weeks(weeks: str) -> None:
    """Refuse weeks that are neither all nor the odd nor the even ones."""
    if weeks not in WEEKS:
        raise BrokenPlays(f"weeks must be one of {', '.join(WEEKS)}, not {shown(weeks)}")


def pick(plays: pl.DataFrame, part: str = REGULAR, weeks: str = "all") -> pl.DataFrame:
    """The regular season (or the postseason), all its weeks, the odd or the even ones."""
    check_weeks(weeks)
    chosen = plays.filter(pl.col("season_type") == part)
    if weeks != "all":
        chosen = chosen.filter(pl.col("week") % 2 == (1 if weeks == "odd" else 0))
    if chosen.is_empty():
        raise BrokenPlays(f"there is no {part} play in {weeks} weeks of this season")
    return chosen


def teams(plays: pl.DataFrame) -> list[str]:
    """The codes of all teams, in alphabetical order."""
    return sorted(set(plays["home_team"]) | set(plays["away_team"]))


# --- Reading -------------------------------------------------------------------------


def _frames(source: Source) -> Iterable[tuple[Any, str]]:
    """Every frame of a source, with a name for the messages."""
    if isinstance(source, str | Path):
        path = Path(source)
        if path.is_dir():
            files = sorted(
                file
                for file in path.iterdir()
                if file.name.endswith(SUFFIXES) and "games" not in file.name
            )
            if not files:
                raise BrokenPlays(f"no Parquet or CSV file in {path}")
            for file in files:
                yield read_table(file), file.name
        else:
            yield read_table(path), path.name
    elif isinstance(source, list | tuple):
        for one in source:
            yield from _frames(one)
    elif isinstance(source, pl.LazyFrame):
        yield source.collect(), "the frame"
    elif hasattr(source, "columns"):
        yield source, "the frame"
    else:
        raise BrokenPlays(f"expected a path or a frame, not {type(source).__name__}")


def read_table(path: Path) -> pl.DataFrame:
    """A Parquet or CSV file as it is."""
    try:
        if path.name.endswith(".parquet"):
            return pl.read_parquet(path)
        if path.name.endswith((".csv", ".csv.gz")):
            return pl.read_csv(path, infer_schema_length=None, null_values=["", "NA"])
    except OSError as fault:
        raise BrokenPlays(f"cannot read {path}: {fault.strerror or fault}") from None
    except pl.exceptions.PolarsError as fault:
        raise BrokenPlays(f"cannot read {path}: {fault}") from None
    raise BrokenPlays(f"cannot read {path}: expected a name that ends with {', '.join(SUFFIXES)}")


def _tidy(frame: Any, name: str, also: list[str]) -> pl.DataFrame:
    """One form for all sources: the columns of this module, and their types."""
    missing = [column for column in (*COLUMNS, *also) if column not in frame.columns]
    if missing:
        more = "columns" if len(missing) > 1 else "column"
        raise BrokenPlays(f"{name} lacks the {more} {listed(missing)}")
    if isinstance(frame, pl.DataFrame):
        plays = frame.select(*COLUMNS, *also)
    else:
        plays = _from_pandas(frame[[*COLUMNS, *also]])
    name = plain(name)
    try:
        told = plays.with_columns(pl.col(one).cast(pl.String) for one in TEXT)
        numbers = pbp_bounds.to_numbers(told, (*WHOLE, *NUMBERS, *FLAGS), name)
    except pl.exceptions.PolarsError as fault:
        raise BrokenPlays(f"{name} has a column of the wrong kind: {fault}") from None
    pbp_bounds.check(numbers, name, FLAGS)
    return numbers.with_columns(
        *(pl.col(one).cast(pl.Int32) for one in WHOLE),
        *((pl.col(one) == 1).fill_null(False).cast(pl.Int8) for one in FLAGS),
    )


def _from_pandas(frame: Any) -> pl.DataFrame:
    """A pandas frame; NaN and None mean the same there."""
    columns = {}
    for one in frame.columns:
        values = frame[one]
        if values.dtype == object:
            values = [value if isinstance(value, str) else None for value in values]
            columns[one] = pl.Series(one, values, dtype=pl.String)
        else:
            columns[one] = pl.Series(one, values.to_numpy()).fill_nan(None)
    return pl.DataFrame(columns)


def _one_season(plays: pl.DataFrame, season: int | None) -> pl.DataFrame:
    there = sorted(plays["season"].drop_nulls().unique())
    if not there:
        raise BrokenPlays("the play-by-play is empty")
    if season is None:
        if len(there) > 1:
            raise BrokenPlays(f"which season? the play-by-play has {listed(map(str, there))}")
        return plays
    chosen = plays.filter(pl.col("season") == season)
    if chosen.is_empty():
        raise BrokenPlays(f"no play of {season}: the play-by-play has {listed(map(str, there))}")
    pbp_games.check_others(plays, season)
    return chosen
