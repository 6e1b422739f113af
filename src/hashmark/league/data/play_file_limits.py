"""Limits of uploaded play-by-play, checked before the file is decoded.

They are for files of strangers, which are read in a process with limited memory and time. A file of
somebody's own may be larger, such as one with twenty seasons. The values of the largest season in
the nflverse layout stand beside the limits.
"""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from typing import BinaryIO

import polars as pl

from hashmark.league.data.play_checks import BrokenPlays

MAX_ROWS = 200_000  # 49,922
MAX_COLUMNS = 1000  # 372
MAX_CSV_BYTES = 256 << 20  # unpacked; about 100 MB
MAX_HEADING_BYTES = 64 << 10  # the names of the columns: 6 kB
MAX_TEAMS = 64  # 32
CHUNK_BYTES = 1 << 20


def check_file(path: Path) -> None:
    """Check rows, columns and unpacked size of a Parquet or CSV file."""
    try:
        if path.name.endswith(".parquet"):
            _check_parquet(path)
        elif path.name.endswith(".csv.gz"):
            with gzip.open(path) as stream:
                _check_csv(stream, path.name)
        else:
            with path.open("rb") as stream:
                _check_csv(stream, path.name)
    except (OSError, EOFError, zlib.error, pl.exceptions.PolarsError) as fault:
        raise BrokenPlays(f"cannot read {path}: {fault}") from None


def check_teams(plays: pl.DataFrame) -> None:
    """Check the number of teams, each of which gets charts."""
    teams = pl.concat([plays["home_team"], plays["away_team"]]).n_unique()
    if teams > MAX_TEAMS:
        raise BrokenPlays(f"the play-by-play has {teams} teams, at most {MAX_TEAMS} are allowed")


def _check_parquet(path: Path) -> None:
    """Read the shape of the table from the footer; no column is decoded."""
    table = pl.scan_parquet(path, glob=False)
    _check_shape(path.name, table.select(pl.len()).collect().item(), len(table.collect_schema()))


def _check_csv(stream: BinaryIO | gzip.GzipFile, name: str) -> None:
    """Count bytes and lines of a CSV file, one chunk at a time."""
    chunk = stream.read(CHUNK_BYTES)
    heading = chunk[: MAX_HEADING_BYTES + 1].partition(b"\n")[0]
    if len(heading) > MAX_HEADING_BYTES:
        raise BrokenPlays(f"{name}: the first line has more than {MAX_HEADING_BYTES >> 10} kB")
    size = rows = 0
    while chunk:
        size, rows = size + len(chunk), rows + chunk.count(b"\n")
        if size > MAX_CSV_BYTES:
            raise BrokenPlays(f"{name} has more than {MAX_CSV_BYTES >> 20} MB unpacked")
        _check_shape(name, rows, heading.count(b",") + 1)
        chunk = stream.read(CHUNK_BYTES)


def _check_shape(name: str, rows: int, columns: int) -> None:
    if rows > MAX_ROWS:
        raise BrokenPlays(f"{name} has more than {MAX_ROWS} rows: give one season")
    if columns > MAX_COLUMNS:
        raise BrokenPlays(f"{name} has more than {MAX_COLUMNS} columns")
