"""Pending input: a call of a person, a real die, or a player for a seat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hashmark.engine.dice import Die, Pool
from hashmark.engine.record import NOBODY, TEAMS
from hashmark.engine.rule_set import Question
from hashmark.errors import OutOfDice


@dataclass(frozen=True)
class PendingCall:
    """A person must answer a question."""

    moment: int
    team: int
    question: Question
    calls: tuple[str, ...]
    default: str | None  # the default of a window
    is_secret: bool  # the answer is hidden from other viewers


@dataclass(frozen=True)
class PendingDie:
    """A real die must be rolled for a team."""

    moment: int
    team: int
    die_index: int  # number of dice of this turn that were rolled before
    die: Die
    pool: Pool | None  # the pool that it begins, if several dice are rolled together


@dataclass(frozen=True)
class PendingSeat:
    """A seat is open, and the game waits for a player."""

    moment: int
    team: int


PendingInput = PendingCall | PendingDie | PendingSeat


@dataclass
class PendingTurn:
    """A turn that was called and still needs real dice."""

    team: int
    call: str | None
    draw_count: int  # random numbers drawn by coaches when it was called
    faces: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))
    missing_die: OutOfDice | None = None

    @property
    def is_started(self) -> bool:
        """Whether a call was made or a die was rolled already."""
        return self.call is not None or self.rolled_count > 0

    @property
    def rolled_count(self) -> int:
        return len(self.faces[0]) + len(self.faces[1])

    def with_face(self, team: int, face: int) -> PendingTurn:
        """Return the same turn with one more die."""
        faces = (list(self.faces[0]), list(self.faces[1]))
        faces[team].append(face)
        return PendingTurn(self.team, self.call, self.draw_count, faces)


def parse_pending_turn(
    line: Mapping[str, Any], draw_count: int, missing_die: OutOfDice
) -> PendingTurn:
    """Parse a pending turn from a log line."""
    team = TEAMS.index(line["team"]) if "call" in line else NOBODY
    faces = (list(line["dice"].get(TEAMS[0], [])), list(line["dice"].get(TEAMS[1], [])))
    return PendingTurn(team, line.get("call"), line.get("drawn", draw_count), faces, missing_die)
