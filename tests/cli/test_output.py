"""Tests of output files."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from hashmark.cli.output import check_table_path, check_writable, write_file, write_table
from hashmark.errors import HashmarkError


def test_written_and_replaced_files_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "page.html"
    write_file(path, "one")
    assert capsys.readouterr().err == f"wrote {path}\n"
    write_file(path, b"two")
    assert capsys.readouterr().err == f"replaced {path}\n"
    assert path.read_text() == "two"


def test_unwritable_paths_are_refused_before_the_work(tmp_path: Path) -> None:
    check_writable(None, tmp_path / "new.html", None)
    with pytest.raises(HashmarkError, match="no such folder"):
        check_writable(None, tmp_path / "no" / "page.html")
    assert list(tmp_path.iterdir()) == []


ROWS = [
    {"team": "ARI", "wins": 9.5, "place": None},
    {"team": 'O\'Hara, "A"', "wins": 1.0, "place": 2},
]


def test_tables_are_written_by_the_name_of_the_file(tmp_path: Path) -> None:
    write_table(tmp_path / "table.csv", ROWS)
    write_table(tmp_path / "table.parquet", ROWS)
    assert pl.read_csv(tmp_path / "table.csv").to_dicts() == ROWS
    assert pl.read_parquet(tmp_path / "table.parquet").to_dicts() == ROWS


def test_other_types_of_files_are_refused_before_the_work(tmp_path: Path) -> None:
    check_table_path(None)
    check_table_path(tmp_path / "table.CSV")
    with pytest.raises(HashmarkError, match=r"unknown file type for --out 'table.xlsx'.*parquet"):
        check_table_path(tmp_path / "table.xlsx")
    with pytest.raises(HashmarkError, match="no such folder"):
        check_table_path(tmp_path / "no" / "table.csv")
