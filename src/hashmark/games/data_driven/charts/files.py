"""Chart files: one TOML file with a league and any number of teams (docs/charts.md).

Reading collects every fault with the place it stands in (team, chart, column, row), so that
`hashmark charts check` can show them all; a game refuses a file at the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.charts.layout import (
    HOME_FIELD,
    LEAGUE_COLUMNS,
    LEAGUE_SETS,
    LONG_COLUMNS,
    PENALTY_SETS,
    SET_KINDS,
    SHORT_COLUMNS,
    SHORT_FIELD_COLUMNS,
    Column,
)
from hashmark.games.data_driven.charts.team_names import find_key
from hashmark.games.data_driven.made_from import KEY as MADE_FROM
from hashmark.games.data_driven.made_from import MadeFrom
from hashmark.games.data_driven.made_from import read as read_made_from
from hashmark.games.data_driven.tables import (
    ACROSS,
    ACTIONS,
    FORMATIONS,
    MISMATCH,
    ONSIDE,
    OVERTIMES,
    PASSES,
    PLAYS,
    PRIORITY,
    SECONDS_ALLOWED,
    SPOTS,
    TIMEOUTS_ALLOWED,
)
from hashmark.table import places
from hashmark.table.errors import HashmarkError, UnknownName
from hashmark.table.files import is_file, read_toml
from hashmark.table.readable import sentence, shown

FORMAT = "data-driven-charts/1"
SHIPPED = Path(__file__).parent.parent / "data"
SUFFIX = ".toml"
HEAD = 4096  # bytes in which a file must say what it is
MOST_LETTERS = 200  # of a name
MOST_LIKE = 20  # teams in a row, each like the next

Cells = tuple[int, ...]


class BrokenChart(HashmarkError):
    """A chart file that cannot be read, with the place of the fault."""


@dataclass(frozen=True)
class RowSet:
    """A set of rows and which of its two kinds it is (1, 2), where it has kinds."""

    mask: int
    kind: int = 1


@dataclass(frozen=True)
class Team:
    """The charts of one team; what is missing does not exist and is never rolled on."""

    key: str
    name: str
    season: int
    columns: Mapping[str, Cells]
    sets: Mapping[str, RowSet]
    sack_yards: int = 0
    qr_yards: int = 0
    hurry_up: int = 0
    max_usage: tuple[int, ...] | None = None
    home_field: tuple[int, ...] = (0,) * len(HOME_FIELD)


@dataclass(frozen=True)
class League:
    """What all teams of a file share; None where the file leaves a constant to the rules."""

    season: int
    columns: Mapping[str, Cells]
    sets: Mapping[str, RowSet]
    mismatch: Mapping[str, str]
    priority: Mapping[str, tuple[str, ...]]
    kickoff_spot: int | None = None
    overtime: str | None = None
    overtime_seconds: int | None = None
    overtime_timeouts: int | None = None


@dataclass(frozen=True)
class ChartFile:
    """A chart file as read."""

    path: Path
    name: str
    partial: bool
    league: League
    teams: Mapping[str, Team]
    notes: tuple[str, ...] = field(default=())  # what is missing and was let pass
    made_from: MadeFrom | None = None  # where it was not a whole season

    def team(self, key: str) -> Team:
        """The team of this key, or the one that is otherwise called so."""
        return self.teams[find_key(self.teams, key, self.path.name)]


def find(name: str) -> Path:
    """The chart file of this name, wherever it is."""
    return places.find("chart file", name, SUFFIX, SHIPPED)


def names() -> list[str]:
    """The names of all chart files that could be found; other TOML files lie about too."""
    return [name for name in places.names(SUFFIX, SHIPPED) if _is_charts(find(name))]


def _is_charts(path: Path) -> bool:
    """Whether the head of a file says that it holds charts to play with, and whole ones."""
    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD)
            return f'"{FORMAT}"'.encode() in head and b"partial = true" not in head
    except OSError:
        return False


def path_of(name: str) -> Path:
    """The file of this path, or of this name where chart files are looked for."""
    path = Path(name)
    return path if is_file(path) else find(name)


def load(name: str) -> ChartFile:
    """Find a chart file and read it; a file is read again only when it has changed."""
    path = find(name).resolve()
    return _load(path, places.stamp(path))


@lru_cache(maxsize=16)
def _load(path: Path, changed: places.Stamp) -> ChartFile:
    read, faults = check(path)
    if read is None or faults:
        more = f" (and {len(faults) - 1} more faults)" if len(faults) > 1 else ""
        raise BrokenChart(faults[0] + more)
    return read


def team_of(file: ChartFile, named: str) -> Team:
    """The team of this name in the file; `2008:ARI` is one of another file."""
    other, colon, name = named.rpartition(":")
    return load(other).team(name) if colon and named not in file.teams else file.team(named)


def check(path: Path) -> tuple[ChartFile | None, list[str]]:
    """Read a file; the second value lists every fault, each with its place."""
    try:
        raw = read_toml(path, BrokenChart)
    except BrokenChart as fault:
        return None, [str(fault)]
    reader = Reader(path)
    return reader.file(raw), reader.faults


class Reader:
    """Reads one file and notes what is wrong with it, and where."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.partial = False
        self.faults: list[str] = []
        self.notes: list[str] = []

    def complain(self, where: str, what: object) -> None:
        place = f"{self.path.name}: {where}" if where else self.path.name
        self.faults.append(sentence(f"{place}: {what}"))

    def missing(self, where: str, what: str) -> None:
        """Something that only a partial file may leave out."""
        if self.partial:
            self.notes.append(f"{where}: {what}")
        else:
            self.complain(where, f"{what} (only a file with partial = true may leave it out)")

    # --- The file ---------------------------------------------------------------------

    def file(self, raw: Mapping[str, Any]) -> ChartFile:
        self.known("", raw, ("format", "name", "partial", MADE_FROM, "league", "teams"))
        if raw.get("format") != FORMAT:
            self.complain("", f"format must be {FORMAT!r}, not {shown(raw.get('format'))}")
        self.partial = self.value("", raw, "partial", bool, False)
        name = self.name("", raw, self.path.stem)
        league = self.league(self.table("", raw, "league"))
        raw_teams = self.tables("teams", self.table("", raw, "teams"))
        teams = {key: self.team(key, raw_teams) for key in raw_teams}
        notes, made_from = tuple(self.notes), self.made_from(raw)
        return ChartFile(self.path, name, self.partial, league, teams, notes, made_from)

    def made_from(self, raw: Mapping[str, Any]) -> MadeFrom | None:
        try:
            return read_made_from(raw.get(MADE_FROM))
        except ValueError as fault:
            self.complain("", fault)
            return None

    def league(self, raw: Mapping[str, Any]) -> League:
        where = "league"
        charts = ("squib-return", "pi-yards", "short-field", "mismatch", "priority")
        constants = ("season", "kickoff-spot", "overtime", "overtime-seconds", "overtime-timeouts")
        self.known(where, raw, (*constants, *LEAGUE_SETS, *charts))
        stops = tuple(column.path[1] for column in SHORT_FIELD_COLUMNS)
        for name, inside in (("pi-yards", PASSES), ("short-field", stops)):
            self.known(f"{where}, chart {name}", self.table(where, raw, name), inside)
        sets = {"onside": RowSet(c.parse_rows(ONSIDE))}
        for name in LEAGUE_SETS:
            if name in raw:
                sets[name] = RowSet(self.rows(f"{where}, chart {name}", raw[name]))
        overtime = self.value(where, raw, "overtime", str, None)
        if overtime not in (None, *OVERTIMES):
            self.complain(where, UnknownName("overtime", overtime, OVERTIMES))
        return League(
            season=self.value(where, raw, "season", int, 0),
            columns=self.columns(where, raw, [*LEAGUE_COLUMNS]),
            sets=sets,
            mismatch=self.mismatch(self.table(where, raw, "mismatch")),
            priority=self.priority(self.table(where, raw, "priority")),
            kickoff_spot=self.number(where, raw, "kickoff-spot", SPOTS, None),
            overtime=overtime,
            overtime_seconds=self.number(where, raw, "overtime-seconds", SECONDS_ALLOWED, None),
            overtime_timeouts=self.number(where, raw, "overtime-timeouts", TIMEOUTS_ALLOWED, None),
        )

    def mismatch(self, raw: Mapping[str, Any]) -> dict[str, str]:
        """R114: pairs such as "1B 2B", by the side that is prompted."""
        self.known("league, chart mismatch", raw, tuple(MISMATCH))
        read = {}
        for side, pairs in {**MISMATCH, **raw}.items():
            read[side] = str(pairs)
            for pair in str(pairs).split():
                if len(pair) != 2 or pair[0] not in "123456789" or pair[1] not in "ABCDEF":
                    place = f"league, chart mismatch, {side}"
                    self.complain(
                        place, f"{shown(pair)} is not a play 1 to 9 and a formation A to F"
                    )
        return read

    def priority(self, raw: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
        """The Priority Chart: rows of seven actions, or tables of the cells that differ."""
        self.known("league, chart priority", raw, tuple(PRIORITY))
        read = dict(PRIORITY)
        for row, given in raw.items():
            where = f"league, chart priority, row {row}"
            cells = list(PRIORITY.get(row, ()))
            if isinstance(given, list) and len(given) == len(ACROSS):
                cells = given
            elif isinstance(given, Mapping):
                self.known(where, given, ACROSS)
                cells = [given.get(across, old) for across, old in zip(ACROSS, cells, strict=False)]
            else:
                self.complain(where, f"expected {len(ACROSS)} actions or a table of them")
            for across, action in zip(ACROSS, cells, strict=False):
                if action not in ACTIONS:
                    place = f"{where}, column {across}"
                    self.complain(place, UnknownName("action", action, ACTIONS))
            if row in read:
                read[row] = tuple(cells)
        return read

    # --- A team -----------------------------------------------------------------------

    def team(self, key: str, teams: Mapping[str, Any]) -> Team:
        where = f"team {key}"
        raw = self.inherited(key, teams)
        own = [col for col in (*LONG_COLUMNS, *SHORT_COLUMNS) if not col.league]
        tops = dict.fromkeys(col.path[0] for col in own)
        others = ("name", "season", "recovery", "pat-miss", "muffed-snap", "sack-rate")
        more = ("recovery-adjust", "penalties", "hurry-up", "max-usage", "home-field")
        self.known(where, raw, (*others, *more, *tops))
        for name, inside in (("offence", PLAYS), ("defence", FORMATIONS)):
            self.known(f"{where}, chart {name}", self.table(where, raw, name), inside)
        for formation in self.table(where, raw, "defence"):
            of = self.table(where, raw["defence"], formation)
            self.known(f"{where}, chart defence, formation {formation}", of, PLAYS)
        rate = self.table(where, raw, "sack-rate")
        place = f"{where}, chart sack-rate"
        return Team(
            key=key,
            name=self.name(where, raw, key),
            season=self.value(where, raw, "season", int, 0),
            columns=self.columns(where, raw, own),
            sets=self.team_sets(where, raw),
            sack_yards=self.number(place, rate, "sack-yards", range(-99, 0), 0) or 0,
            qr_yards=self.number(place, rate, "qr-yards", SPOTS, 0) or 0,
            hurry_up=self.number(where, raw, "hurry-up", range(1000), 0) or 0,
            max_usage=self.max_usage(where, raw),
            home_field=self.home_field(where, raw),
        )

    def inherited(self, key: str, teams: Mapping[str, Any]) -> dict[str, Any]:
        """A team's own tables laid over those of the team that it is like, and so on."""
        line = [key]
        layers = [dict(teams[key])]
        while (like := layers[-1].pop("like", None)) is not None:
            if not isinstance(like, str) or like not in teams or like in line:
                allowed = [other for other in teams if other not in line]
                self.complain(f"team {line[-1]}", UnknownName("team to be like", like, allowed))
                break
            if len(line) > MOST_LIKE:
                self.complain(f"team {key}", f"a team is like {MOST_LIKE} others at most")
                break
            line.append(like)
            layers.append(dict(teams[like]))
        raw = layers.pop()
        while layers:
            raw = laid_over(raw, layers.pop())
        return raw

    def team_sets(self, where: str, raw: Mapping[str, Any]) -> dict[str, RowSet]:
        sets = {}
        for name in ("recovery", "pat-miss", "muffed-snap"):
            if name in raw:
                sets[name] = RowSet(self.rows(f"{where}, chart {name}", raw[name]))
            elif name != "muffed-snap":
                self.missing(f"{where}, chart {name}", "the chart is missing")
        for name in ("sack-rate", "recovery-adjust"):
            if name in raw:
                found = self.rows_with_kind(where, name, self.table(where, raw, name))
                if found is not None:
                    sets[name] = found
        penalties = self.table(where, raw, "penalties")
        self.known(f"{where}, chart penalties", penalties, PENALTY_SETS)
        for name in penalties:
            place = f"{where}, chart penalties, column {name}"
            found = self.commit_or_cancel(place, self.table(place, penalties, name))
            if name in PENALTY_SETS and found is not None:
                sets[name] = found
        return sets

    def rows_with_kind(self, where: str, name: str, raw: Mapping[str, Any]) -> RowSet | None:
        """A chart whose rows are all of one of two kinds; without rows there is no roll."""
        place = f"{where}, chart {name}"
        yards = ("sack-yards", "qr-yards") if name == "sack-rate" else ()
        self.known(place, raw, ("kind", "rows", *yards))
        if "rows" not in raw or raw["rows"] == "":
            return None
        kind = raw.get("kind")
        if kind not in SET_KINDS[name]:
            self.complain(place, UnknownName("kind", kind, SET_KINDS[name]))
            return None
        return RowSet(self.rows(place, raw["rows"]), 1 + SET_KINDS[name].index(kind))

    def commit_or_cancel(self, place: str, raw: Mapping[str, Any]) -> RowSet | None:
        """R88: a column holds either commit rows or cancel rows."""
        self.known(place, raw, ("commit", "cancel"))
        if "commit" in raw and "cancel" in raw:
            self.complain(place, "commit and cancel rows exclude each other")
        for kind, name in enumerate(("commit", "cancel"), 1):
            if name in raw and raw[name] != "":
                return RowSet(self.rows(place, raw[name]), kind)
        return None

    def max_usage(self, where: str, raw: Mapping[str, Any]) -> tuple[int, ...] | None:
        if "max-usage" not in raw:
            return None
        place, given = f"{where}, chart max-usage", self.table(where, raw, "max-usage")
        self.known(place, given, PLAYS)
        for play in PLAYS:
            if play not in given:
                self.missing(f"{place}, column {play}", "the number is missing")
        return tuple(self.number(place, given, play, range(1000), 0) or 0 for play in PLAYS)

    def home_field(self, where: str, raw: Mapping[str, Any]) -> tuple[int, ...]:
        place, given = f"{where}, chart home-field", self.table(where, raw, "home-field")
        self.known(place, given, tuple(HOME_FIELD))
        return tuple(
            self.number(place, given, key, range(most + 1), 0) or 0
            for key, most in HOME_FIELD.items()
        )

    # --- Columns ----------------------------------------------------------------------

    def columns(self, where: str, raw: Mapping[str, Any], wanted: list[Column]) -> dict[str, Cells]:
        read = {}
        for column in wanted:
            place = f"{where}, chart {column.path[0]}"
            if len(column.path) > 1:
                place += f", column {' '.join(column.path[1:])}"
            given: Any = raw
            for key in column.path:
                given = given.get(key) if isinstance(given, Mapping) else None
            if given is not None:
                read[column.name] = self.cells(place, given, column)
            elif column.core:
                self.missing(place, "the chart is missing")
                read[column.name] = (c.BLANK,) * len(column.rows)
        return read

    def cells(self, place: str, given: Any, column: Column) -> Cells:
        """A column from a list of all its cells, or from a table keyed by row."""
        rows = column.rows
        if isinstance(given, list):
            if len(given) != len(rows):
                self.complain(place, f"{len(given)} cells instead of {len(rows)}")
            given = {str(row): cell for row, cell in zip(rows, given, strict=False)}
        if not isinstance(given, Mapping):
            self.complain(place, "expected a list of cells or a table keyed by row")
            return (c.BLANK,) * len(rows)
        known = {str(number) for number in rows}
        for row in given:
            if row not in known:
                self.complain(place, f"row {shown(row)} is not one of {rows[0]} to {rows[-1]}")
        absent = [row for row in rows if str(row) not in given]
        if absent:
            more = " and others" if len(absent) > 1 else ""
            self.missing(place, f"no cell for row {absent[0]}{more}")
        cells = tuple(self.cell(f"{place}, row {r}", given.get(str(r), ""), column) for r in rows)
        if all(c.is_penalty(cell) for cell in cells):
            self.complain(place, "every cell is a penalty: rolling would never end")
        return cells

    def cell(self, place: str, text: Any, column: Column) -> int:
        if not isinstance(text, str):
            self.complain(place, f"{shown(text)} must be written as a text, in quotes")
            return c.BLANK
        try:
            cell = c.parse(text)
        except ValueError as fault:
            self.complain(place, fault)
            return c.BLANK
        kind = c.kind_of(cell)
        if kind not in column.allowed:
            allowed = ", ".join(c.KINDS[one] for one in sorted(column.allowed))
            self.complain(place, f"{shown(text)} is not allowed here, only {allowed}")
            return c.BLANK
        number = c.number_of(cell)
        if c.is_number(cell) and number < column.lowest and not (text == "" and self.partial):
            self.complain(
                place, f"{shown(text)} is less than {column.lowest}, the least that it can be"
            )
        if c.is_number(cell) and number > column.highest:
            self.complain(
                place, f"{shown(text)} is more than {column.highest}, the most that it can be"
            )
        if column.name == "fg-adjust" and number:
            self.complain(place, f"{shown(text)} is not allowed here, only G, NG or nothing")
        return cell

    def rows(self, place: str, given: Any) -> int:
        found = 0
        if given != "":
            try:
                found = c.parse_rows(str(given) if isinstance(given, str | int) else "?")
            except ValueError as fault:
                self.complain(place, fault)
        return found

    # --- Plain values -----------------------------------------------------------------

    def known(self, where: str, raw: Mapping[str, Any], allowed: tuple[str, ...]) -> None:
        for key in raw:
            if key not in allowed:
                self.complain(where, UnknownName("key", key, allowed))

    def table(self, where: str, raw: Mapping[str, Any], key: str) -> Mapping[str, Any]:
        given = raw.get(key, {})
        if not isinstance(given, Mapping):
            self.complain(where, f"{key} must be a table, not {shown(given)}")
            return {}
        return given

    def tables(self, where: str, raw: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
        """What of this is a table; anything else is a fault, and is not read on."""
        read = {key: self.table(where, raw, key) for key in raw}
        return {key: found for key, found in read.items() if found is raw[key]}

    def value(self, where: str, raw: Mapping[str, Any], key: str, kind: type, default: Any) -> Any:
        given = raw.get(key, default)
        if key in raw and (
            not isinstance(given, kind) or (kind is int and isinstance(given, bool))
        ):
            self.complain(
                where, f"{key} is {shown(given)}, not of the right kind ({kind.__name__})"
            )
            return default
        return given

    def name(self, where: str, raw: Mapping[str, Any], default: str) -> str:
        """A name that a sheet has room for."""
        name: str = self.value(where, raw, "name", str, default)
        if len(name) > MOST_LETTERS:
            said = f"the name has {len(name)} letters, at most {MOST_LETTERS} are allowed"
            self.complain(where, said)
        return name[:MOST_LETTERS]

    def number(
        self, where: str, raw: Mapping[str, Any], key: str, allowed: range, default: int | None
    ) -> int | None:
        given = self.value(where, raw, key, int, default)
        if key in raw and given not in allowed:
            self.complain(
                where, f"{key} is {shown(given)}, not between {allowed[0]} and {allowed[-1]}"
            )
            return default
        return given  # type: ignore[no-any-return]


def laid_over(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """The base with what `over` names put in its place, cell by cell."""
    made = dict(base)
    for key, value in over.items():
        old = made.get(key)
        if isinstance(old, list):
            old = {str(row): cell for row, cell in enumerate(old, c.first_row(old))}
        if isinstance(value, Mapping) and isinstance(old, Mapping) and "commit" not in value:
            made[key] = laid_over({} if "cancel" in value else old, value)
        else:
            made[key] = value
    return made
