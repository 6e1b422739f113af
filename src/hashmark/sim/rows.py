"""One row for each simulated game, written batch by batch to Parquet or CSV.

The file grows beside its final name and takes that name when it is complete, so that an
earlier file is never left half overwritten.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any

from hashmark.table.errors import HashmarkError, UnknownName
from hashmark.table.record import TEAMS
from hashmark.table.rules import RuleSet

SUFFIXES = (".parquet", ".csv")


class RowWriter:
    """Writes the statistics of games in order."""

    def __init__(self, path: Path, rules: RuleSet) -> None:
        import pyarrow

        if path.suffix.lower() not in SUFFIXES:
            raise UnknownName("ending of a file for rows", path.name, SUFFIXES)
        names = [f"{team}_{name}" for team in TEAMS for name in rules.statistics.names]
        fields = [("game", pyarrow.int64()), *((name, pyarrow.int32()) for name in names)]
        if path.is_dir():
            raise HashmarkError(f"cannot write {path}: it is a folder")
        self.path = path
        self.schema = pyarrow.schema(fields)
        self.partial = path.with_name(path.name + ".partial")
        try:
            self._writer = self._open()
        except OSError as fault:
            raise HashmarkError(f"cannot write {path}: {fault.strerror or fault}") from None

    def _open(self) -> Any:
        if self.path.suffix.lower() == ".parquet":
            import pyarrow.parquet

            return pyarrow.parquet.ParquetWriter(str(self.partial), self.schema)
        import pyarrow.csv

        return pyarrow.csv.CSVWriter(str(self.partial), self.schema)

    def write(self, first: int, rows: Any) -> None:
        """Append the rows of the games from `first` on; `rows` is games x teams x statistics."""
        import numpy
        import pyarrow

        table = numpy.asarray(rows, dtype=numpy.int32)
        flat = table.reshape(table.shape[0], -1)
        games = numpy.arange(first, first + table.shape[0])
        columns = [games, *(numpy.ascontiguousarray(flat[:, k]) for k in range(flat.shape[1]))]
        try:
            self._writer.write_table(pyarrow.table(columns, schema=self.schema))
        except OSError as fault:
            raise HashmarkError(f"cannot write {self.path}: {fault.strerror or fault}") from None

    def __enter__(self) -> RowWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._writer.close()
            if kind is None:
                self.partial.replace(self.path)
        except OSError as broken:
            raise HashmarkError(f"cannot write {self.path}: {broken.strerror or broken}") from None
        finally:
            self.partial.unlink(missing_ok=True)
