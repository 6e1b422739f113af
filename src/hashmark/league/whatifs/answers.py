"""What opponents would do against another plan, and what is left of it then.

An opponent answers every entry of the plan with its best formation against our plays there, and
with its best play against our formations, by expected points (`Opposition.best_answer`).
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
TYPICAL = (4, 20, 99, 28, 1800, 4)  # the largest usual value of each key


# --- Plans that answer ---------------------------------------------------------------------------


def lineups(opposition: Opposition, plan: Plan) -> list[Lineup]:
    """The plan against opponents whose defences answer it, then against both sides answering."""
    return [
        Lineup(plan, {code: answer(opposition, plan, code, both) for code in opposition.met})
        for both in (False, True)
    ]


def answer(opposition: Opposition, plan: Plan, code: str, offence_too: bool) -> Plan:
    """An opponent's plan with its best formation against every entry of our plays.

    With `offence_too` also its best play against every entry of our formations.
    """
    theirs = opposition.trial.league[code]
    pairs = (("play", "formation"), ("formation", "play"))
    for mine, answering in pairs if offence_too else pairs[:1]:
        rows: list[Row] = []
        for row in section(plan, mine):
            call = opposition.best_answer(code, mine, row)
            shares = [0.0] * len(SECTIONS[answering])
            shares[call] = 1.0
            rows.append((*mirrored(row), *with_shares(row, shares)[SHARES:]))
        room = MOST_ROWS - len(theirs.rows) + len(section(theirs, answering))
        theirs = ch.with_section(theirs, answering, fewest(rows, room))
    return replace(theirs, name=f"{theirs.name}, answering {plan.name}")


def mirrored(row: Row) -> Row:
    """The limits of an entry as the other team sees them: its lead is our deficit."""
    limits = list(row[:SHARES])
    at = 2 * NAMES.index("lead")
    limits[at], limits[at + 1] = -limits[at + 1], -limits[at]
    return tuple(limits)


def fewest(rows: Sequence[Row], room: int) -> list[Row]:
    """Without entries that a later one says as well; if need be without the most special."""
    kept: list[Row] = []
    for at, row in enumerate(rows):
        if not _said_later(row, rows[at + 1 :]):
            kept.append(row)
    special = sorted(kept, key=_width)[: max(0, len(kept) - room)]
    return [row for row in kept if row not in special]


def _width(row: Row) -> float:
    """How much of the game an entry covers."""
    spans = []
    for at, (low, high) in enumerate(KEYS.values()):
        first, last = max(row[2 * at], low, -28), min(row[2 * at + 1], high, TYPICAL[at])
        spans.append(max(0, last - first + 1))
    return float(math.prod(spans))


def _said_later(row: Row, later: Sequence[Row]) -> bool:
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
    """An entry with other shares."""
    spare = [0] * (MOST_SHARES - len(part))
    return (*row[:SHARES], *whole_shares([float(one) for one in part]), *spare)


# --- What is left --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Line:
    """One plan against opponents that keep to their plans, or answer it."""

    name: str
    kept: Sample  # the opponents keep to their plans
    defences: Sample  # every opponent's defence answers
    both: Sample  # its offence as well

    def samples(self) -> tuple[Sample, Sample, Sample]:
        return self.kept, self.defences, self.both

    def change(self, column: int, real: Line) -> Estimate:
        """Wins under some answers, less those of the unchanged season."""
        return difference(self.samples()[column].wins, real.kept.wins)

    def to_json(self, real: Line) -> dict[str, Any]:
        """Wins under all answers, and their change from the unchanged season."""
        return {
            name: {
                "wins": mean(sample.wins).interval(),
                "change": self.change(column, real).interval(),
            }
            for column, (name, sample) in enumerate(zip(ANSWERS, self.samples(), strict=True))
        }


def remains(before: Line, after: Line, gain: Estimate) -> str:
    """One sentence on what is left of a gain when defences answer."""
    still = difference(after.defences.wins, before.defences.wins)
    part = (
        f", {max(0.0, still.mean / gain.mean):.0%} of the gain"
        if gain.mean > 0 and gain.certain
        else ""
    )
    return (
        "If every opponent's defence answered with its best formations in each situation, this "
        f"plan would have {mean(after.defences.wins).mean:.1f} wins, the {before.name} "
        f"{mean(before.defences.wins).mean:.1f}: {still:.2f} remains{part}."
    )
