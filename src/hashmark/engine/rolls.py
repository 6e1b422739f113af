"""Rolls of a turn as data that any user interface can draw: the dice and what they were for.

A pool says what it is rolled for (`Pool.label`). Where one pool serves several purposes, the game
decides by the turn (`Words.roll_purpose`): the same two dice are a kickoff, a punt or a Hail Mary.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from hashmark.engine.dice import Pool, RerollRule
from hashmark.engine.record import TEAMS, MatchRecord

if TYPE_CHECKING:
    from hashmark.engine.game import Turn
    from hashmark.engine.presentation import Words


class RolledDie(NamedTuple):
    """One rolled die: the team, the name of the die, and its face."""

    team: int
    die: str
    face: int


@dataclass(frozen=True, slots=True)
class Roll:
    """Dice rolled together, and what the rules read from them."""

    pool: Pool
    team: int  # the rolling team; in an opposed roll the other team rolls too
    dice: tuple[RolledDie, ...]
    outcome: int
    at_most: int | None = None  # for a check: the highest outcome that passes
    cells: Any = field(default=None, compare=False, repr=False)  # the cells of a lookup
    first_cell: int = -1  # index in them of the lowest outcome's cell

    @property
    def cell(self) -> int:
        """The cell that was looked up."""
        return self.cells[self.first_cell + self.outcome - self.pool.lowest]  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Purpose:
    """What dice were for ("yardage", "penalty check"), what they came to, and a bonus added."""

    label: str
    result_text: str = ""
    bonus: int = 0


@dataclass
class RollGroup:
    """Consecutive rolls of one purpose: what a user interface draws under one label."""

    purpose: Purpose
    dice: list[RolledDie]
    outcomes: list[int]
    reroll: RerollRule | None = None

    def to_json(self) -> dict[str, Any]:
        json: dict[str, Any] = {
            "for": self.purpose.label,
            "dice": self._dice_json(),
            "outcome": self.outcomes[0] if len(self.outcomes) == 1 else None,
        }
        if self.purpose.result_text:
            json["reads"] = self.purpose.result_text
        if self.purpose.bonus:
            json["bonus"] = self.purpose.bonus
        return json

    def _dice_json(self) -> list[dict[str, Any]]:
        """Return every die; one that was rolled again names the index of the one before it."""
        dice: list[dict[str, Any]] = [
            {"team": TEAMS[team], "die": die, "face": face} for team, die, face in self.dice
        ]
        for index, before in reroll_sources(self.dice, self.reroll).items():
            dice[index]["after"] = before
        return dice


def reroll_sources(dice: Sequence[RolledDie], reroll: RerollRule | None) -> dict[int, int]:
    """Return which die is a reroll of which earlier die, by index.

    A team's dice are rolled at once. Then each die that shows the face is rolled again, in order
    and as long as it shows that face. If no reroll is due, a new roll begins.
    """
    sources: dict[int, int] = {}
    if reroll is None:
        return sources
    left_at_once = {die.team: reroll.dice_count for die in dice}  # dice left to roll at once
    due: dict[int, list[int]] = {die.team: [] for die in dice}
    for index, die in enumerate(dice):
        due_here = due[die.team]
        if not left_at_once[die.team] and due_here:
            sources[index] = due_here.pop(0)
            if die.face == reroll.face:
                due_here.insert(0, index)
            continue
        left_at_once[die.team] = (left_at_once[die.team] or reroll.dice_count) - 1
        if die.face == reroll.face:
            due_here.append(index)
    return sources


def group_rolls(words: Words, match: MatchRecord, turn: Turn) -> list[RollGroup]:
    """Group the rolls of a turn by purpose; consecutive single dice of one purpose are merged."""
    groups: list[RollGroup] = []
    for roll in turn.rolls:
        purpose = words.purpose_of(match, turn, roll)
        is_single = len(roll.dice) == 1 and not purpose.result_text
        if is_single and groups and groups[-1].purpose == purpose:
            groups[-1].dice.extend(roll.dice)
            groups[-1].outcomes.append(roll.outcome)
        else:
            groups.append(RollGroup(purpose, list(roll.dice), [roll.outcome], roll.pool.reroll))
    return groups
