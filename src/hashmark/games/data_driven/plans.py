"""Game plans: how a coach calls, as data (docs/plans.md).

A plan is a TOML file of sections; a section is a list of entries, each with the situation
that it is for and the shares of the calls in it. The first entry that fits is used. In the
match a plan is an array of rows, so that compiled games read it too.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from hashmark.games.data_driven.charts import SHIPPED
from hashmark.games.data_driven.tables import FORMATIONS, PLAYS
from hashmark.table import places
from hashmark.table.errors import HashmarkError, UnknownName

FORMAT = "data-driven-plan/1"
SUFFIX = ".plan.toml"

# What an entry's `when` may name, with the widest range that it can have.
KEYS = {
    "down": (0, 4),
    "to-go": (0, 99),
    "spot": (0, 99),
    "lead": (-9999, 9999),
    "time": (0, 9999),
    "period": (1, 99),
}
INSTEAD = ("play", "punt", "field-goal", "kneel", "safety", "pooch-5", "pooch-10", "pooch-15")
SECTIONS = {
    "play": PLAYS,
    "formation": FORMATIONS,
    "instead": INSTEAD,
    "try": ("extra-point", "two-point"),
    "kickoff": ("kickoff", "squib", "onside"),
    "offence-timeout": ("let-it-run", "timeout"),
    "defence-timeout": ("let-it-run", "timeout"),
    "tempo": ("let-it-run", "hurry-up", "spike"),
    "audible": ("stand", "audible", "audible-timeout"),
}
NUMBERS = {"return-depth": (range(10), 4), "roll-inside": (range(11), 6)}
MOST_SHARES = len(PLAYS)
WIDTH = 2 * len(KEYS) + MOST_SHARES
MOST_ROWS = 160
LARGEST_SHARE = 1000


class BrokenPlan(HashmarkError):
    """A game plan that cannot be read, with the place of the fault."""


@dataclass(frozen=True)
class Plan:
    """A plan as the match holds it: rows, where each section begins, and two numbers."""

    name: str
    rows: tuple[tuple[int, ...], ...]
    starts: tuple[int, ...]  # one for each section, and the end
    numbers: tuple[int, ...]


def load(name: str) -> Plan:
    """Find a plan and read it; a file is read again only when it has changed."""
    path = places.find("game plan", name, SUFFIX, SHIPPED).resolve()
    return _load(path, places.stamp(path))


@lru_cache(maxsize=16)
def _load(path: Path, changed: places.Stamp) -> Plan:
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as fault:
        raise BrokenPlan(f"cannot read {path}: {fault}") from None
    if raw.get("format") != FORMAT:
        raise BrokenPlan(f"{path.name}: format must be {FORMAT!r}, not {raw.get('format')!r}")
    for key in raw:
        if key not in ("format", "name", "numbers", *SECTIONS):
            raise BrokenPlan(f"{path.name}: {UnknownName('section', key, SECTIONS)}")
    rows: list[tuple[int, ...]] = []
    starts = []
    for section, calls in SECTIONS.items():
        starts.append(len(rows))
        rows += _section(f"{path.name}: [[{section}]]", raw.get(section, []), calls)
    if len(rows) > MOST_ROWS:
        raise BrokenPlan(f"{path.name}: {len(rows)} entries, at most {MOST_ROWS} are allowed")
    numbers = _numbers(path.name, raw.get("numbers", {}))
    return Plan(str(raw.get("name", path.stem)), tuple(rows), (*starts, len(rows)), numbers)


def _section(where: str, entries: Any, calls: tuple[str, ...]) -> list[tuple[int, ...]]:
    if not isinstance(entries, list):
        raise BrokenPlan(f"{where} must be a list of entries, with double brackets")
    return [_entry(f"{where} number {n}", entry, calls) for n, entry in enumerate(entries, 1)]


def _entry(where: str, entry: Mapping[str, Any], calls: tuple[str, ...]) -> tuple[int, ...]:
    """One row: low and high of each key, then the share of each call."""
    when = entry.get("when", {})
    if not isinstance(when, Mapping):
        raise BrokenPlan(f"{where}: when must be a table of ranges")
    for key in when:
        if key not in KEYS:
            raise BrokenPlan(f"{where}: {UnknownName('situation', key, KEYS)}")
    bounds: list[int] = []
    for key, widest in KEYS.items():
        bounds += _range(f"{where}, {key}", when.get(key, list(widest)))
    for call in entry:
        if call != "when" and call not in calls:
            raise BrokenPlan(f"{where}: {UnknownName('call', call, calls)}")
    shares = [_share(f"{where}, {call}", entry.get(call, 0)) for call in calls]
    if sum(shares) == 0:
        raise BrokenPlan(f"{where}: no call has a share")
    return (*bounds, *shares, *([0] * (MOST_SHARES - len(shares))))


def _range(where: str, given: Any) -> tuple[int, int]:
    pair = given if isinstance(given, list) else [given, given]
    if len(pair) != 2 or any(isinstance(n, bool) or not isinstance(n, int) for n in pair):
        raise BrokenPlan(f"{where}: {given!r} is not a number or a pair [low, high]")
    if pair[0] > pair[1]:
        raise BrokenPlan(f"{where}: {pair[0]} is above {pair[1]}")
    return pair[0], pair[1]


def _share(where: str, given: Any) -> int:
    if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given <= LARGEST_SHARE:
        raise BrokenPlan(f"{where}: {given!r} is not a share from 0 to {LARGEST_SHARE}")
    return given


def _numbers(file: str, given: Any) -> tuple[int, ...]:
    for key in given:
        if key not in NUMBERS:
            raise BrokenPlan(f"{file}: [numbers]: {UnknownName('number', key, NUMBERS)}")
    read = []
    for key, (allowed, default) in NUMBERS.items():
        number = given.get(key, default)
        if number not in allowed:
            raise BrokenPlan(
                f"{file}: [numbers] {key}: {number!r} is not from {allowed[0]} to {allowed[-1]}"
            )
        read.append(int(number))
    return tuple(read)
