"""Play-by-play of one season in the nflverse layout: find, read, validate and normalize it.

`load` accepts a path (Parquet, CSV, CSV.gz), a folder, a polars or pandas frame, or a list of
these. It returns one polars frame with one season in order of play, regular season and
postseason:

- flags (`FLAG_COLUMNS`) are integers 0 or 1, never null;
- numbers (`NUMBER_COLUMNS`) are floats, null where the data has no value;
- `season` and `week` are integers, every other column is text;
- team codes are the current ones in every season, as in the data (`LA`, `LAC`, `LV`).

Impossible values are rejected (`play_checks.py`, `game_checks.py`). Whether all games of the
season are present is checked separately (`coverage.py`).

Only the columns listed here and the requested extra columns are kept.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import polars as pl

from hashmark.errors import join_names
from hashmark.league.data import game_checks, play_checks
from hashmark.league.data.play_checks import BrokenPlays
from hashmark.sanitize import quote, shorten

NUMERIC_KINDS = "biuf"  # kinds of a pandas column that holds numbers
INTEGER_COLUMNS = ("season", "week")
TEXT_COLUMNS = (
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
NUMBER_COLUMNS = (
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
FLAG_COLUMNS = (
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
COLUMNS = (*INTEGER_COLUMNS, *TEXT_COLUMNS, *NUMBER_COLUMNS, *FLAG_COLUMNS)
WEEK_SELECTIONS = ("all", "odd", "even")
REGULAR = "REG"
FOLDER_VARIABLE = "HASHMARK_PBP"  # environment variable with the folder of the season files
SUFFIXES = (".parquet", ".csv", ".csv.gz")


class PandasFrame(Protocol):
    """What is needed of a pandas frame."""

    @property
    def columns(self) -> Iterable[str]: ...

    def __getitem__(self, columns: str | list[str], /) -> Any: ...


Frame = pl.DataFrame | PandasFrame
# A path, a folder, a frame, or a list of these.
PlaySource = str | Path | Frame | pl.LazyFrame | Sequence["PlaySource"]


def load(
    source: PlaySource, season: int | None = None, extra_columns: Iterable[str] = ()
) -> pl.DataFrame:
    """Return one season of plays in order; `extra_columns` are kept unchanged."""
    extra_columns = [name for name in extra_columns if name not in COLUMNS]
    found = _read_frames(source, {*COLUMNS, *extra_columns})
    frames = [_normalize(frame, name, extra_columns) for frame, name in found]
    if not frames:
        raise BrokenPlays("no play-by-play was given")
    plays = pl.concat(frames, how="vertical") if len(frames) > 1 else frames[0]
    game_checks.check_games(plays)
    return _select_season(plays, season)


def play_folder(folder: Path | str | None = None) -> Path:
    """Return the play-by-play folder: the given one, else HASHMARK_PBP, else the current one."""
    path = folder if folder is not None else os.environ.get(FOLDER_VARIABLE)
    return Path(path) if path else Path.cwd()


def find_season_file(season: int, folder: Path | str | None = None) -> Path:
    """Return the path of a season's play-by-play file."""
    directory = play_folder(folder)
    for suffix in SUFFIXES:
        for name in (f"pbp_{season}{suffix}", f"play_by_play_{season}{suffix}"):
            if (directory / name).is_file():
                return directory / name
    raise BrokenPlays(
        f"no play-by-play of {season}: no file pbp_{season}.parquet (or .csv) in "
        f"{directory}; give it with --pbp, or set {FOLDER_VARIABLE} to its folder"
    )


def download_season(season: int) -> pl.DataFrame:
    """Download a season from nflverse; requires the package nflreadpy."""
    try:
        nflreadpy = import_module("nflreadpy")
    except ImportError:
        raise BrokenPlays(
            "--download needs the package nflreadpy (pip install nflreadpy); "
            "or give a file with --pbp"
        ) from None
    try:
        frame = nflreadpy.load_pbp(season)
    except Exception as fault:  # network failures take many forms
        raise BrokenPlays(f"cannot download the {season} season: {fault}") from None
    return load(frame, season)


def check_weeks(weeks: str) -> None:
    """Reject a week selection other than all, odd or even."""
    if weeks not in WEEK_SELECTIONS:
        raise BrokenPlays(f"weeks must be one of {', '.join(WEEK_SELECTIONS)}, not {quote(weeks)}")


def select_plays(
    plays: pl.DataFrame, season_type: str = REGULAR, weeks: str = "all"
) -> pl.DataFrame:
    """Return the plays of the regular season or postseason, in all, odd or even weeks."""
    check_weeks(weeks)
    chosen = plays.filter(pl.col("season_type") == season_type)
    if weeks != "all":
        chosen = chosen.filter(pl.col("week") % 2 == (1 if weeks == "odd" else 0))
    if chosen.is_empty():
        raise BrokenPlays(f"no {season_type} plays in the {weeks} weeks of this season")
    return chosen


def team_codes(plays: pl.DataFrame) -> list[str]:
    """Return the codes of all teams in alphabetical order."""
    return sorted(set(plays["home_team"]) | set(plays["away_team"]))


# --- Reading -------------------------------------------------------------------------


def _read_frames(source: PlaySource, columns: Collection[str]) -> Iterable[tuple[Frame, str]]:
    """Yield every frame of a source with a name for error messages."""
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
                yield read_table(file, columns), file.name
        else:
            yield read_table(path, columns), path.name
    elif isinstance(source, list | tuple):
        for item in source:
            yield from _read_frames(item, columns)
    elif isinstance(source, pl.LazyFrame):
        yield source.collect(), "the frame"
    elif type(source).__module__.partition(".")[0] == "pyarrow":
        yield pl.DataFrame(pl.from_arrow(source)), "the table"
    elif isinstance(source, Sequence) or not hasattr(source, "columns"):
        raise BrokenPlays(f"expected a path or a frame, not {type(source).__name__}")
    else:
        yield source, "the frame"


def read_table(path: Path, columns: Collection[str] = ()) -> pl.DataFrame:
    """Read a Parquet or CSV file without any conversion; of Parquet only `columns`, if given."""
    try:
        if path.name.endswith(".parquet"):
            table = pl.scan_parquet(path, glob=False)
            names = table.collect_schema().names()
            return table.select(name for name in names if name in (columns or names)).collect()
        if path.name.endswith((".csv", ".csv.gz")):
            return pl.read_csv(path, infer_schema_length=None, null_values=["", "NA"])
    except OSError as fault:
        raise BrokenPlays(f"cannot read {path}: {fault.strerror or fault}") from None
    except pl.exceptions.PolarsError as fault:
        raise BrokenPlays(f"cannot read {path}: {fault}") from None
    raise BrokenPlays(f"cannot read {path}: expected a file of type {', '.join(SUFFIXES)}")


def _normalize(frame: Frame, name: str, also: list[str]) -> pl.DataFrame:
    """Select the columns of this module and cast them to their types."""
    missing = [column for column in (*COLUMNS, *also) if column not in frame.columns]
    if missing:
        more = "columns" if len(missing) > 1 else "column"
        raise BrokenPlays(f"{name} lacks the {more} {join_names(missing)}")
    if isinstance(frame, pl.DataFrame):
        plays = frame.select(*COLUMNS, *also)
    else:
        plays = _from_pandas(frame[[*COLUMNS, *also]])
    name = shorten(name)
    try:
        with_text = plays.with_columns(pl.col(column).cast(pl.String) for column in TEXT_COLUMNS)
        numbers = play_checks.to_numbers(
            with_text, (*INTEGER_COLUMNS, *NUMBER_COLUMNS, *FLAG_COLUMNS), name
        )
    except pl.exceptions.PolarsError as fault:
        raise BrokenPlays(f"{name} has a column of the wrong type: {fault}") from None
    play_checks.check_values(numbers, name, FLAG_COLUMNS)
    return numbers.with_columns(
        *(pl.col(column).cast(pl.Int32) for column in INTEGER_COLUMNS),
        *((pl.col(column) == 1).fill_null(False).cast(pl.Int8) for column in FLAG_COLUMNS),
    )


def _from_pandas(frame: PandasFrame) -> pl.DataFrame:
    """Convert a pandas frame of any version; NaN, NA and None all become null."""
    columns = {}
    for column in frame.columns:
        values = frame[column]
        if values.dtype.kind in NUMERIC_KINDS:
            numbers = values.to_numpy(dtype="float64", na_value=float("nan"))
            columns[column] = pl.Series(column, numbers).fill_nan(None)
        else:
            texts = [value if isinstance(value, str) else None for value in values]
            columns[column] = pl.Series(column, texts, dtype=pl.String)
    return pl.DataFrame(columns)


def _select_season(plays: pl.DataFrame, season: int | None) -> pl.DataFrame:
    seasons = sorted(plays["season"].drop_nulls().unique())
    if not seasons:
        raise BrokenPlays("the play-by-play is empty")
    if season is None:
        if len(seasons) > 1:
            raise BrokenPlays(
                "several seasons in the play-by-play; choose one of "
                f"{join_names(map(str, seasons))}"
            )
        return plays
    chosen = plays.filter(pl.col("season") == season)
    if chosen.is_empty():
        raise BrokenPlays(
            f"no plays of {season}: the play-by-play covers {join_names(map(str, seasons))}"
        )
    game_checks.check_other_seasons(plays, season)
    return chosen
