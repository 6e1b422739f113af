"""Writer of one row per simulated game, batch by batch, as Parquet or CSV.

The file gets its final name when it is complete (`storage/atomic_write.py`), so an earlier file is
never left half overwritten. Polars writes Parquet in its own thread, one row group at a time; so
memory is constant for any number of games. CSV needs no library.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeAlias

from hashmark import extras
from hashmark.engine.record import TEAMS
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import UnknownName
from hashmark.storage.atomic_write import AtomicFile, csv_text

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import polars as pl

SUFFIXES = (".parquet", ".csv")
GAME_COLUMN = "game"  # first column; the others are statistics
POLL_SECONDS = 0.1  # seconds between checks that Polars still accepts rows

GameRows: TypeAlias = "list[list[list[int]]] | npt.NDArray[np.int32]"
"""Statistics by game, team and statistic."""


def parse_suffix(path: Path) -> str:
    """Return the type of a file for rows: .parquet or .csv; raise an error for any other."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise UnknownName("file type for --out", path.name, SUFFIXES)
    if suffix == ".parquet":
        extras.require("writing a Parquet file", "polars")
    return suffix


class RowWriter:
    """Writes the statistics of games in order."""

    def __init__(self, path: Path, rules: RuleSet) -> None:
        suffix = parse_suffix(path)
        if extras.has("polars"):
            # Polars installs a Ctrl-C handler on import, so import it before ours is installed.
            import_module("polars")
        names = [f"{team}_{name}" for team in TEAMS for name in rules.statistics.names]
        self.file = AtomicFile(path)
        self._sink = (ParquetSink if suffix == ".parquet" else CsvSink)(self.file, names)

    def __enter__(self) -> RowWriter:
        with ExitStack() as parts:
            parts.enter_context(self.file)
            parts.enter_context(self._sink)
            self._parts = parts.pop_all()
        return self

    def write(self, first: int, rows: GameRows) -> None:
        """Append the rows of the games from `first` on."""
        self._sink.add(first, rows)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._parts.__exit__(kind, fault, trace)


def to_data_frame(names: list[str], first: int, rows: GameRows) -> pl.DataFrame:
    """Return rows as a Polars data frame."""
    import polars as pl

    if isinstance(rows, list):
        flat: Any = [[*home, *away] for home, away in rows]
    else:
        flat = rows.reshape(len(rows), len(names))
    games = pl.int_range(first, first + len(rows), dtype=pl.Int64, eager=True).alias(GAME_COLUMN)
    table = pl.DataFrame(flat, schema=dict.fromkeys(names, pl.Int32), orient="row")
    return table.insert_column(0, games)


class CsvSink:
    """CSV sink; Polars, if installed, formats the same lines faster."""

    def __init__(self, file: AtomicFile, names: list[str]) -> None:
        self.file, self.names = file, names
        self.uses_polars = extras.has("polars")

    def __enter__(self) -> CsvSink:
        heading = ",".join(f'"{name}"' for name in (GAME_COLUMN, *self.names))
        self.file.write(f"{heading}\n".encode())
        return self

    def add(self, first: int, rows: GameRows) -> None:
        self.file.write(self.format_rows(first, rows).encode())

    def format_rows(self, first: int, rows: GameRows) -> str:
        if self.uses_polars:
            return to_data_frame(self.names, first, rows).write_csv(include_header=False)
        numbered = enumerate(rows if isinstance(rows, list) else rows.tolist(), first)
        return csv_text([game, *home, *away] for game, (home, away) in numbered)

    def __exit__(self, *fault: object) -> None:
        """Do nothing: there is no buffer."""


class _Abandoned(Exception):
    """The file will not be finished."""


class ParquetSink:
    """Parquet sink: Polars pulls rows and writes bytes in a thread, so that games continue."""

    closed = False  # read by Polars, which uses this object as the file

    def __init__(self, file: AtomicFile, names: list[str]) -> None:
        self.file, self.names = file, names
        self._frames: queue.Queue[pl.DataFrame | None] = queue.Queue(1)
        self._fault: BaseException | None = None
        self._abandoned = False
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> ParquetSink:
        self._thread.start()
        return self

    def _run(self) -> None:
        import polars as pl
        from polars.io.plugins import register_io_source

        schema = {GAME_COLUMN: pl.Int64(), **dict.fromkeys(self.names, pl.Int32())}
        try:
            file: Any = self
            register_io_source(self._taken, schema=schema).sink_parquet(file)
        except BaseException as fault:
            self._fault = self._fault or fault

    def _taken(self, *options: object) -> Iterator[pl.DataFrame]:
        """Yield the rows for Polars as they arrive."""
        while (next_rows := self._frames.get()) is not None:
            yield next_rows
        if self._abandoned:
            raise _Abandoned

    def write(self, data: bytes) -> int:
        """Write bytes from Polars; keep the original error, since Polars rewords it."""
        try:
            return self.file.write(data)
        except BaseException as fault:
            self._fault = fault
            raise

    def flush(self) -> None:
        """Do nothing: there is no buffer."""

    def add(self, first: int, rows: GameRows) -> None:
        self._enqueue(to_data_frame(self.names, first, rows))

    def _enqueue(self, rows: pl.DataFrame | None) -> None:
        while self._thread.is_alive():
            try:
                self._frames.put(rows, timeout=POLL_SECONDS)
            except queue.Full:
                continue
            return
        if self._fault is not None:
            raise self._fault

    def __exit__(self, kind: type[BaseException] | None, *fault: object) -> None:
        self._abandoned = kind is not None
        try:
            self._enqueue(None)
            self._thread.join()
        finally:
            if kind is None and self._fault is not None:
                raise self._fault
