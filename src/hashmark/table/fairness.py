"""Were the dice of a game fair? Every roll is made again from its seed, and compared."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hashmark.table import log
from hashmark.table.errors import HashmarkError
from hashmark.table.game import Game
from hashmark.table.header import Header

LEAST = 16  # digits of a commitment that must be given


@dataclass
class Verified:
    """A log that was played again, roll by roll, and found sound."""

    read: log.Replay
    rolls: int

    @property
    def header(self) -> Header:
        return self.read.header

    def check(self, commitment: str) -> None:
        """Refuse dice that are not those that were committed to."""
        header, file = self.header, self.read.path
        if header.dice != "auto":
            raise HashmarkError(f"{file}: a game with real dice has nothing to commit to")
        given = commitment.strip().lower()
        if len(given) < LEAST or not header.commitment.startswith(given):
            raise HashmarkError(
                f"{file}: its dice are not those that were committed to "
                f"(at least {LEAST} digits of {header.commitment} were expected)"
            )

    def to_json(self) -> dict[str, Any]:
        return {
            "verified": True,
            "dice": self.header.dice,
            "rolls": self.rolls,
            "turns": len(self.read.game.turns),
            "over": self.read.game.is_over,
            **self.header.opened(),
        }

    @property
    def sentence(self) -> str:
        """What was found."""
        header = self.header
        fits = f"in {len(self.read.game.turns)} turns, and every digest fits"
        if header.dice != "auto":
            return f"verified: real dice, {self.rolls} faces as they were typed {fits}"
        which = f"seed {header.seed}, game {header.number}"
        if header.words is not None:
            said = " and ".join(f'"{word}"' for word in header.words if word)
            which += f" and the players' words {said}" if said else ", without a player's word"
        if header.is_sealed:
            which += f", committed to as {header.commitment}"
        return f"verified: all {self.rolls} dice are those of {which}, {fits}"


def verify(path: Path) -> Verified:
    """The log in a file, those turns included that were taken back."""
    counted = _Rolls()
    return Verified(log.replay(path, counted), counted.total)


def verify_bytes(raw: bytes, name: str) -> Verified:
    """The same of lines that are kept elsewhere."""
    counted = _Rolls()
    return Verified(log.replay_bytes(raw, Path(name), counted), counted.total)


@dataclass
class _Rolls:
    """Counts the dice of every turn."""

    total: int = 0

    def __call__(self, header: Header, game: Game, folded: log.Folded | None) -> None:
        if folded is not None and folded.turn is not None and "undo" not in folded.line:
            self.total += len(folded.turn.faces)
