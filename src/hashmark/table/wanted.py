"""What a table waits for: a call of a person, a real die, somebody for a seat."""

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
    default: str | None  # of a window
    secret: bool  # the others must not see the answer yet


@dataclass(frozen=True)
class DieWanted:
    """Somebody must roll a real die for a team."""

    moment: int
    team: int
    at: int  # how many dice of this turn have been rolled before it
    die: Die
    pool: Pool | None  # the dice it is the first of, if several are rolled together


@dataclass(frozen=True)
class SeatWanted:
    """Nobody sits here yet, and the game waits."""

    moment: int
    team: int


Wanted = CallWanted | DieWanted | SeatWanted


@dataclass
class Waiting:
    """A turn that was called and still wants real dice."""

    team: int
    call: str | None
    drawn: int  # numbers that coaches had drawn when it was called
    faces: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))
    missing: OutOfDice | None = None

    @property
    def is_called(self) -> bool:
        """Whether somebody has called or rolled already."""
        return self.call is not None or self.rolled > 0

    @property
    def rolled(self) -> int:
        return len(self.faces[0]) + len(self.faces[1])

    def with_face(self, team: int, face: int) -> Waiting:
        """The same turn with one die more."""
        faces = (list(self.faces[0]), list(self.faces[1]))
        faces[team].append(face)
        return Waiting(self.team, self.call, self.drawn, faces)


def waiting_of(line: Mapping[str, Any], drawn: int, missing: OutOfDice) -> Waiting:
    """The turn that waits for dice as a line says it."""
    team = TEAMS.index(line["team"]) if "call" in line else NOBODY
    faces = (list(line["dice"].get(TEAMS[0], [])), list(line["dice"].get(TEAMS[1], [])))
    return Waiting(team, line.get("call"), line.get("drawn", drawn), faces, missing)
