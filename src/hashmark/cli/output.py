"""Output files of commands: checked before long work, and reported when written."""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from hashmark.storage import atomic_write

TableOption = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Write the table as a file: .csv or .parquet."),
]


def check_writable(*paths: Path | None) -> None:
    """Raise before long work if a path is not writable or is a game log."""
    for path in paths:
        if path is not None:
            atomic_write.check_writable(path)


def check_table_path(path: Path | None) -> None:
    """Raise before long work if a table cannot be written to this path."""
    from hashmark.sim.game_rows import parse_suffix

    if path is not None:
        parse_suffix(path)
        check_writable(path)


def write_table(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows of the same keys as CSV or Parquet, by the name of the file."""
    from hashmark.sim.game_rows import parse_suffix

    if parse_suffix(path) == ".csv":
        headings = list(rows[0]) if rows else []
        write_file(path, atomic_write.csv_text([headings, *(row.values() for row in rows)]))
        return
    import polars as pl

    buffer = io.BytesIO()
    pl.DataFrame([*rows], infer_schema_length=None).write_parquet(buffer)
    write_file(path, buffer.getvalue())


def write_file(path: Path, content: bytes | str) -> None:
    """Write a file and report it."""
    report_written(path, atomic_write.write_file(path, content))


def report_written(path: Path, replaced: bool) -> None:
    """Report on standard error that a file was written or replaced."""
    print(f"{'replaced' if replaced else 'wrote'} {path}", file=sys.stderr)


def free_path(stem: Path, form: str) -> Path:
    """Return a path that does not exist: game.pdf, game-2.pdf, ..."""
    path = stem.with_name(f"{stem.name}.{form}")
    number = 1
    while path.exists():
        number += 1
        path = stem.with_name(f"{stem.name}-{number}.{form}")
    return path
