"""Game plans: how a coach calls, as data (docs/reference/plans.md).

A plan is a TOML file of sections. A section is a list of entries, each with the situation that it
applies to and the shares of the calls in it. The first entry that fits is used. In the match a plan
is an array of rows, so that compiled games can read it too.

The plans of a season share one file: the league's plan in the same form, and for each team the
shares in which it differs.

Wherever a plan is named, a complete plan may be given instead, packed into one word (`plan:`
followed by the zlib-compressed file in base64). This lets a game's log carry a custom plan.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeGuard

from hashmark.errors import HashmarkError, UnknownName
from hashmark.games.data_driven.charts.files import SHIPPED
from hashmark.games.data_driven.charts.table_reader import MAX_NAME_LENGTH
from hashmark.games.data_driven.made_from import MADE_FROM, MadeFrom, parse_made_from
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.sanitize import quote
from hashmark.storage import search_path
from hashmark.storage.user_files import parse_toml, read_toml

FORMAT = "data-driven-plan/1"
SUFFIX = ".plan.toml"
SEASON_FORMAT = "data-driven-plans/1"
SEASON_SUFFIX = ".plans.toml"
LEAGUE = "league"  # key of the average team's plan in a season's file
SAME_AS_LEAGUE = "="  # in a season's file: the entry equals the league's

PACKED_PREFIX = "plan:"  # prefix of a packed plan
MAX_PLAN_BYTES = 1 << 17  # bytes of a plan's text, unpacked

MAX_LEAD = 9999  # larger leads are clamped to this

# Keys of an entry's `when`, each with its widest range.
SITUATION_RANGES = {
    "down": (0, 4),
    "to-go": (0, 99),
    "spot": (0, 99),
    "lead": (-MAX_LEAD, MAX_LEAD),
    "time": (0, 9999),
    "period": (1, 99),
}
INSTEAD_CALLS = ("play", "punt", "field-goal", "kneel", "safety", "pooch-5", "pooch-10", "pooch-15")
SECTIONS = {
    "play": PLAYS,
    "formation": FORMATIONS,
    "instead": INSTEAD_CALLS,
    "try": ("extra-point", "two-point"),
    "kickoff": ("kickoff", "squib", "onside"),
    "offence-timeout": ("let-it-run", "timeout"),
    "defence-timeout": ("let-it-run", "timeout"),
    "tempo": ("let-it-run", "hurry-up", "spike"),
    "audible": ("stand", "audible", "audible-timeout"),
}
NUMBERS = {"return-depth": (range(10), 4), "roll-inside": (range(11), 6)}
SHARES_WIDTH = len(PLAYS)
ENTRY_WIDTH = 2 * len(SITUATION_RANGES) + SHARES_WIDTH
MAX_ENTRIES = 400
MAX_SHARE = 1000


class BrokenPlan(HashmarkError):
    """Game plan that cannot be read; the message names the place of the fault."""


@dataclass(frozen=True)
class Entry:
    """Entry of a section: the ranges of its situation, and the shares of its calls."""

    when: Mapping[str, tuple[int, int]]
    shares: Mapping[str, int]

    def to_json(self) -> dict[str, Any]:
        """Return the entry as it appears in a file."""
        return {"when": {key: list(pair) for key, pair in self.when.items()}, **self.shares}


@dataclass(frozen=True)
class Plan:
    """Plan in the form the match stores: rows, where each section begins, and two numbers."""

    name: str
    rows: tuple[tuple[int, ...], ...]
    starts: tuple[int, ...]  # one for each section, then the end
    numbers: tuple[int, ...]
    made_from: MadeFrom | None = None  # set for a real plan of a part of a season

    def section(self, name: str) -> list[Entry]:
        """Return the entries of one section in readable form."""
        index = list(SECTIONS).index(name)
        return [
            _read_row(row, SECTIONS[name])
            for row in self.rows[self.starts[index] : self.starts[index + 1]]
        ]

    def sections(self) -> dict[str, list[Entry]]:
        """Return the entries of all sections; `build_plan` rebuilds the plan from them."""
        return {name: self.section(name) for name in SECTIONS}

    def number(self, name: str) -> int:
        return self.numbers[list(NUMBERS).index(name)]

    def to_json(self, sections: Iterable[str] = SECTIONS) -> dict[str, Any]:
        """Return the name, the numbers, and the entries of these sections."""
        return {
            "name": self.name,
            "made_from": self.made_from.to_json() if self.made_from is not None else None,
            "numbers": dict(zip(NUMBERS, self.numbers, strict=True)),
            "sections": {
                name: [entry.to_json() for entry in self.section(name)] for name in sections
            },
        }


@dataclass(frozen=True)
class SeasonPlans:
    """Plans of a season by team code, including the league's."""

    path: Path
    plans: Mapping[str, Plan]

    def team(self, code: str) -> Plan:
        for spelling in (code, code.upper(), code.lower()):
            if spelling in self.plans:
                return self.plans[spelling]
        raise UnknownName(f"team in {self.path.name}", code, self.plans)


def build_plan(
    name: str, sections: Mapping[str, Sequence[Entry]], numbers: Mapping[str, int] | None = None
) -> Plan:
    """Build a plan in memory, with the same checks as for a file."""
    raw: dict[str, Any] = {"format": FORMAT, "name": name, "numbers": dict(numbers or {})}
    for section, entries in sections.items():
        raw[section] = [entry.to_json() for entry in entries]
    return parse(raw, name)


def find_fitting_entry(entries: Sequence[Entry], situation: Mapping[str, int]) -> Entry | None:
    """Return the first entry that fits; a key missing from the situation fits only open ranges."""
    for entry in entries:
        if all(
            low <= situation.get(key, -(10**6)) <= high for key, (low, high) in entry.when.items()
        ):
            return entry
    return None


def load(name: str) -> Plan:
    """Find and read a plan; a file is read again only if it has changed.

    `2008:ARI` is the plan of a team in a season's file, `plan:...` a packed plan.
    """
    if name.startswith(PACKED_PREFIX):
        return unpack(name)
    season, colon, team = name.rpartition(":")
    if colon and team.replace("-", "").isalnum():
        return load_season(season).team(team)
    path = find(name).resolve()
    return _load(path, search_path.file_stamp(path))


@lru_cache(maxsize=64)
def unpack(word: str) -> Plan:
    """Return the plan that `text.pack` packed into a word."""
    try:
        raw = base64.b64decode(word.removeprefix(PACKED_PREFIX), b"-_", validate=True)
        packed = zlib.decompressobj()
        text = packed.decompress(raw, MAX_PLAN_BYTES)
        if packed.eof and not packed.unused_data:
            return parse_text(text.decode("utf-8"), "the packed plan")
    except (binascii.Error, zlib.error, ValueError):  # UnicodeDecodeError is one
        pass
    raise BrokenPlan(f"{quote(word[:40])} is not a packed plan")


def parse_text(text: str, where: str) -> Plan:
    """Parse a plan from the text of its file; errors name `where`."""
    if len(text.encode(errors="surrogatepass")) > MAX_PLAN_BYTES:
        raise BrokenPlan(f"{where}: larger than {MAX_PLAN_BYTES >> 10} kB")
    try:
        raw = parse_toml(text.removeprefix("\ufeff"))
    except ValueError as fault:
        raise BrokenPlan(f"{where}: not TOML ({fault})") from None
    return parse(raw, where)


def find(name: str) -> Path:
    """Return the path of the plan file with this name or path."""
    return search_path.find_file("game plan", name, SUFFIX, SHIPPED)


def find_season(name: str) -> Path:
    """Return the path of a season's plan file, by the name of the season."""
    return search_path.find_file("season plan file", name, SEASON_SUFFIX, SHIPPED)


def load_season(name: str) -> SeasonPlans:
    """Return all plans of a season."""
    path = find_season(name).resolve()
    return _load_season(path, search_path.file_stamp(path))


@lru_cache(maxsize=16)
def _load(path: Path, stamp: search_path.FileStamp) -> Plan:
    return parse(read_toml(path, BrokenPlan), path.name, path.name.removesuffix(SUFFIX))


@lru_cache(maxsize=16)
def _load_season(path: Path, stamp: search_path.FileStamp) -> SeasonPlans:
    return SeasonPlans(path, parse_season(read_toml(path, BrokenPlan), path.name))


# --- One plan ------------------------------------------------------------------------


def parse(raw: Mapping[str, Any], file: str, name: str = "") -> Plan:
    """Return the plan described by a file's tables; errors name `file`."""
    _check_head(raw, file, FORMAT, ("name", MADE_FROM, "numbers", *SECTIONS))
    rows: list[tuple[int, ...]] = []
    starts = []
    for section, calls in SECTIONS.items():
        starts.append(len(rows))
        rows += _parse_section(f"{file}: [[{section}]]", raw.get(section, []), calls)
    if len(rows) > MAX_ENTRIES:
        raise BrokenPlan(f"{file}: {len(rows)} entries; at most {MAX_ENTRIES} are allowed")
    numbers = _parse_numbers(file, raw.get("numbers", {}))
    plan_name = _parse_name(file, raw.get("name", name or file))
    return Plan(plan_name, tuple(rows), (*starts, len(rows)), numbers, _parse_made_from(file, raw))


def _parse_made_from(file: str, raw: Mapping[str, Any]) -> MadeFrom | None:
    try:
        return parse_made_from(raw.get(MADE_FROM))
    except ValueError as fault:
        raise BrokenPlan(f"{file}: {fault}") from None


def _parse_name(file: str, given: object) -> str:
    name = str(given)
    if len(name) > MAX_NAME_LENGTH:
        raise BrokenPlan(
            f"{file}: the name has {len(name)} characters; at most {MAX_NAME_LENGTH} are allowed"
        )
    return name


def _check_head(raw: Mapping[str, Any], file: str, form: str, allowed: Sequence[str]) -> None:
    if raw.get("format") != form:
        raise BrokenPlan(f"{file}: format must be {form!r}, not {quote(raw.get('format'))}")
    for key in raw:
        if key != "format" and key not in allowed:
            raise BrokenPlan(f"{file}: {UnknownName('section', key, allowed)}")


def _parse_section(where: str, entries: object, calls: tuple[str, ...]) -> list[tuple[int, ...]]:
    if not isinstance(entries, list):
        raise BrokenPlan(f"{where} must be a list of entries in double brackets")
    return [_parse_entry(f"{where} number {n}", entry, calls) for n, entry in enumerate(entries, 1)]


def _parse_entry(where: str, entry: object, calls: tuple[str, ...]) -> tuple[int, ...]:
    """Return one row: low and high of each key, then the share of each call."""
    if not isinstance(entry, Mapping):
        raise BrokenPlan(f"{where} is not a table")
    when = entry.get("when", {})
    if not isinstance(when, Mapping):
        raise BrokenPlan(f"{where}: when must be a table of ranges")
    for key in when:
        if key not in SITUATION_RANGES:
            raise BrokenPlan(f"{where}: {UnknownName('situation', key, SITUATION_RANGES)}")
    bounds: list[int] = []
    for key, widest in SITUATION_RANGES.items():
        bounds += _parse_range(where, key, when[key], widest) if key in when else widest
    for call in entry:
        if call != "when" and call not in calls:
            raise BrokenPlan(f"{where}: {UnknownName('call', call, calls)}")
    shares = [_parse_share(where, call, entry[call]) if call in entry else 0 for call in calls]
    return (*bounds, *_padded(where, shares))


def _padded(where: str, shares: list[int]) -> tuple[int, ...]:
    if sum(shares) == 0:
        raise BrokenPlan(f"{where}: every call has a share of 0")
    return (*shares, *([0] * (SHARES_WIDTH - len(shares))))


def _parse_range(where: str, key: str, given: object, widest: tuple[int, int]) -> tuple[int, int]:
    pair = given if isinstance(given, list) else [given, given]
    first, last = pair if len(pair) == 2 else (None, None)
    if not (_is_whole(first) and _is_whole(last)):
        raise BrokenPlan(f"{where}, {key}: {quote(given)} is not a number or a pair [low, high]")
    if first > last:
        raise BrokenPlan(f"{where}, {key}: the low end {first} is above the high end {last}")
    low, high = widest
    if first < low or last > high:
        raise BrokenPlan(
            f"{where}, {key}: {quote(given)} is out of range: {low} to {high} is allowed"
        )
    return first, last


def _is_whole(given: object) -> TypeGuard[int]:
    return isinstance(given, int) and not isinstance(given, bool)


def _is_share(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= len(str(MAX_SHARE))


def _parse_share(where: str, call: str, given: object) -> int:
    if not _is_whole(given) or not 0 <= given <= MAX_SHARE:
        place = f"{where}, {call}" if call else where
        raise BrokenPlan(f"{place}: {quote(given)} is not a share from 0 to {MAX_SHARE}")
    return given


def _parse_numbers(file: str, given: object) -> tuple[int, ...]:
    if not isinstance(given, Mapping):
        raise BrokenPlan(f"{file}: [numbers] must be a table")
    for key in given:
        if key not in NUMBERS:
            raise BrokenPlan(f"{file}: [numbers]: {UnknownName('number', key, NUMBERS)}")
    numbers = []
    for key, (allowed, default) in NUMBERS.items():
        number = given.get(key, default)
        if not _is_whole(number) or number not in allowed:
            low, high = allowed[0], allowed[-1]
            raise BrokenPlan(
                f"{file}: [numbers] {key}: {quote(number)} is not from {low} to {high}"
            )
        numbers.append(number)
    return tuple(numbers)


def _read_row(row: Sequence[int], calls: tuple[str, ...]) -> Entry:
    when = {
        key: (row[2 * index], row[2 * index + 1])
        for index, (key, widest) in enumerate(SITUATION_RANGES.items())
        if (row[2 * index], row[2 * index + 1]) != widest
    }
    shares = row[2 * len(SITUATION_RANGES) : 2 * len(SITUATION_RANGES) + len(calls)]
    return Entry(when, {call: share for call, share in zip(calls, shares, strict=True) if share})


# --- A season's plans ------------------------------------------------------------------


def parse_season(raw: Mapping[str, Any], file: str) -> dict[str, Plan]:
    """Return the league's plan and each team's: the league's with different shares in places."""
    head = ("name", MADE_FROM, "numbers", "teams", *SECTIONS)
    _check_head(raw, file, SEASON_FORMAT, head)
    season = _parse_name(file, raw.get("name", file.removesuffix(SEASON_SUFFIX)))
    base = {key: value for key, value in raw.items() if key not in ("format", "teams")}
    league = parse({**base, "format": FORMAT, "name": f"{season}:{LEAGUE}"}, file)
    plans = {LEAGUE: league}
    teams = raw.get("teams", {})
    if not isinstance(teams, Mapping):
        raise BrokenPlan(f"{file}: [teams] must be a table")
    for code, given in teams.items():
        where = f"{file}: [teams.{code}]"
        if not isinstance(given, Mapping):
            raise BrokenPlan(f"{where} must be a table")
        plans[code] = _team_plan(where, f"{season}:{code}", league, given)
    return plans


def _team_plan(where: str, name: str, league: Plan, given: Mapping[str, Any]) -> Plan:
    for key in given:
        if key not in ("numbers", *SECTIONS):
            raise BrokenPlan(f"{where}: {UnknownName('section', key, SECTIONS)}")
    rows: list[tuple[int, ...]] = []
    for index, (section, calls) in enumerate(SECTIONS.items()):
        entries = list(league.rows[league.starts[index] : league.starts[index + 1]])
        if section in given:
            entries = _with_shares(f"{where} {section}", entries, given[section], calls)
        rows += entries
    numbers = league.numbers
    if "numbers" in given:
        numbers = _parse_numbers(where, given["numbers"])
    return Plan(name, tuple(rows), league.starts, numbers, league.made_from)


def _with_shares(
    where: str, entries: list[tuple[int, ...]], given: object, calls: tuple[str, ...]
) -> list[tuple[int, ...]]:
    """Return the league's entries with the team's shares: one line each, `=` for no change."""
    if not isinstance(given, str):
        raise BrokenPlan(f"{where} must be a string with one line of shares for each entry")
    lines = given.strip().splitlines()
    if len(lines) != len(entries):
        raise BrokenPlan(
            f"{where}: {len(lines)} lines; expected {len(entries)}, one for each league entry"
        )
    changed_entries = []
    for number, (line, entry) in enumerate(zip(lines, entries, strict=True), 1):
        if line.strip() == SAME_AS_LEAGUE:
            changed_entries.append(entry)
            continue
        place = f"{where}, line {number}"
        words = line.split()
        if len(words) != len(calls) or not all(map(_is_share, words)):
            raise BrokenPlan(
                f"{place}: {quote(line)} is neither {len(calls)} shares nor {SAME_AS_LEAGUE!r}"
            )
        shares = [_parse_share(place, "", int(word)) for word in words]
        changed_entries.append((*entry[: 2 * len(SITUATION_RANGES)], *_padded(place, shares)))
    return changed_entries
