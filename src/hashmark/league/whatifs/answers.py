"""Opponents' responses to a plan, and what remains of its gain.

An opponent responds to every entry of the plan with its best formation against our plays there, and
with its best play against our formations, by expected points (`Opposition.best_response`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hashmark.games.data_driven.plans.plan import KEYS, MOST_ROWS, MOST_SHARES, SECTIONS, Plan
from hashmark.league.whatifs import changes as ch
from hashmark.league.whatifs.changes import NAMES, SHARES, Row, intersection, section, whole_shares
from hashmark.league.whatifs.opposition import Opposition
from hashmark.league.whatifs.trial import Lineup, Sample, difference, mean
from hashmark.sim.results import Estimate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ANSWERS = ("plans_kept", "defences_answer", "both_sides_answer")
TYPICAL = (4, 20, 99, 28, 1800, 4)  # largest usual value of each key


# --- Responding plans ----------------------------------------------------------------------------


def lineups(opposition: Opposition, plan: Plan) -> list[Lineup]:
    """Return the plan against opponents whose defenses respond, then with both sides responding."""
    return [
        Lineup(plan, {code: answer(opposition, plan, code, both) for code in opposition.met})
        for both in (False, True)
    ]


def answer(opposition: Opposition, plan: Plan, code: str, offence_too: bool) -> Plan:
    """Return an opponent's plan with its best formation against every entry of our plays.

    With `with_offense` it also has its best play against every entry of our formations.
    """
    theirs = opposition.trial.league[code]
    pairs = (("play", "formation"), ("formation", "play"))
    for our_section, their_section in pairs if offence_too else pairs[:1]:
        rows: list[Row] = []
        for row in section(plan, our_section):
            call = opposition.best_answer(code, our_section, row)
            shares = [0.0] * len(SECTIONS[their_section])
            shares[call] = 1.0
            rows.append((*mirrored(row), *with_shares(row, shares)[SHARES:]))
        room = MOST_ROWS - len(theirs.rows) + len(section(theirs, their_section))
        theirs = ch.with_section(theirs, their_section, fewest(rows, room))
    return replace(theirs, name=f"{theirs.name}, answering {plan.name}")


def mirrored(row: Row) -> Row:
    """Return the limits of an entry as the other team sees them: its lead is our deficit."""
    limits = list(row[:SHARES])
    index = 2 * NAMES.index("lead")
    limits[index], limits[index + 1] = -limits[index + 1], -limits[index]
    return tuple(limits)


def fewest(rows: Sequence[Row], room: int) -> list[Row]:
    """Drop entries that a later one repeats and, if necessary, the most special ones."""
    kept: list[Row] = []
    for index, row in enumerate(rows):
        if not _is_repeated_later(row, rows[index + 1 :]):
            kept.append(row)
    special = sorted(kept, key=_width)[: max(0, len(kept) - room)]
    return [row for row in kept if row not in special]


def _width(row: Row) -> float:
    """Return how much of the game an entry covers."""
    spans = []
    for index, (low, high) in enumerate(KEYS.values()):
        first, last = max(row[2 * index], low, -28), min(row[2 * index + 1], high, TYPICAL[index])
        spans.append(max(0, last - first + 1))
    return float(math.prod(spans))


def _is_repeated_later(row: Row, later: Sequence[Row]) -> bool:
    """Return whether a later entry makes this one redundant."""
    for other in later:
        common = intersection(row, other)
        if common is None:
            continue
        if other[SHARES:] != row[SHARES:]:
            return False
        if common == row[:SHARES]:
            return True
    return False


def with_shares(row: Row, part: Sequence[float] | NDArray[np.float64]) -> Row:
    """Return an entry with other shares."""
    spare = [0] * (MOST_SHARES - len(part))
    return (*row[:SHARES], *whole_shares([float(share) for share in part]), *spare)


# --- Remaining gain ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """Results of one plan against opponents that keep their plans or respond to it."""

    name: str
    kept: Sample  # the opponents keep their plans
    defences: Sample  # every opponent's defense responds
    both: Sample  # its offense responds as well

    def samples(self) -> tuple[Sample, Sample, Sample]:
        return self.kept, self.defences, self.both

    def change(self, column: int, real: Line) -> Estimate:
        """Return the wins under some responses, minus those of the unchanged season."""
        return difference(self.samples()[column].wins, real.kept.wins)

    def to_json(self, real: Line) -> dict[str, Any]:
        """Return wins under all responses, and their change from the unchanged season."""
        return {
            name: {
                "wins": mean(sample.wins).interval(),
                "change": self.change(column, real).interval(),
            }
            for column, (name, sample) in enumerate(zip(ANSWERS, self.samples(), strict=True))
        }


def remains(before: Line, after: Line, gain: Estimate) -> str:
    """Describe in one sentence what remains of a gain when defenses respond."""
    remaining = difference(after.defences.wins, before.defences.wins)
    share_text = (
        f", {max(0.0, remaining.mean / gain.mean):.0%} of the gain"
        if gain.mean > 0 and gain.certain
        else ""
    )
    return (
        "If every opponent's defence answered with its best formations in each situation, this "
        f"plan would have {mean(after.defences.wins).mean:.1f} wins, the {before.name} "
        f"{mean(before.defences.wins).mean:.1f}: {remaining:.2f} remains{share_text}."
    )
