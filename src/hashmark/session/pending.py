"""Pending input: a call of a person, a real die, or a player for a seat."""

from __future__ import annotations

from dataclasses import dataclass, field

from hashmark.engine.dice import Die, Pool
from hashmark.engine.record import TEAMS, Team
from hashmark.engine.rule_set import NO_CALL, CallCode, Question
from hashmark.errors import OutOfDice


@dataclass(frozen=True)
class PendingCall:
    """A person must answer a question."""

    moment: int
    team: Team
    question: Question
    calls: tuple[CallCode, ...]  # legal ones that menus show
    is_secret: bool  # the answer is hidden from other viewers

    @property
    def description(self) -> str:
        return f"it is {TEAMS[self.team]}'s call"


@dataclass(frozen=True)
class PendingDie:
    """A real die must be rolled for a team."""

    moment: int
    team: Team
    die_index: int  # number of dice of this turn that were rolled before
    die: Die
    pool: Pool | None  # the pool that it begins, if several dice are rolled together

    @property
    def description(self) -> str:
        return f"{TEAMS[self.team]} must roll a {self.die.name}"


@dataclass(frozen=True)
class PendingSeat:
    """A seat is open, and the game waits for a player."""

    moment: int
    team: Team

    @property
    def description(self) -> str:
        return f"{TEAMS[self.team]} has no player yet"


PendingInput = PendingCall | PendingDie | PendingSeat


@dataclass
class PendingTurn:
    """A turn that was called and still needs real dice."""

    team: Team
    call: CallCode  # or NO_CALL
    draw_count: int  # random numbers drawn by coaches when it was called
    faces: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))
    missing_die: OutOfDice | None = None

    @property
    def is_started(self) -> bool:
        """Whether a call was made or a die was rolled already."""
        return self.call != NO_CALL or self.rolled_count > 0

    @property
    def rolled_count(self) -> int:
        return len(self.faces[0]) + len(self.faces[1])

    def with_face(self, team: Team, face: int) -> PendingTurn:
        """Return the same turn with one more die."""
        faces = (list(self.faces[0]), list(self.faces[1]))
        faces[team].append(face)
        return PendingTurn(self.team, self.call, self.draw_count, faces)
