"""Export of all cells of a chart file as table rows."""

from __future__ import annotations

from collections.abc import Iterator

from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts.chart_file import ChartFile, League, Team
from hashmark.games.data_driven.charts.layout import PENALTY_SETS, SET_KINDS


def iter_cells(file: ChartFile) -> Iterator[tuple[str, str, str, str, str]]:
    """Yield team, chart, column, row and cell of everything in the file."""
    owners: list[tuple[str, League | Team]] = [("league", file.league), *file.teams.items()]
    for key, owner in owners:
        for name, cells in owner.columns.items():
            chart, _, column = name.partition(".")
            for row, cell in enumerate(cells, c.first_row(cells)):
                yield key, chart, column, str(row), c.spell(cell)
        for name, rows in owner.sets.items():
            kinds = SET_KINDS.get(name)
            chart, column = ("penalties", name) if name in PENALTY_SETS else (name, "")
            text = kinds[rows.kind - 1] if kinds else "x"
            for index, row in enumerate(c.OFFENSE_ROWS):
                if rows.mask >> index & 1:
                    yield key, chart, column, str(row), text
