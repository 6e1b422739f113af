"""Chart file text: one line a column, so that a season stays small and quick to read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts.files import FORMAT
from hashmark.games.data_driven.charts.layout import ALL_COLUMNS
from hashmark.games.data_driven.made_from import MadeFrom

COLUMN_ORDER = [column.name for column in ALL_COLUMNS]


@dataclass
class TeamCharts:
    """The charts of a team in the builder: columns of cells, and plain values."""

    key: str
    name: str
    season: int
    columns: dict[str, list[int]] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)  # row sets, quotas, and tables of these


@dataclass
class SeasonCharts:
    """The contents of a chart file."""

    season: int
    header_lines: list[str]
    league: dict[str, Any]
    league_columns: dict[str, list[int]]
    teams: list[TeamCharts]
    made_from: MadeFrom | None = None  # None: the whole season

    def text(self) -> str:
        """Return the file as TOML."""
        lines = [*(f"# {line}".rstrip() for line in self.header_lines), ""]
        lines += [f'format = "{FORMAT}"', f'name = "{self.season}"', "partial = false"]
        lines += [self.made_from.to_toml()] if self.made_from is not None else []
        lines += [
            "",
            "[league]",
            *_format_values(self.league),
            *_format_columns(self.league_columns, ""),
        ]
        lines += _format_tables("league", self.league_columns)
        for team in self.teams:
            base = f"teams.{team.key}"
            lines += ["", f"[{base}]", f"name = {_quote(team.name)}", f"season = {team.season}"]
            lines += [*_format_values(team.values), *_format_columns(team.columns, "")]
            lines += _format_tables(base, team.columns)
        return "\n".join(lines) + "\n"


def format_rows(rows: list[int]) -> str:
    """Format row indices as a set such as "10-18,38"."""
    return c.spell_rows(sum(1 << row for row in rows))


def _format_tables(base: str, columns: Mapping[str, list[int]]) -> list[str]:
    """Return the lines of columns in tables of their own, such as `offence` or `defence.blitz`."""
    prefixes = dict.fromkeys(name.rpartition(".")[0] for name in columns if "." in name)
    lines = []
    for prefix in sorted(
        prefixes,
        key=lambda prefix: [name.rpartition(".")[0] for name in COLUMN_ORDER].index(prefix),
    ):
        lines += ["", f"[{base}.{prefix}]", *_format_columns(columns, f"{prefix}.")]
    return lines


def _format_columns(columns: Mapping[str, list[int]], prefix: str) -> list[str]:
    lines = []
    for name in COLUMN_ORDER:
        if name in columns and name.startswith(prefix) and "." not in name[len(prefix) :]:
            cells = ", ".join(f'"{c.spell(cell)}"' for cell in columns[name])
            lines.append(f"{name[len(prefix) :]} = [{cells}]")
    return lines


def _format_values(values: Mapping[str, Any]) -> list[str]:
    return [f"{key} = {_format_value(value)}" for key, value in values.items()]


def _format_value(value: object) -> str:
    if isinstance(value, Mapping):
        return (
            "{ " + ", ".join(f"{key} = {_format_value(item)}" for key, item in value.items()) + " }"
        )
    return _quote(value) if isinstance(value, str) else str(value)


def _quote(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
