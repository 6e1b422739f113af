"""Chart files: one TOML file with a league and any number of teams (docs/reference/charts.md).

The reader collects every fault with its place (team, chart, column, row), so that
`hashmark charts check` can show them all; a game refuses a file at the first fault.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from hashmark.errors import HashmarkError, UnknownName
from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts.chart_file import Cells, ChartFile, League, RowSet, Team
from hashmark.games.data_driven.charts.layout import (
    HOME_FIELD_LIMITS,
    LEAGUE_COLUMNS,
    LEAGUE_SETS,
    LONG_COLUMNS,
    PENALTY_SETS,
    SET_KINDS,
    SHORT_COLUMNS,
    SHORT_FIELD_COLUMNS,
    ChartColumn,
)
from hashmark.games.data_driven.charts.table_reader import TableReader
from hashmark.games.data_driven.made_from import MADE_FROM, MadeFrom, parse_made_from
from hashmark.games.data_driven.tables import (
    ACTIONS,
    FORMATIONS,
    MISMATCHES,
    ONSIDE_ROWS,
    OVERTIME_FORMATS,
    PASSES,
    PLAYS,
    PRIORITY_CHART,
    PRIORITY_COLUMNS,
    SECONDS_ALLOWED,
    SPOTS,
    TIMEOUTS_ALLOWED,
)
from hashmark.sanitize import quote
from hashmark.storage import search_path
from hashmark.storage.user_files import is_file, read_toml

FORMAT = "data-driven-charts/1"
SHIPPED = Path(__file__).parent.parent / "data"
SUFFIX = ".toml"
HEAD_BYTES = 4096  # bytes that must contain the format of a file
MAX_LIKE_CHAIN = 20  # maximum length of a chain of `like`


class BrokenChart(HashmarkError):
    """Chart file that cannot be read; the message names the place of the fault."""


def find(name: str) -> Path:
    """Return the path of the chart file with this name on the search path."""
    return search_path.find_file("chart file", name, SUFFIX, SHIPPED)


def list_names() -> list[str]:
    """Return the names of all chart files on the search path, ignoring other TOML files."""
    return [name for name in search_path.available_names(SUFFIX, SHIPPED) if _is_charts(find(name))]


def _is_charts(path: Path) -> bool:
    """Return whether the head of a file says that it holds complete charts to play with."""
    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD_BYTES)
            return f'"{FORMAT}"'.encode() in head and b"partial = true" not in head
    except OSError:
        return False


def find_path(name: str) -> Path:
    """Return this path if it is a file, else the chart file of this name."""
    path = Path(name)
    return path if is_file(path) else find(name)


def load(name: str) -> ChartFile:
    """Find and read a chart file; a file is read again only if it has changed."""
    path = find(name).resolve()
    return _load(path, search_path.file_stamp(path))


@lru_cache(maxsize=16)
def _load(path: Path, stamp: search_path.FileStamp) -> ChartFile:
    file, faults = check(path)
    if file is None or faults:
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise BrokenChart(faults[0] + more)
    return file


def find_team(file: ChartFile, named: str) -> Team:
    """Return the team of this name in the file; `2008:ARI` names a team of another file."""
    other, colon, name = named.rpartition(":")
    return load(other).team(name) if colon and named not in file.teams else file.team(named)


def check(path: Path) -> tuple[ChartFile | None, list[str]]:
    """Read a file; the second value lists every fault with its place."""
    try:
        raw = read_toml(path, BrokenChart)
    except BrokenChart as fault:
        return None, [str(fault)]
    reader = ChartFileReader(path)
    return reader.read_file(raw), reader.faults


class ChartFileReader(TableReader):
    """Reader of one chart file."""

    # --- The file ---------------------------------------------------------------------

    def read_file(self, raw: Mapping[str, Any]) -> ChartFile:
        self.check_keys("", raw, ("format", "name", "partial", MADE_FROM, "league", "teams"))
        if raw.get("format") != FORMAT:
            self.add_fault("", f"format must be {FORMAT!r}, not {quote(raw.get('format'))}")
        self.partial = self.read_value("", raw, "partial", bool, False)
        name = self.read_name("", raw, self.path.stem)
        league = self.read_league(self.read_table("", raw, "league"))
        raw_teams = self.read_tables("teams", self.read_table("", raw, "teams"))
        teams = {key: self.read_team(key, raw_teams) for key in raw_teams}
        notes, made_from = tuple(self.notes), self.read_made_from(raw)
        return ChartFile(self.path, name, self.partial, league, teams, notes, made_from)

    def read_made_from(self, raw: Mapping[str, Any]) -> MadeFrom | None:
        try:
            return parse_made_from(raw.get(MADE_FROM))
        except ValueError as fault:
            self.add_fault("", fault)
            return None

    def read_league(self, raw: Mapping[str, Any]) -> League:
        where = "league"
        charts = ("squib-return", "pi-yards", "short-field", "mismatch", "priority")
        constants = ("season", "kickoff-spot", "overtime", "overtime-seconds", "overtime-timeouts")
        self.check_keys(where, raw, (*constants, *LEAGUE_SETS, *charts))
        stops = tuple(column.path[1] for column in SHORT_FIELD_COLUMNS)
        for name, inside in (("pi-yards", PASSES), ("short-field", stops)):
            self.check_keys(f"{where}, chart {name}", self.read_table(where, raw, name), inside)
        sets = {"onside": RowSet(c.parse_rows(ONSIDE_ROWS))}
        for name in LEAGUE_SETS:
            if name in raw:
                sets[name] = RowSet(self.read_rows(f"{where}, chart {name}", raw[name]))
        overtime = self.read_value(where, raw, "overtime", str, None)
        if overtime not in (None, *OVERTIME_FORMATS):
            self.add_fault(where, UnknownName("overtime", overtime, OVERTIME_FORMATS))
        return League(
            season=self.read_value(where, raw, "season", int, 0),
            columns=self.read_columns(where, raw, [*LEAGUE_COLUMNS]),
            sets=sets,
            mismatch=self.read_mismatch(self.read_table(where, raw, "mismatch")),
            priority=self.read_priority(self.read_table(where, raw, "priority")),
            kickoff_spot=self.read_number(where, raw, "kickoff-spot", SPOTS, None),
            overtime=overtime,
            overtime_seconds=self.read_number(
                where, raw, "overtime-seconds", SECONDS_ALLOWED, None
            ),
            overtime_timeouts=self.read_number(
                where, raw, "overtime-timeouts", TIMEOUTS_ALLOWED, None
            ),
        )

    def read_mismatch(self, raw: Mapping[str, Any]) -> dict[str, str]:
        """R114: Read pairs such as "1B 2B", by the side that is prompted."""
        self.check_keys("league, chart mismatch", raw, tuple(MISMATCHES))
        mismatches = {}
        for side, pairs in {**MISMATCHES, **raw}.items():
            mismatches[side] = str(pairs)
            for pair in str(pairs).split():
                if len(pair) != 2 or pair[0] not in "123456789" or pair[1] not in "ABCDEF":
                    place = f"league, chart mismatch, {side}"
                    self.add_fault(
                        place,
                        f"{quote(pair)} is not a play (1 to 9) and a formation (A to F)",
                    )
        return mismatches

    def read_priority(self, raw: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
        """Read the Priority Chart: rows of seven actions, or tables of the cells that differ."""
        self.check_keys("league, chart priority", raw, tuple(PRIORITY_CHART))
        chart = dict(PRIORITY_CHART)
        for row, given in raw.items():
            where = f"league, chart priority, row {row}"
            cells = list(PRIORITY_CHART.get(row, ()))
            if isinstance(given, list) and len(given) == len(PRIORITY_COLUMNS):
                cells = given
            elif isinstance(given, Mapping):
                self.check_keys(where, given, PRIORITY_COLUMNS)
                cells = [
                    given.get(across, default)
                    for across, default in zip(PRIORITY_COLUMNS, cells, strict=False)
                ]
            else:
                self.add_fault(
                    where, f"expected {len(PRIORITY_COLUMNS)} actions or a table of them"
                )
            for across, action in zip(PRIORITY_COLUMNS, cells, strict=False):
                if action not in ACTIONS:
                    place = f"{where}, column {across}"
                    self.add_fault(place, UnknownName("action", action, ACTIONS))
            if row in chart:
                chart[row] = tuple(cells)
        return chart

    # --- A team -----------------------------------------------------------------------

    def read_team(self, key: str, teams: Mapping[str, Any]) -> Team:
        where = f"team {key}"
        raw = self.merge_like(key, teams)
        team_columns = [col for col in (*LONG_COLUMNS, *SHORT_COLUMNS) if not col.is_league_wide]
        chart_keys = dict.fromkeys(col.path[0] for col in team_columns)
        own_keys = ("name", "season", "recovery", "pat-miss", "muffed-snap", "sack-rate")
        more_keys = ("recovery-adjust", "penalties", "hurry-up", "max-usage", "home-field")
        self.check_keys(where, raw, (*own_keys, *more_keys, *chart_keys))
        for name, inside in (("offence", PLAYS), ("defence", FORMATIONS)):
            self.check_keys(f"{where}, chart {name}", self.read_table(where, raw, name), inside)
        for formation in self.read_table(where, raw, "defence"):
            columns = self.read_table(where, raw["defence"], formation)
            self.check_keys(f"{where}, chart defence, formation {formation}", columns, PLAYS)
        rate = self.read_table(where, raw, "sack-rate")
        place = f"{where}, chart sack-rate"
        return Team(
            key=key,
            name=self.read_name(where, raw, key),
            season=self.read_value(where, raw, "season", int, 0),
            columns=self.read_columns(where, raw, team_columns),
            sets=self.read_team_sets(where, raw),
            sack_yards=self.read_number(place, rate, "sack-yards", range(-99, 0), 0),
            qr_yards=self.read_number(place, rate, "qr-yards", SPOTS, 0),
            hurry_up=self.read_number(where, raw, "hurry-up", range(1000), 0),
            max_usage=self.read_max_usage(where, raw),
            home_field=self.read_home_field(where, raw),
        )

    def merge_like(self, key: str, teams: Mapping[str, Any]) -> dict[str, Any]:
        """Return a team's own tables merged over those of the team that it is like, and so on."""
        chain = [key]
        layers = [dict(teams[key])]
        while (like := layers[-1].pop("like", None)) is not None:
            if not isinstance(like, str) or like not in teams or like in chain:
                allowed = [other for other in teams if other not in chain]
                self.add_fault(f"team {chain[-1]}", UnknownName("team for like", like, allowed))
                break
            if len(chain) > MAX_LIKE_CHAIN:
                self.add_fault(f"team {key}", f"a chain of like has at most {MAX_LIKE_CHAIN} teams")
                break
            chain.append(like)
            layers.append(dict(teams[like]))
        raw = layers.pop()
        while layers:
            raw = merge_tables(raw, layers.pop())
        return raw

    def read_team_sets(self, where: str, raw: Mapping[str, Any]) -> dict[str, RowSet]:
        sets = {}
        for name in ("recovery", "pat-miss", "muffed-snap"):
            if name in raw:
                sets[name] = RowSet(self.read_rows(f"{where}, chart {name}", raw[name]))
            elif name != "muffed-snap":
                self.add_missing(f"{where}, chart {name}", "the chart is missing")
        for name in ("sack-rate", "recovery-adjust"):
            if name in raw:
                row_set = self.read_rows_with_kind(where, name, self.read_table(where, raw, name))
                if row_set is not None:
                    sets[name] = row_set
        penalties = self.read_table(where, raw, "penalties")
        self.check_keys(f"{where}, chart penalties", penalties, PENALTY_SETS)
        for name in penalties:
            place = f"{where}, chart penalties, column {name}"
            row_set = self.read_commit_or_cancel(place, self.read_table(place, penalties, name))
            if name in PENALTY_SETS and row_set is not None:
                sets[name] = row_set
        return sets

    def read_rows_with_kind(self, where: str, name: str, raw: Mapping[str, Any]) -> RowSet | None:
        """Read a chart whose rows are all of one of two kinds; without rows there is no roll."""
        place = f"{where}, chart {name}"
        yards = ("sack-yards", "qr-yards") if name == "sack-rate" else ()
        self.check_keys(place, raw, ("kind", "rows", *yards))
        if "rows" not in raw or raw["rows"] == "":
            return None
        kind = raw.get("kind")
        if kind not in SET_KINDS[name]:
            self.add_fault(place, UnknownName("kind", kind, SET_KINDS[name]))
            return None
        return RowSet(self.read_rows(place, raw["rows"]), 1 + SET_KINDS[name].index(kind))

    def read_commit_or_cancel(self, place: str, raw: Mapping[str, Any]) -> RowSet | None:
        """R88: Read a column of either commit rows or cancel rows."""
        self.check_keys(place, raw, ("commit", "cancel"))
        if "commit" in raw and "cancel" in raw:
            self.add_fault(place, "give commit rows or cancel rows, not both")
        for kind, name in enumerate(("commit", "cancel"), 1):
            if name in raw and raw[name] != "":
                return RowSet(self.read_rows(place, raw[name]), kind)
        return None

    def read_max_usage(self, where: str, raw: Mapping[str, Any]) -> tuple[int, ...] | None:
        if "max-usage" not in raw:
            return None
        place, given = f"{where}, chart max-usage", self.read_table(where, raw, "max-usage")
        self.check_keys(place, given, PLAYS)
        for play in PLAYS:
            if play not in given:
                self.add_missing(f"{place}, column {play}", "the number is missing")
        return tuple(self.read_number(place, given, play, range(1000), 0) for play in PLAYS)

    def read_home_field(self, where: str, raw: Mapping[str, Any]) -> tuple[int, ...]:
        place, given = f"{where}, chart home-field", self.read_table(where, raw, "home-field")
        self.check_keys(place, given, tuple(HOME_FIELD_LIMITS))
        return tuple(
            self.read_number(place, given, key, range(most + 1), 0)
            for key, most in HOME_FIELD_LIMITS.items()
        )

    # --- Columns ----------------------------------------------------------------------

    def read_columns(
        self, where: str, raw: Mapping[str, Any], wanted: list[ChartColumn]
    ) -> dict[str, Cells]:
        columns = {}
        for column in wanted:
            place = f"{where}, chart {column.path[0]}"
            if len(column.path) > 1:
                place += f", column {' '.join(column.path[1:])}"
            given: Any = raw
            for key in column.path:
                given = given.get(key) if isinstance(given, Mapping) else None
            if given is not None:
                columns[column.name] = self.read_cells(place, given, column)
            elif column.is_required:
                self.add_missing(place, "the chart is missing")
                columns[column.name] = (c.BLANK,) * len(column.rows)
        return columns

    def read_cells(self, place: str, given: object, column: ChartColumn) -> Cells:
        """Read a column from a list of all its cells, or from a table keyed by row."""
        rows = column.rows
        if isinstance(given, list):
            if len(given) != len(rows):
                self.add_fault(place, f"{len(given)} cells; {len(rows)} are required")
            given = {str(row): cell for row, cell in zip(rows, given, strict=False)}
        if not isinstance(given, Mapping):
            self.add_fault(place, "expected a list of cells or a table keyed by row")
            return (c.BLANK,) * len(rows)
        known = {str(number) for number in rows}
        for row in given:
            if row not in known:
                self.add_fault(place, f"row {quote(row)} is not one of {rows[0]} to {rows[-1]}")
        absent = [row for row in rows if str(row) not in given]
        if absent:
            more = " and others" if len(absent) > 1 else ""
            self.add_missing(place, f"no cell for row {absent[0]}{more}")
        cells = tuple(
            self.read_cell(f"{place}, row {r}", given.get(str(r), ""), column) for r in rows
        )
        if all(c.is_penalty(cell) for cell in cells):
            self.add_fault(place, "every cell is a penalty, so the roll would never end")
        return cells

    def read_cell(self, place: str, text: object, column: ChartColumn) -> int:
        if not isinstance(text, str):
            self.add_fault(place, f"{quote(text)} must be a string in quotes")
            return c.BLANK
        try:
            cell = c.parse(text)
        except ValueError as fault:
            self.add_fault(place, fault)
            return c.BLANK
        kind = c.kind_of(cell)
        if kind not in column.allowed:
            allowed = ", ".join(c.KINDS[each_kind] for each_kind in sorted(column.allowed))
            self.add_fault(place, f"{quote(text)} is not allowed here, only {allowed}")
            return c.BLANK
        number = c.number_of(cell)
        if c.is_number(cell) and number < column.lowest and not (text == "" and self.partial):
            self.add_fault(place, f"{quote(text)} is below the minimum of {column.lowest}")
        if c.is_number(cell) and number > column.highest:
            self.add_fault(place, f"{quote(text)} is above the maximum of {column.highest}")
        if column.name == "fg-adjust" and number:
            self.add_fault(place, f"{quote(text)} is not allowed here, only G, NG or an empty cell")
        return cell

    def read_rows(self, place: str, given: object) -> int:
        mask = 0
        if given != "":
            try:
                mask = c.parse_rows(str(given) if isinstance(given, str | int) else "?")
            except ValueError as fault:
                self.add_fault(place, fault)
        return mask


def merge_tables(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Return the base with the values of `over` replaced, cell by cell."""
    merged = dict(base)
    for key, value in over.items():
        old = merged.get(key)
        if isinstance(old, list):
            old = {str(row): cell for row, cell in enumerate(old, c.first_row(old))}
        if isinstance(value, Mapping) and isinstance(old, Mapping) and "commit" not in value:
            merged[key] = merge_tables({} if "cancel" in value else old, value)
        else:
            merged[key] = value
    return merged
