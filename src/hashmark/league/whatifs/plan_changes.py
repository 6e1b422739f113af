"""Plan changes: more of one call, less of another, optionally only in some situations.

A change is a pure function of a plan: it moves shares within the entries of one section and leaves
every other entry unchanged. A change for a situation splits the entries that extend beyond it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from hashmark.errors import HashmarkError, UnknownName
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.plan import MAX_SHARE, SECTIONS, SITUATION_RANGES, Plan
from hashmark.games.data_driven.plans.text import ORDINALS
from hashmark.games.data_driven.tables import FORMATIONS, PASSES, PLAYS, REFUSED_FROM
from hashmark.sanitize import quote, shorten

PlanEntry = tuple[int, ...]
Range = tuple[int, int]
FIRST_SHARE = 2 * len(SITUATION_RANGES)
KEY_NAMES = tuple(SITUATION_RANGES)

PLAY_ALIASES = {
    "plunge": "line-plunge",
    "dive": "line-plunge",
    "tackle": "off-tackle",
    "end": "end-run",
    "sweep": "end-run",
    "short": "short-pass",
    "medium": "medium-pass",
    "long": "long-pass",
    "deep": "long-pass",
    "bomb": "long-pass",
    "sideline": "sideline-pass",
    "out": "sideline-pass",
}
FORMATION_ALIASES = {
    "base": "standard",
    "4-3": "standard",
    "3-4": "standard",
    "goal-line": "jam-middle",
    "jam": "jam-middle",
    "wide": "rush-wide",
    "prevent": "dime",
}


class BadChange(HashmarkError):
    """Invalid change: it cannot be parsed or applied."""


# --- Situations ------------------------------------------------------------------------


@dataclass(frozen=True)
class SituationFilter:
    """Situations to which a change applies: a range for each key it names."""

    ranges: tuple[tuple[str, Range], ...] = ()

    def bounds(self) -> PlanEntry:
        """Return low and high of every key, in the order of an entry."""
        named = dict(self.ranges)
        return tuple(
            limit for key, widest in SITUATION_RANGES.items() for limit in named.get(key, widest)
        )

    def words(self) -> str:
        """Describe it: `on first down`, `with 8 or more to go`; empty for all situations."""
        return " ".join(_describe_range(key, limits) for key, limits in self.ranges)


SITUATION_FORMS = {
    "to-go": "with {} to go",
    "lead": "with a lead of {}",
    "time": "with {} seconds left",
    "period": "in quarter {}",
}
ANYWHERE = SituationFilter()


def _describe_range(key: str, limits: Range) -> str:
    low, high = limits
    if key == "down":
        return "on " + " and ".join(ORDINALS[n] for n in range(max(low, 1), high + 1)) + " down"
    if key == "spot":
        return describe_spots(low, high)
    if low == high:
        text = str(low)
    elif high == SITUATION_RANGES[key][1]:
        text = f"{low} or more"
    elif low == SITUATION_RANGES[key][0]:
        text = f"{high} or less"
    else:
        text = f"{low} to {high}"
    return SITUATION_FORMS[key].format(text)


def describe_spots(low: int, high: int) -> str:
    """Describe a stretch of the field: `from midfield on`, `between their own 20 and midfield`."""
    if high >= 99:
        return f"from {yard_line(low)} on"
    if low <= 1:
        return f"up to {yard_line(high)}"
    if low == high:
        return f"at {yard_line(low)}"
    return f"between {yard_line(low)} and {yard_line(high)}"


def yard_line(spot: int) -> str:
    """Format a spot: `their own 32`, `midfield`, `the opponent's 8`."""
    if spot == 50:
        return "midfield"
    return f"their own {spot}" if spot < 50 else f"the opponent's {100 - spot}"


def parse_situation(text: str) -> SituationFilter:
    """Parse `down=1`, `down=3 to-go=7+`, `lead=-8..-1, time=..120`; commas join several."""
    ranges: dict[str, Range] = {}
    for part in re.split(r"[,;\s]+", text.strip()):
        if not part:
            continue
        key, equals, value = part.partition("=")
        if not equals:
            raise BadChange(f"situation {quote(part)}: expected KEY=RANGE, e.g. down=1 or to-go=7+")
        if key not in SITUATION_RANGES:
            raise UnknownName("situation", key, SITUATION_RANGES)
        if key in ranges:
            raise BadChange(f"situation {key} is given twice")
        ranges[key] = _parse_range(key, value)
    return SituationFilter(tuple((key, ranges[key]) for key in SITUATION_RANGES if key in ranges))


def _parse_range(key: str, text: str) -> Range:
    low, high = SITUATION_RANGES[key]
    number = r"[+-]?[0-9]{1,6}"
    if match := re.fullmatch(rf"({number})\+", text):
        low = int(match[1])
    elif match := re.fullmatch(rf"({number})?\.\.({number})?", text):
        low = int(match[1]) if match[1] else low
        high = int(match[2]) if match[2] else high
    elif match := re.fullmatch(r"([0-9]{1,6})-([0-9]{1,6})", text):
        low, high = int(match[1]), int(match[2])
    elif re.fullmatch(number, text):
        low = high = int(text)
    else:
        raise BadChange(f"situation {key}={shorten(text)}: expected a number, LOW..HIGH or LOW+")
    widest = SITUATION_RANGES[key]
    if low > high or low < widest[0] or high > widest[1]:
        raise BadChange(
            f"situation {key}={text}: expected a range within {widest[0]} to {widest[1]}"
        )
    return low, high


# --- Amounts ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Amount:
    """Size of a change: percentage points, a factor, or a level to reach."""

    kind: str  # "points", "factor" or "level"
    value: float

    def apply_to(self, share: float) -> float:
        """Return the new share for this share."""
        if self.kind == "points":
            target = share + self.value
        elif self.kind == "factor":
            target = share * self.value
        else:
            target = self.value
        return min(1.0, max(0.0, target))

    def words(self) -> str:
        if self.kind == "factor":
            return f"{self.value:g} times as many"
        if self.kind == "level":
            return f"{self.value * 100:g} %"
        more = "more" if self.value > 0 else "fewer"
        return f"{abs(self.value) * 100:g} percentage points {more}"

    def label(self) -> str:
        """Return the amount as a short label for tables: `+10 pp`, `x1.5`, `60 %`."""
        if self.kind == "factor":
            return f"x{self.value:g}"
        return f"{self.value * 100:g} %" if self.kind == "level" else f"{self.value * 100:+g} pp"


DECIMAL_PATTERN = r"[0-9]{1,9}(?:\.[0-9]{1,9})?"


def parse_amount(what: str, text: str) -> Amount:
    """Parse `+10%` and `-10%` (percentage points), `x1.5` (a factor) or `60%` (a level)."""
    compact = text.strip().replace(" ", "")
    if match := re.fullmatch(rf"([+-])({DECIMAL_PATTERN})%?", compact):
        points = float(match[2]) / 100 * (1 if match[1] == "+" else -1)
        if not 0 < abs(points) <= 1:
            raise BadChange(
                f"{what} {text}: a change must be above 0 and at most 100 percentage points"
            )
        return Amount("points", points)
    if match := re.fullmatch(rf"[x*]({DECIMAL_PATTERN})", compact):
        if float(match[1]) > 100:
            raise BadChange(f"{what} {text}: a factor must be at most 100")
        return Amount("factor", float(match[1]))
    if match := re.fullmatch(rf"({DECIMAL_PATTERN})%", compact):
        if float(match[1]) > 100:
            raise BadChange(f"{what} {text}: a share must be at most 100%")
        return Amount("level", float(match[1]) / 100)
    raise BadChange(
        f"{what} {quote(text)}: expected +10% or -10% (percentage points), 60% (a level) or "
        "x1.5 (a factor)"
    )


# --- Changes ---------------------------------------------------------------------------


@dataclass(frozen=True)
class ShareChange:
    """More or less of some calls of a section; the other calls make room in proportion."""

    section: str
    calls: tuple[str, ...]
    amount: Amount
    situation: SituationFilter = ANYWHERE
    name: str = ""  # name of the group of calls, such as `passes`

    def apply(self, plan: Plan) -> Plan:
        group = [SECTIONS[self.section].index(call) for call in self.calls]

        def change(row: PlanEntry) -> PlanEntry | None:
            return _reshare(row, self.section, group, self.amount)

        return rewrite_section(plan, self.section, self.situation, change)

    def words(self) -> str:
        what = self.name or pluralize(self.calls[0])
        where = self.situation.words()
        return f"{self.amount.words()} {what}{' ' + where if where else ''}"

    def label(self) -> str:
        """Describe the change in a few words for a table: `+5 pp long passes on first down`."""
        what, where = self.name or pluralize(self.calls[0]), self.situation.words()
        return f"{self.amount.label()} {what}{' ' + where if where else ''}"


class PlanChange(Protocol):
    """Function from plan to plan that can describe itself."""

    def apply(self, plan: Plan) -> Plan: ...

    def words(self) -> str: ...

    def label(self) -> str: ...


PLURALS = {
    "screen": "screens",
    "draw": "draws",
    "line-plunge": "line plunges",
    "off-tackle": "off-tackle runs",
    "end-run": "end runs",
    "short-pass": "short passes",
    "medium-pass": "medium passes",
    "long-pass": "long passes",
    "sideline-pass": "sideline passes",
    "standard": "standard formations",
    "jam-middle": "jam-middle formations",
    "rush-wide": "rush-wide formations",
    "nickel": "nickel formations",
    "dime": "dime formations",
    "blitz": "blitzes",
    "hurry-up": "hurry-ups",
}


def pluralize(call: str) -> str:
    """Return the plural of a call for use in sentences."""
    return PLURALS.get(call, call)


def apply_changes(plan: Plan, changes: Iterable[PlanChange], name: str | None = None) -> Plan:
    """Apply all changes to a plan in order."""
    for change in changes:
        plan = change.apply(plan)
    return plan if name is None else replace(plan, name=name)


# --- Parsing changes of the command line --------------------------------------------------

ChangeParser = Callable[[str, SituationFilter], ShareChange]


def parse_pass_rate(text: str, situation: SituationFilter = ANYWHERE) -> ShareChange:
    amount, where = _parse_amount_at("--pass-rate", text, situation)
    return ShareChange("play", PASSES, amount, where, "passes")


def parse_blitz_rate(text: str, situation: SituationFilter = ANYWHERE) -> ShareChange:
    return ShareChange("formation", ("blitz",), *_parse_amount_at("--blitz-rate", text, situation))


def parse_tempo(text: str, situation: SituationFilter = ANYWHERE) -> ShareChange:
    return ShareChange("tempo", ("hurry-up",), *_parse_amount_at("--tempo", text, situation))


def parse_play(text: str, situation: SituationFilter = ANYWHERE) -> ShareChange:
    """Parse `deep=+5%`, `line-plunge=-8%@down=1`."""
    name, amount, where = _parse_named_amount("--play", text, "deep=+5%", situation)
    call = _find_call("play", name, PLAYS, PLAY_ALIASES)
    return ShareChange("play", (call,), amount, where)


def parse_formation(text: str, situation: SituationFilter = ANYWHERE) -> ShareChange:
    """Parse `goal-line=+5%`, `nickel=x0.5`."""
    name, amount, where = _parse_named_amount("--formation", text, "nickel=+5%", situation)
    call = _find_call("formation", name, FORMATIONS, FORMATION_ALIASES)
    return ShareChange("formation", (call,), amount, where)


def _parse_amount_at(
    option: str, text: str, situation: SituationFilter
) -> tuple[Amount, SituationFilter]:
    """Parse an amount and, after an `@`, its situation."""
    amount, separator, where = text.partition("@")
    return parse_amount(option, amount), parse_situation(where) if separator else situation


def _parse_named_amount(
    option: str, text: str, example: str, situation: SituationFilter
) -> tuple[str, Amount, SituationFilter]:
    name, equals, amount = text.partition("=")
    if not equals or "@" in name:
        raise BadChange(f"{option} {shorten(text)}: expected NAME=CHANGE, e.g. {example}")
    return name, *_parse_amount_at(f"{option} {shorten(name)}", amount, situation)


def _find_call(what: str, given: str, known: Sequence[str], aliases: Mapping[str, str]) -> str:
    name = given.strip().lower().replace(" ", "-").replace("_", "-")
    call = aliases.get(name, name)
    if call not in known:
        raise UnknownName(what, given, (*known, *aliases))
    return call


# --- Entries ---------------------------------------------------------------------------


def entry_limits(row: PlanEntry) -> dict[str, Range]:
    """Return low and high of each key of an entry."""
    return {key: (row[2 * index], row[2 * index + 1]) for index, key in enumerate(KEY_NAMES)}


def section_rows(plan: Plan, name: str) -> tuple[PlanEntry, ...]:
    """Return the entries of a section."""
    index = tuple(SECTIONS).index(name)
    return plan.rows[plan.starts[index] : plan.starts[index + 1]]


def replace_section(plan: Plan, name: str, rows: Sequence[PlanEntry]) -> Plan:
    """Return the plan with other entries in one section."""
    sections = {other: section_rows(plan, other) for other in SECTIONS} | {name: tuple(rows)}
    starts = [0]
    for entries in sections.values():
        starts.append(starts[-1] + len(entries))
    if starts[-1] > plans.MAX_ENTRIES:
        raise BadChange(
            f"the changed plan has {starts[-1]} entries, at most {plans.MAX_ENTRIES} are allowed: "
            "make fewer changes, or changes for fewer situations"
        )
    all_rows = tuple(row for entries in sections.values() for row in entries)
    return replace(plan, rows=all_rows, starts=tuple(starts))


def rewrite_section(
    plan: Plan,
    name: str,
    situation: SituationFilter,
    change: Callable[[PlanEntry], PlanEntry | None],
) -> Plan:
    """Change the entries of a section within the situation; None leaves an entry unchanged."""
    limits = situation.bounds()
    rows: list[PlanEntry] = []
    for row in section_rows(plan, name):
        common = intersection(row, limits)
        changed = None if common is None else change((*common, *row[FIRST_SHARE:]))
        if changed is not None and changed[FIRST_SHARE:] != row[FIRST_SHARE:]:
            rows.append(changed)
            if common == row[:FIRST_SHARE]:
                continue
        rows.append(row)
    return replace_section(plan, name, rows)


def intersection(first: PlanEntry, second: PlanEntry) -> PlanEntry | None:
    """Return the bounds common to two entries, or None."""
    common: list[int] = []
    for index in range(0, FIRST_SHARE, 2):
        low, high = max(first[index], second[index]), min(first[index + 1], second[index + 1])
        if low > high:
            return None
        common += (low, high)
    return tuple(common)


def drop_unreachable(rows: Sequence[PlanEntry]) -> list[PlanEntry]:
    """Drop entries that can never be reached because an earlier one covers them."""
    kept: list[PlanEntry] = []
    for row in rows:
        if not any(intersection(row, earlier) == row[:FIRST_SHARE] for earlier in kept):
            kept.append(row)
    return kept


def is_reachable(row: PlanEntry, section: str, place: int) -> bool:
    """Return whether the rules allow a play anywhere in an entry (R8)."""
    return section != "play" or row[2 * KEY_NAMES.index("spot")] < REFUSED_FROM.get(place, 100)


def _reshare(
    row: PlanEntry, section: str, group: Sequence[int], amount: Amount
) -> PlanEntry | None:
    """Change the group's share of an entry; both parts keep their own proportions."""
    shares = row[FIRST_SHARE:]
    total = sum(shares)
    members = [place for place in group if is_reachable(row, section, place)]
    group_total = sum(shares[place] for place in members)
    target = amount.apply_to(group_total / total)
    is_single = len(members) == 1
    if (
        not members
        or (group_total == 0 and not is_single)
        or group_total == total
        or target == group_total / total
    ):
        return None
    fractions = [0.0] * len(shares)
    for place, share in enumerate(shares):
        if place not in members:
            fractions[place] = share * (1 - target) / (total - group_total)
        elif group_total:
            fractions[place] = share * target / group_total
        else:
            fractions[place] = target
    return (*row[:FIRST_SHARE], *round_shares(fractions))


def round_shares(fractions: Sequence[float]) -> list[int]:
    """Scale shares to integers, at the finest resolution a plan allows."""
    scale = MAX_SHARE / max(fractions)
    return [round(share * scale) for share in fractions]


# --- Calls of a plan in a situation ----------------------------------------------------------


@dataclass(frozen=True)
class GameSituation:
    """One game situation as a plan sees it: down, distance, spot, lead and time."""

    down: int = 1
    to_go: int = 10
    spot: int = 40
    lead: int = 0
    time: int = 900
    period: int = 2
    values: PlanEntry = field(init=False, compare=False)

    def __post_init__(self) -> None:
        values = (self.down, self.to_go, self.spot, self.lead, self.time, self.period)
        object.__setattr__(self, "values", values)

    def matches(self, row: PlanEntry) -> bool:
        return all(
            row[2 * index] <= value <= row[2 * index + 1] for index, value in enumerate(self.values)
        )


def call_mix(plan: Plan, name: str, situation: GameSituation) -> list[float] | None:
    """Return the shares of the first matching entry, in the order of the section's calls."""
    calls = SECTIONS[name]
    for row in section_rows(plan, name):
        if situation.matches(row):
            shares = [
                share if is_reachable((0, 0) * 2 + (situation.spot,) * 2, name, place) else 0
                for place, share in enumerate(row[FIRST_SHARE : FIRST_SHARE + len(calls)])
            ]
            total = sum(shares)
            return [share / total for share in shares] if total else None
    return None
