"""Row files of simulations: in order, complete or not at all, in little memory."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from hashmark import extras
from hashmark.engine import registry
from hashmark.errors import HashmarkError
from hashmark.sim import game_rows as written
from hashmark.sim.game_rows import RowWriter
from hashmark.storage import fsync

RULES = registry.load("fourth-down")
WIDTH = len(RULES.statistics.names)


def batch(first: int, count: int) -> list[list[list[int]]]:
    """Return rows as the plain engine makes them."""
    return [
        [[100 * game + k for k in range(WIDTH)], [-game] * WIDTH]
        for game in range(first, first + count)
    ]


def write(path: Path, sizes: list[int], made: Any = batch) -> None:
    first = 0
    with RowWriter(path, RULES) as writer:
        for size in sizes:
            writer.write(first, made(first, size))
            first += size


def as_array(first: int, count: int) -> Any:
    """Return the same rows as the compiled engine makes them."""
    import numpy as np

    return np.array(batch(first, count), np.int32).reshape(count, 2, WIDTH)


@pytest.mark.parametrize("made", [batch, as_array])
@pytest.mark.parametrize("sizes", [[], [1], [16, 0, 128, 7]])
def test_csv_is_the_same_with_polars_and_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: Any, sizes: list[int]
) -> None:
    with_it, without = tmp_path / "with.csv", tmp_path / "without.csv"
    write(with_it, sizes, made)
    monkeypatch.setattr(extras, "has", lambda library: False)
    write(without, sizes, made)
    assert with_it.read_bytes() == without.read_bytes()
    lines = with_it.read_text().splitlines()
    assert len(lines) == 1 + sum(sizes)
    assert lines[0].startswith('"game","home_points","home_drives",')


@pytest.mark.parametrize("made", [batch, as_array])
@pytest.mark.parametrize("sizes", [[], [1], [16, 0, 128, 7], [50] * 100])
def test_parquet_has_the_rows_of_all_batches(tmp_path: Path, made: Any, sizes: list[int]) -> None:
    path = tmp_path / "rows.parquet"
    write(path, sizes, made)
    read = pl.read_parquet(path)
    assert list(read.schema.values()) == [pl.Int64, *[pl.Int32] * 2 * WIDTH]
    assert read["game"].to_list() == list(range(sum(sizes)))
    assert read["home_drives"].to_list() == [100 * game + 1 for game in range(sum(sizes))]
    assert read["away_points"].to_list() == [-game for game in range(sum(sizes))]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
def test_a_failed_run_leaves_the_earlier_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("mine")

    def fail(first: int, count: int) -> Any:
        return batch(first, count) if first < 30 else 1 / 0

    with pytest.raises(ZeroDivisionError):
        write(path, [10] * 5, fail)
    assert path.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
def test_a_full_disk_is_reported_and_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def full(file: int, data: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(fsync, "write", full)
    with pytest.raises(HashmarkError, match="No space left"):
        write(tmp_path / name, [50] * 20)
    assert not list(tmp_path.iterdir())


def test_a_failing_parquet_writer_does_not_block_the_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Polars fails in the middle."""

    def dies(*_: object) -> None:
        raise MemoryError("out of it")

    monkeypatch.setattr(written.ParquetSink, "_taken", dies)
    with pytest.raises(Exception, match="out of it"):
        write(tmp_path / "rows.parquet", [50] * 20)
    assert not list(tmp_path.iterdir())


def test_parquet_needs_polars(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "has", lambda library: False)
    with pytest.raises(HashmarkError, match=r"a Parquet file needs Polars, .*: run `make league`"):
        RowWriter(tmp_path / "rows.parquet", RULES)
