"""One row for each simulated game, written batch by batch to Parquet or CSV.

The file takes its name when it is complete (`table/writing.py`), so that an earlier file is
never left half overwritten.
"""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path
from types import TracebackType
from typing import Any

from hashmark.table.errors import UnknownName
from hashmark.table.record import TEAMS
from hashmark.table.rules import RuleSet
from hashmark.table.writing import Growing

SUFFIXES = (".parquet", ".csv")


class RowWriter:
    """Writes the statistics of games in order."""

    def __init__(self, path: Path, rules: RuleSet) -> None:
        import pyarrow

        if path.suffix.lower() not in SUFFIXES:
            raise UnknownName("ending of a file for rows", path.name, SUFFIXES)
        names = [f"{team}_{name}" for team in TEAMS for name in rules.statistics.names]
        fields = [("game", pyarrow.int64()), *((name, pyarrow.int32()) for name in names)]
        self.schema = pyarrow.schema(fields)
        self.file = Growing(path)

    def __enter__(self) -> RowWriter:
        with ExitStack() as parts:
            parts.enter_context(self.file)
            self._writer = parts.enter_context(closing(self._opened()))
            self._parts = parts.pop_all()
        return self

    def _opened(self) -> Any:
        if self.file.path.suffix.lower() == ".parquet":
            import pyarrow.parquet

            return pyarrow.parquet.ParquetWriter(self.file, self.schema)
        import pyarrow.csv

        return pyarrow.csv.CSVWriter(self.file, self.schema)

    def write(self, first: int, rows: Any) -> None:
        """Append the rows of the games from `first` on; `rows` is games x teams x statistics."""
        import numpy
        import pyarrow

        table = numpy.asarray(rows, dtype=numpy.int32)
        flat = table.reshape(table.shape[0], -1)
        games = numpy.arange(first, first + table.shape[0])
        columns = [games, *(numpy.ascontiguousarray(flat[:, k]) for k in range(flat.shape[1]))]
        self._writer.write_table(pyarrow.table(columns, schema=self.schema))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._parts.__exit__(kind, fault, trace)
