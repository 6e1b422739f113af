"""Fairness check: every roll of a logged game is made again from its seed and compared."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hashmark.table import log
from hashmark.table.errors import HashmarkError
from hashmark.table.game import Game
from hashmark.table.header import Header

LEAST = 16  # hex digits of a commitment that must be given


@dataclass
class Verified:
    """A log that replayed correctly, roll by roll."""

    read: log.Replay
    rolls: int

    @property
    def header(self) -> Header:
        return self.read.header

    def check(self, commitment: str) -> None:
        """Raise an error unless the dice match a commitment."""
        header, file = self.header, self.read.path
        if header.dice != "auto":
            raise HashmarkError(f"{file}: a game with real dice has nothing to commit to")
        digits = commitment.strip().lower()
        if len(digits) < LEAST or not header.commitment.startswith(digits):
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
        """Return the result as a sentence."""
        header = self.header
        extent = f"in {len(self.read.game.turns)} turns, and every digest fits"
        if header.dice != "auto":
            return f"verified: real dice, {self.rolls} faces as they were typed {extent}"
        source = f"seed {header.seed}, game {header.number}"
        if header.words is not None:
            quoted_words = " and ".join(f'"{word}"' for word in header.words if word)
            source += (
                f" and the players' words {quoted_words}"
                if quoted_words
                else ", without a player's word"
            )
        if header.is_sealed:
            source += f", committed to as {header.commitment}"
        return f"verified: all {self.rolls} dice are those of {source}, {extent}"


def verify(path: Path) -> Verified:
    """Verify the log in a file, including turns that were undone."""
    counter = _DiceCounter()
    return Verified(log.replay(path, counter), counter.total)


def verify_bytes(raw: bytes, name: str) -> Verified:
    """Verify the bytes of a log that is stored elsewhere."""
    counter = _DiceCounter()
    return Verified(log.replay_bytes(raw, Path(name), counter), counter.total)


@dataclass
class _DiceCounter:
    """Replay observer that counts the dice of all turns."""

    total: int = 0

    def __call__(self, header: Header, game: Game, folded: log.Folded | None) -> None:
        if folded is not None and folded.turn is not None and "undo" not in folded.line:
            self.total += len(folded.turn.faces)
