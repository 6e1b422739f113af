"""Dice as they were rolled, and what for: the rolls of a turn as data that any screen can draw.

A pool says what it is rolled for (`Pool.label`). Where one pool serves many ends, the game's words
know by the turn (`Words.purpose`): the same two dice are a kickoff, a punt or a Hail Mary.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hashmark.table.dice import Again, Pool
from hashmark.table.record import TEAMS


class Thrown(NamedTuple):
    """One die as it fell: who rolled it, what it is called, what it shows."""

    team: int
    die: str
    face: int


@dataclass(frozen=True, slots=True)
class Roll:
    """Dice rolled in one go, and what the rules read from them."""

    pool: Pool
    team: int  # who was to roll; in an opposed roll the other team rolls too
    dice: tuple[Thrown, ...]
    outcome: int
    at_most: int | None = None  # of a check: up to which outcome it passes
    cells: Any = field(default=None, compare=False, repr=False)  # where a row was looked up
    first: int = -1  # the place there of the lowest outcome's cell

    @property
    def cell(self) -> int:
        """What stands in the row that was looked up."""
        return self.cells[self.first + self.outcome - self.pool.lowest]  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Purpose:
    """What dice were for: "yardage", "penalty check"; what they came to, and a bonus added."""

    label: str
    reads: str = ""
    bonus: int = 0


@dataclass
class Rolled:
    """Rolls of one purpose, one after the other: what a screen draws under one label."""

    purpose: Purpose
    dice: list[Thrown]
    outcomes: list[int]
    again: Again | None = None

    def to_json(self) -> dict[str, Any]:
        said: dict[str, Any] = {
            "for": self.purpose.label,
            "dice": self._dice(),
            "outcome": self.outcomes[0] if len(self.outcomes) == 1 else None,
        }
        if self.purpose.reads:
            said["reads"] = self.purpose.reads
        if self.purpose.bonus:
            said["bonus"] = self.purpose.bonus
        return said

    def _dice(self) -> list[dict[str, Any]]:
        """Every die; one that was rolled again names the place of the one before it."""
        said: list[dict[str, Any]] = [
            {"team": TEAMS[team], "die": die, "face": face} for team, die, face in self.dice
        ]
        for at, before in follows(self.dice, self.again).items():
            said[at]["after"] = before
        return said


def follows(dice: Sequence[Thrown], again: Again | None) -> dict[int, int]:
    """Which die is which one rolled again, by their places.

    A team's dice are rolled at once; then each that shows the face is rolled again, in order and
    as long as it shows it. Where none is left to be, a whole roll begins anew.
    """
    found: dict[int, int] = {}
    if again is None:
        return found
    first = {die.team: again.at_once for die in dice}  # of a roll that is under way
    open_: dict[int, list[int]] = {die.team: [] for die in dice}
    for at, die in enumerate(dice):
        waiting = open_[die.team]
        if not first[die.team] and waiting:
            found[at] = waiting.pop(0)
            if die.face == again.face:
                waiting.insert(0, at)
            continue
        first[die.team] = (first[die.team] or again.at_once) - 1
        if die.face == again.face:
            waiting.append(at)
    return found


def rolled(words: Any, match: Any, turn: Any) -> list[Rolled]:
    """The rolls of a turn, each with its purpose; single dice of one purpose lie together."""
    found: list[Rolled] = []
    for roll in turn.rolls:
        purpose = words.rolled_for(match, turn, roll)
        if found and found[-1].purpose == purpose and not purpose.reads and len(roll.dice) == 1:
            found[-1].dice.extend(roll.dice)
            found[-1].outcomes.append(roll.outcome)
        else:
            found.append(Rolled(purpose, list(roll.dice), [roll.outcome], roll.pool.again))
    return found
