"""Check of a game plan: whether it can be read, and legal content that is hardly intended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hashmark.games.data_driven.plans.plan import (
    PACKED_PREFIX,
    SECTIONS,
    SITUATION_RANGES,
    BrokenPlan,
    Entry,
    Plan,
    load,
)
from hashmark.games.data_driven.plans.text import describe_situation
from hashmark.games.data_driven.tables import PLAYS, REFUSED_FROM, SPOTS, TRY_SPOT

When = dict[str, tuple[int, int]]
Ranges = Mapping[str, tuple[int, int]]


@dataclass(frozen=True)
class PlanReport:
    """Result of checking a plan file."""

    file: str
    fault: str  # why it cannot be read, if it cannot
    warnings: list[str]
    entries: dict[str, int]  # by section

    def to_json(self) -> dict[str, Any]:
        return {
            "file": self.file,
            "fault": self.fault or None,
            "warnings": self.warnings,
            "entries": self.entries,
        }

    def lines(self) -> list[str]:
        """Return the report as lines of text."""
        lines = [f"fault: {self.fault}"] if self.fault else []
        lines += [f"warning: {warning}" for warning in self.warnings]
        counts = ", ".join(f"{name} {count}" for name, count in self.entries.items())
        summary = f"{len(self.warnings)} warnings; entries: {counts}" if counts else "not readable"
        return [*lines, f"{self.file}: {summary}"]


def check_plan(name: str) -> PlanReport:
    """Read the plan of this name or path and report what is wrong with it."""
    file = "the packed plan" if name.startswith(PACKED_PREFIX) else name
    try:
        plan = load(name)
    except BrokenPlan as fault:
        return PlanReport(file, str(fault), [], {})
    entries = {section: len(plan.section(section)) for section in SECTIONS}
    return PlanReport(file, "", find_warnings(plan), entries)


def find_warnings(plan: Plan) -> list[str]:
    """Return warnings: unreachable entries, gaps in sections, calls that are never legal."""
    messages = []
    for section, entries in plan.sections().items():
        for index, entry in enumerate(entries):
            where = f"[[{section}]] number {index + 1} ({describe_situation(entry.when)})"
            earlier = next((k for k in range(index) if _covers(entries[k].when, entry.when)), None)
            if earlier is not None:
                messages.append(f"{where} is never used: number {earlier + 1} always fits first")
            messages += [f"{where}: {fault}" for fault in _refused(section, entry)]
        if not entries:
            messages.append(f"[[{section}]] has no entry: {FALLBACK_TEXTS[section]}")
        else:
            for when in _gaps(section, entries):
                what = (
                    f"other situations on {describe_situation(when)}"
                    if when
                    else "other situations"
                )
                messages.append(f"[[{section}]] has no entry for {what}: {FALLBACK_TEXTS[section]}")
    return messages


def _gaps(section: str, entries: list[Entry]) -> list[When]:
    """Return downs, each with its first spot, that no entry covers for every score and clock."""
    if section not in ("play", "instead", "formation"):
        return [] if any(_covers(entry.when, {}) for entry in entries) else [{}]
    gaps: list[When] = []
    for down in range(1 if section == "instead" else 0, 5):
        need: When = {"down": (down, down)}
        ranges = [
            entry.when
            for entry in entries
            if _covers({**entry.when, "spot": SITUATION_RANGES["spot"]}, need)
        ]
        spans = [when.get("spot", SITUATION_RANGES["spot"]) for when in ranges]
        for spot in SPOTS if down else (TRY_SPOT,):
            if not any(low <= spot <= high for low, high in spans):
                gaps.append({**need, "spot": (spot, spot)} if spot > 1 and down else need)
                break
    return gaps


FALLBACK_TEXTS = {
    "play": "the coach calls the first play that is allowed",
    "formation": "the coach calls standard",
    "instead": "the coach calls a play",
    "try": "the coach kicks the extra point",
    "kickoff": "the coach kicks off deep",
    "offence-timeout": "the coach lets the clock run",
    "defence-timeout": "the coach lets the clock run",
    "tempo": "the coach lets the clock run",
    "audible": "the coach keeps the call",
}
assert FALLBACK_TEXTS.keys() == SECTIONS.keys()


def _covers(ranges: Ranges, other: Ranges) -> bool:
    """Return whether `ranges` contain every situation of `other`; a missing key is wide open."""
    for key, (low, high) in ranges.items():
        other_low, other_high = other.get(key) or SITUATION_RANGES[key]
        if low > other_low or high < other_high:
            return False
    return True


def _refused(section: str, entry: Entry) -> list[str]:
    """R8: Return the calls of an entry that the rules never allow there."""
    nearest = entry.when.get("spot", SITUATION_RANGES["spot"])[0]
    limits = {PLAYS[play]: spot for play, spot in REFUSED_FROM.items()}
    return [
        f"{call} is not allowed on or inside the opponents' {100 - limit}"
        for call, limit in limits.items()
        if section == "play" and nearest >= limit and call in entry.shares
    ]
