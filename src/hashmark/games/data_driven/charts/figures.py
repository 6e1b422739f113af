"""Figures of a chart column: exact expectation and event rates."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts import layout
from hashmark.games.data_driven.charts.chart_file import ChartFile, League, Team
from hashmark.games.data_driven.charts.files import check
from hashmark.games.data_driven.charts.layout import ALL_COLUMNS, ChartColumn
from hashmark.games.data_driven.dice import DEFENSE_WEIGHTS, OFFENSE_WEIGHTS

COLUMNS_BY_NAME = {column.name: column for column in ALL_COLUMNS}


@dataclass(frozen=True)
class ColumnFigures:
    """Figures of one column: how often it shows yards, their mean, and every other result."""

    name: str
    yards: Fraction  # the chance of plain yards
    mean: Fraction  # of the plain yards; 0 if there are none
    out: Fraction  # the chance of an asterisk
    events: dict[str, Fraction]  # the chance of each other kind of result

    def to_json(self) -> dict[str, object]:
        return {
            "column": self.name,
            "yards": str(self.yards),
            "mean": str(self.mean),
            "out_of_bounds": str(self.out),
            "events": {kind: str(chance) for kind, chance in self.events.items()},
        }


def row_weights(column: ChartColumn) -> tuple[int, ...]:
    """R4: Return how many of the 216, or of the 36, combinations lead to each row."""
    return OFFENSE_WEIGHTS if column.rows == c.OFFENSE_ROWS else DEFENSE_WEIGHTS


def column_figures(column: ChartColumn, cells: tuple[int, ...]) -> ColumnFigures:
    """Return the exact figures of a column."""
    ways = row_weights(column)
    total = sum(ways)
    yards = mean = out = Fraction(0)
    events: dict[str, Fraction] = {}
    for cell, way in zip(cells, ways, strict=True):
        chance = Fraction(way, total)
        if c.is_number(cell):
            yards += chance
            mean += chance * c.number_of(cell)
            out += chance * c.is_out(cell)
        else:
            kind = c.KINDS[c.kind_of(cell)]
            events[kind] = events.get(kind, Fraction(0)) + chance
    return ColumnFigures(column.name, yards, mean / yards if yards else Fraction(0), out, events)


def owner_figures(owner: Team | League) -> list[ColumnFigures]:
    """Return the figures of every column of a team or of the league."""
    return [column_figures(COLUMNS_BY_NAME[name], cells) for name, cells in owner.columns.items()]


def owners(file: ChartFile) -> dict[str, Team | League]:
    """Return the owners of columns in a file: the league and each team."""
    return {"league": file.league, **file.teams}


@dataclass(frozen=True)
class ChartReport:
    """Result of checking a chart file: faults, missing parts, warnings and figures."""

    path: Path
    file: ChartFile | None  # as much of it as could be read
    faults: list[str]
    warnings: list[str]

    def columns(self) -> dict[str, list[ColumnFigures]]:
        """Return the figures of every column, by owner."""
        by_key = {} if self.file is None else owners(self.file)
        return {key: owner_figures(owner) for key, owner in by_key.items()}

    def to_json(self) -> dict[str, object]:
        made_from = self.file.made_from if self.file is not None else None
        return {
            "file": str(self.path),
            "made_from": made_from.to_json() if made_from is not None else None,
            "faults": self.faults,
            "missing": list(self.file.notes) if self.file is not None else [],
            "warnings": self.warnings,
            "columns": {
                key: [column.to_json() for column in figures]
                for key, figures in self.columns().items()
            },
        }


def check_chart_file(path: Path) -> ChartReport:
    """Read a file and report its faults; only a file without faults is checked for warnings."""
    file, faults = check(path)
    messages = find_warnings(file) if file is not None and not faults else []
    return ChartReport(path, file, faults, messages)


def find_warnings(file: ChartFile) -> list[str]:
    """Return content that is legal but hardly intended."""
    messages = []
    for key, team in file.teams.items():
        bold = any(c.is_bold(cell) for cell in team.columns["offence.short-pass"])
        if bold and "big-play" not in team.columns:
            messages.append(f"team {key}: bold short-pass results, but no big-play chart")
        if "big-play" in team.columns and not bold:
            messages.append(
                f"team {key}: big-play chart, but no bold short-pass result leads to it"
            )
        rate = team.sets.get("sack-rate")
        if rate is not None and rate.kind == layout.SACKS and team.sack_yards == 0:
            messages.append(f"team {key}: SCK rows without sack-yards have no effect")
        if not file.partial:
            messages += _empty(key, team, file)
        messages += _covered(key, team)
    return messages


def _empty(key: str, team: Team, file: ChartFile) -> list[str]:
    """Return charts of a complete file that cannot serve their purpose."""
    messages = []
    if any(other.sets.get("sack-rate") for other in file.teams.values()) and not team.qr_yards:
        messages.append(f"team {key}: no qr-yards, so a defense's QR rows have no effect")
    for name in ("field-goal", "kickoff", "punt"):
        if not any(c.is_number(cell) and c.number_of(cell) for cell in team.columns[name]):
            messages.append(f"team {key}, chart {name}: no cell has any yards")
    return messages


def _covered(key: str, team: Team) -> list[str]:
    """Return columns dominated by `(#)` results, which override the offense's chart."""
    messages = []
    for name, cells in team.columns.items():
        if COLUMNS_BY_NAME[name].rows == c.DEFENSE_ROWS:
            ways = sum(
                way
                for cell, way in zip(cells, DEFENSE_WEIGHTS, strict=True)
                if c.kind_of(cell) == c.PAREN
            )
            if ways > 12:
                messages.append(
                    f"team {key}, {name}: (#) on {ways} of 36 rolls, so the offense hardly matters"
                )
    return messages
