"""Game plans as text: situations in words, plans as readable tables and as editable files."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Mapping
from itertools import groupby

from hashmark.games.data_driven.plans.plan import (
    FORMAT,
    LEAGUE,
    NUMBERS,
    PACKED_PREFIX,
    SAME_AS_LEAGUE,
    SEASON_FORMAT,
    SECTIONS,
    SITUATION_RANGES,
    Entry,
    Plan,
)
from hashmark.games.data_driven.tables import RUNS
from hashmark.sanitize import one_line
from hashmark.text.phrases import FIRST_ORDINALS, clock_text
from hashmark.text.tables import format_labeled_table

ORDINALS = ("", "first", "second", "third", "fourth")
SHORT_ORDINALS = ("no", *FIRST_ORDINALS)
STATE_KEYS = ("lead", "time", "period")  # keys named in the heading lines of tables
SHORT_CALL_NAMES = {
    "line-plunge": "plunge",
    "off-tackle": "tackle",
    "end-run": "end",
    "short-pass": "short",
    "medium-pass": "medium",
    "long-pass": "long",
    "sideline-pass": "side",
}
TABLE_WIDTH = 80
OPEN_BOUND = 99  # a bound from here on is open: no lead or distance is that large
SECTION_TITLES = {
    "play": "Plays",
    "formation": "Formations",
    "instead": "Kicks and kneel-downs instead of a play",
    "try": "Tries after a touchdown",
    "kickoff": "Kickoffs",
    "offence-timeout": "Time-outs of the offense while the clock runs",
    "defence-timeout": "Time-outs of the defense while the clock runs",
    "tempo": "Tempo while the clock runs",
    "audible": "Audibles against a mismatch",
}
NUMBER_TEXTS = {
    "return-depth": "deepest yard of the end zone from which a kickoff is returned",
    "roll-inside": "let a punt roll if it lands on or inside this yard line",
}


# --- A situation in words ----------------------------------------------------------------


def describe_situation(
    when: Mapping[str, tuple[int, int]], nothing: str = "any other situation"
) -> str:
    """Return a situation in words: `3rd & 7 or more, behind by 9 or more, fourth quarter`."""
    parts = [_down(when)] if "down" in when or "to-go" in when else []
    parts += [RANGE_TEXTS[key](*when[key]) for key in RANGE_TEXTS if key in when]
    return ", ".join(parts) or nothing


def _down(when: Mapping[str, tuple[int, int]]) -> str:
    low, high = when.get("down", (1, 4))
    if high == 0:
        return "two-point try"
    if low == high:
        downs = SHORT_ORDINALS[low]
    else:
        joint = "or" if high == low + 1 else "to"
        downs = f"{SHORT_ORDINALS[low]} {joint} {SHORT_ORDINALS[high]}"
    if "to-go" not in when:
        return f"{downs} down"
    near, far = when["to-go"]
    if near == far:
        return f"{downs} & {near}"
    return f"{downs} & {near} or more" if far >= OPEN_BOUND else f"{downs} & {near} to {far}"


def yard_line(spot: int) -> str:
    """Return a spot as it is commonly said: own 35, midfield, their 20."""
    if spot == 50:
        return "midfield"
    return f"own {spot}" if spot < 50 else f"their {100 - spot}"


def _spot(low: int, high: int) -> str:
    if high >= OPEN_BOUND:
        return f"at {yard_line(low)} or closer"
    if low <= 1:
        return f"up to {yard_line(high)}"
    return f"{yard_line(low)} to {yard_line(high)}"


def _lead(low: int, high: int) -> str:
    if low == high:
        return _margin(low)
    if low <= -OPEN_BOUND:
        return f"{_margin(high)} or more" if high < 0 else f"at most {_margin(high)}"
    if high >= OPEN_BOUND:
        return f"{_margin(low)} or more" if low > 0 else f"at least {_margin(low)}"
    if low * high > 0:
        near, far = sorted((abs(low), abs(high)))
        return f"{'ahead' if low > 0 else 'behind'} by {near} to {far}"
    return f"{_margin(low)} to {_margin(high)}"


def _margin(lead: int) -> str:
    return "tied" if lead == 0 else f"{'ahead' if lead > 0 else 'behind'} by {abs(lead)}"


def _time(low: int, high: int) -> str:
    if low <= 0:
        return f"last {clock_text(high)} of the half"
    if high >= 1800:
        return f"more than {clock_text(low)} left in the half"
    return f"{clock_text(high)} to {clock_text(low)} left in the half"


def _period(low: int, high: int) -> str:
    if low >= 5:
        return "overtime"
    if low == high:
        return f"{ORDINALS[low]} quarter"
    if high >= OPEN_BOUND:
        return f"{ORDINALS[low]} quarter and overtime"
    return {(1, 2): "first half", (3, 4): "second half"}.get(
        (low, high), f"{ORDINALS[low]} to {ORDINALS[min(high, 4)]} quarter"
    )


RANGE_TEXTS = {
    "spot": _spot,
    "lead": _lead,
    "time": _time,
    "period": _period,
}
assert {"down", "to-go", *RANGE_TEXTS} == set(SITUATION_RANGES)


# --- Tables to read ----------------------------------------------------------------------


def share_fractions(entry: Entry) -> dict[str, float]:
    """Return the shares of an entry as fractions of one."""
    total = sum(entry.shares.values())
    return {call: share / total for call, share in entry.shares.items()}


def describe(plan: Plan, only: Iterable[str] = SECTIONS) -> list[str]:
    """Return the plan as tables in words, with shares in percent."""
    lines = [f"Game plan {plan.name}. Shares in percent; the first line that fits applies."]
    lines += [f"Real calls from a partial season: {plan.made_from}."] if plan.made_from else []
    for section in only:
        entries = plan.section(section)
        if entries:
            lines += ["", f"{SECTION_TITLES[section]} ({section})", "", *_table(section, entries)]
    lines += ["", "Numbers", ""]
    lines += [f"{name} {plan.number(name)}: {meaning}" for name, meaning in NUMBER_TEXTS.items()]
    return lines


def _table(section: str, entries: list[Entry]) -> list[str]:
    """Return rows by situation; rows with the same score and clock share a heading line."""
    used = [call for call in SECTIONS[section] if any(call in entry.shares for entry in entries)]
    extra = ["runs"] if section == "play" else []
    rows: list[tuple[str, ...]] = []
    for state, entries_in_state in groupby(entries, key=_game_state):
        group = list(entries_in_state)
        alone = len(group) == 1 and not _field_situation(group[0])
        if not alone and state:
            rows.append((f"{state}:", *([""] * (len(used) + len(extra)))))
        for entry in group:
            shares = share_fractions(entry)
            runs = [_percent(sum(shares.get(call, 0.0) for call in RUNS))] if extra else []
            indent = "  " if state else ""
            label = state if alone else indent + _field_situation(entry)
            cells = (_percent(shares.get(call, 0)) for call in used)
            rows.append((label or "any other situation", *runs, *cells))
    headings = ("situation", *extra, *(SHORT_CALL_NAMES.get(call, call) for call in used))
    return format_labeled_table(headings, rows, TABLE_WIDTH)


def _game_state(entry: Entry) -> str:
    """Return score and clock in words."""
    return describe_situation(
        {key: pair for key, pair in entry.when.items() if key in STATE_KEYS}, ""
    )


def _field_situation(entry: Entry) -> str:
    """Return down, distance and spot in words."""
    return describe_situation(
        {key: pair for key, pair in entry.when.items() if key not in STATE_KEYS}, ""
    )


def _percent(share: float) -> str:
    return f"{100 * share:.0f}" if share else "."


# --- Files to edit -------------------------------------------------------------------------


def write_plan(plan: Plan) -> str:
    """Return the plan as a file that `plans.load` reads back, with a comment on every entry."""
    lines = [
        f"# Game plan {one_line(plan.name)}.",
        "# Edit the shares, then give the plan to a team: home_plan=FILE.",
        "# In each section the first entry that fits applies; shares need not add up to 100.",
        "# spot: yards from your own goal line; lead: your points minus theirs; time: seconds left",
        "# in the half. See docs/reference/plans.md.",
        f'format = "{FORMAT}"',
        f"name = {_quoted(plan.name)}",
        *_made_from_line(plan),
        "",
        "[numbers]",
        *(f"{name} = {plan.number(name)}  # {NUMBER_TEXTS[name]}" for name in NUMBERS),
    ]
    for section, entries in plan.sections().items():
        if entries:
            lines += ["", f"# --- {SECTION_TITLES[section]} ---"]
        for entry in entries:
            lines += [
                "",
                f"[[{section}]]  # {describe_situation(entry.when)}",
                *_entry_lines(entry),
            ]
    return "\n".join(lines) + "\n"


def pack(plan: Plan) -> str:
    """Return the plan as one word that `plans.load` reads back; some 5,000 characters if real."""
    lines = [f'format = "{FORMAT}"', f"name = {_quoted(plan.name)}", *_made_from_line(plan)]
    lines += [f"numbers.{name} = {plan.number(name)}" for name in NUMBERS]
    for section, entries in plan.sections().items():
        tables = ", ".join(f"{{ {', '.join(_entry_lines(entry))} }}" for entry in entries)
        lines += [f"{section} = [{tables}]"] if entries else []
    raw = zlib.compress("\n".join(lines).encode(), 9)
    return PACKED_PREFIX + base64.urlsafe_b64encode(raw).decode()


def _quoted(text: str) -> str:
    """Return any text as a TOML string."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _made_from_line(plan: Plan) -> list[str]:
    return [plan.made_from.to_toml()] if plan.made_from is not None else []


def _entry_lines(entry: Entry) -> list[str]:
    """Return the keys of an entry: its situation, if it has one, and its shares."""
    ranges = [
        f"{key} = {low}" if low == high else f"{key} = [{low}, {high}]"
        for key, (low, high) in entry.when.items()
    ]
    when = [f"when = {{ {', '.join(ranges)} }}"] if ranges else []
    return when + [f"{call} = {share}" for call, share in entry.shares.items()]


def write_season(name: str, plans: Mapping[str, Plan]) -> str:
    """Return a season's plans as one file: the league's, then the shares in which teams differ."""
    league = plans[LEAGUE]
    lines = [
        f"# Real plans of {name}: the league's plan, then each team's differences.",
        "# A team's section has one line for each league entry, in the same order: the shares of",
        "# the calls in the order of docs/reference/plans.md, or '=' for the league's shares.",
        f'format = "{SEASON_FORMAT}"',
        f"name = {_quoted(name)}",
        *_made_from_line(league),
        "",
        "[numbers]",
        *(f"{key} = {league.number(key)}" for key in NUMBERS),
    ]
    for section, entries in league.sections().items():
        for entry in entries:
            lines += ["", f"[[{section}]]", *_entry_lines(entry)]
    for code, plan in plans.items():
        if code != LEAGUE:
            lines += ["", f"[teams.{code}]", *_differences(league, plan)]
    return "\n".join(lines) + "\n"


def _differences(league: Plan, plan: Plan) -> list[str]:
    lines = []
    if plan.numbers != league.numbers:
        pairs = zip(NUMBERS, plan.numbers, strict=True)
        lines.append(f"numbers = {{ {', '.join(f'{key} = {n}' for key, n in pairs)} }}")
    for section, calls in SECTIONS.items():
        league_entries, entries = league.section(section), plan.section(section)
        if entries == league_entries:
            continue
        rows = [
            SAME_AS_LEAGUE
            if entry.shares == league_entry.shares
            else " ".join(str(entry.shares.get(call, 0)) for call in calls)
            for league_entry, entry in zip(league_entries, entries, strict=True)
        ]
        lines.append(f'{section} = """')
        lines += [*rows, '"""']
    return lines
