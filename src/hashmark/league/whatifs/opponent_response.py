"""Opponents' responses to a plan, and what remains of its gain.

An opponent responds to every entry of the plan with its best formation against our plays there, and
with its best play against our formations, by expected points (`Opposition.best_response`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from hashmark.games.data_driven.plans.plan import (
    MAX_ENTRIES,
    SECTIONS,
    SHARES_WIDTH,
    SITUATION_RANGES,
    Plan,
)
from hashmark.league.data.arrays import Floats
from hashmark.league.whatifs import plan_changes
from hashmark.league.whatifs.opposition import Opposition
from hashmark.league.whatifs.plan_changes import (
    FIRST_SHARE,
    KEY_NAMES,
    PlanEntry,
    intersection,
    round_shares,
    section_rows,
)
from hashmark.league.whatifs.trial import Lineup, Sample, mean_estimate, paired_difference
from hashmark.number_text import percent
from hashmark.sim.results import Estimate

RESPONSE_KEYS = ("plans_kept", "defences_answer", "both_sides_answer")
TYPICAL_MAXIMA = (4, 20, 99, 28, 1800, 4)  # largest usual value of each key


# --- Responding plans ----------------------------------------------------------------------------


def response_lineups(opposition: Opposition, plan: Plan) -> list[Lineup]:
    """Return the plan against opponents whose defenses respond, then with both sides responding."""
    return [
        Lineup(
            plan, {code: respond(opposition, plan, code, both) for code in opposition.games_against}
        )
        for both in (False, True)
    ]


def respond(opposition: Opposition, plan: Plan, code: str, with_offense: bool) -> Plan:
    """Return an opponent's plan with its best formation against every entry of our plays.

    With `with_offense` it also has its best play against every entry of our formations.
    """
    theirs = opposition.trial.league[code]
    pairs = (("play", "formation"), ("formation", "play"))
    for our_section, their_section in pairs if with_offense else pairs[:1]:
        rows: list[PlanEntry] = []
        for row in section_rows(plan, our_section):
            call = opposition.best_response(code, our_section, row)
            shares = [0.0] * len(SECTIONS[their_section])
            shares[call] = 1.0
            rows.append((*mirror_limits(row), *replace_shares(row, shares)[FIRST_SHARE:]))
        room = MAX_ENTRIES - len(theirs.rows) + len(section_rows(theirs, their_section))
        theirs = plan_changes.replace_section(theirs, their_section, merge_entries(rows, room))
    return replace(theirs, name=f"{theirs.name}, answering {plan.name}")


def mirror_limits(row: PlanEntry) -> PlanEntry:
    """Return the limits of an entry as the other team sees them: its lead is our deficit."""
    limits = list(row[:FIRST_SHARE])
    index = 2 * KEY_NAMES.index("lead")
    limits[index], limits[index + 1] = -limits[index + 1], -limits[index]
    return tuple(limits)


def merge_entries(rows: Sequence[PlanEntry], max_entries: int) -> list[PlanEntry]:
    """Drop entries that a later one repeats and, if necessary, the most special ones."""
    kept: list[PlanEntry] = []
    for index, row in enumerate(rows):
        if not _is_repeated_later(row, rows[index + 1 :]):
            kept.append(row)
    special = sorted(kept, key=_width)[: max(0, len(kept) - max_entries)]
    return [row for row in kept if row not in special]


def _width(row: PlanEntry) -> float:
    """Return how much of the game an entry covers."""
    spans = []
    for index, (low, high) in enumerate(SITUATION_RANGES.values()):
        first, last = (
            max(row[2 * index], low, -28),
            min(row[2 * index + 1], high, TYPICAL_MAXIMA[index]),
        )
        spans.append(max(0, last - first + 1))
    return float(math.prod(spans))


def _is_repeated_later(row: PlanEntry, later: Sequence[PlanEntry]) -> bool:
    """Return whether a later entry makes this one redundant."""
    for other in later:
        common = intersection(row, other)
        if common is None:
            continue
        if other[FIRST_SHARE:] != row[FIRST_SHARE:]:
            return False
        if common == row[:FIRST_SHARE]:
            return True
    return False


def replace_shares(row: PlanEntry, shares: Sequence[float] | Floats) -> PlanEntry:
    """Return an entry with other shares."""
    spare = [0] * (SHARES_WIDTH - len(shares))
    return (*row[:FIRST_SHARE], *round_shares([float(share) for share in shares]), *spare)


# --- Remaining gain ------------------------------------------------------------------------------


@dataclass(frozen=True)
class ResponseResults:
    """Results of one plan against opponents that keep their plans or respond to it."""

    name: str
    plans_kept: Sample  # the opponents keep their plans
    defenses_respond: Sample  # every opponent's defense responds
    both_sides_respond: Sample  # its offense responds as well

    def samples(self) -> tuple[Sample, Sample, Sample]:
        return self.plans_kept, self.defenses_respond, self.both_sides_respond

    def change(self, column: int, real: ResponseResults) -> Estimate:
        """Return the wins under some responses, minus those of the unchanged season."""
        return paired_difference(self.samples()[column].wins, real.plans_kept.wins)

    def to_json(self, real: ResponseResults) -> dict[str, Any]:
        """Return wins under all responses, and their change from the unchanged season."""
        return {
            name: {
                "wins": mean_estimate(sample.wins).interval(),
                "change": self.change(column, real).interval(),
            }
            for column, (name, sample) in enumerate(zip(RESPONSE_KEYS, self.samples(), strict=True))
        }


def remaining_gain(before: ResponseResults, after: ResponseResults, gain: Estimate) -> str:
    """Describe in one sentence what remains of a gain when defenses respond."""
    remaining = paired_difference(after.defenses_respond.wins, before.defenses_respond.wins)
    share_text = (
        f", {percent(max(0.0, remaining.mean / gain.mean))} of the gain"
        if gain.mean > 0 and gain.is_significant
        else ""
    )
    return (
        "If every opponent's defense responded with its best formations, this plan would win "
        f"{mean_estimate(after.defenses_respond.wins).mean:.1f} games and the {before.name} "
        f"{mean_estimate(before.defenses_respond.wins).mean:.1f}: a difference of "
        f"{remaining:.2f} wins{share_text}."
    )
