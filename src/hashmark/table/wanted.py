"""Pending input: a call of a person, a real die, or a player for a seat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hashmark.table.dice import Die, Pool
from hashmark.table.errors import OutOfDice
from hashmark.table.record import NOBODY, TEAMS
from hashmark.table.rules import Question


@dataclass(frozen=True)
class CallWanted:
    """A person must answer a question."""

    moment: int
    team: int
    question: Question
    calls: tuple[str, ...]
    default: str | None  # the default of a window
    secret: bool  # the answer is hidden from other viewers


@dataclass(frozen=True)
class DieWanted:
    """A real die must be rolled for a team."""

    moment: int
    team: int
    at: int  # number of dice of this turn that were rolled before
    die: Die
    pool: Pool | None  # the pool that it begins, if several dice are rolled together


@dataclass(frozen=True)
class SeatWanted:
    """A seat is open, and the game waits for a player."""

    moment: int
    team: int


Wanted = CallWanted | DieWanted | SeatWanted


@dataclass
class Waiting:
    """A turn that was called and still needs real dice."""

    team: int
    call: str | None
    drawn: int  # random numbers drawn by coaches when it was called
    faces: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))
    missing: OutOfDice | None = None

    @property
    def is_called(self) -> bool:
        """Whether a call was made or a die was rolled already."""
        return self.call is not None or self.rolled > 0

    @property
    def rolled(self) -> int:
        return len(self.faces[0]) + len(self.faces[1])

    def with_face(self, team: int, face: int) -> Waiting:
        """Return the same turn with one more die."""
        faces = (list(self.faces[0]), list(self.faces[1]))
        faces[team].append(face)
        return Waiting(self.team, self.call, self.drawn, faces)


def waiting_of(line: Mapping[str, Any], drawn: int, missing: OutOfDice) -> Waiting:
    """Parse a pending turn from a log line."""
    team = TEAMS.index(line["team"]) if "call" in line else NOBODY
    faces = (list(line["dice"].get(TEAMS[0], [])), list(line["dice"].get(TEAMS[1], [])))
    return Waiting(team, line.get("call"), line.get("drawn", drawn), faces, missing)
