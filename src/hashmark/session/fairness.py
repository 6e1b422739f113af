"""Fairness check: every roll of a logged game is made again from its seed and compared."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hashmark.engine.game import Game
from hashmark.errors import HashmarkError
from hashmark.session import log
from hashmark.session.header import Header

MIN_COMMITMENT_DIGITS = 16  # hex digits of a commitment that must be given


@dataclass
class VerifiedLog:
    """A log that replayed correctly, roll by roll."""

    replay: log.Replay
    dice_count: int

    @property
    def header(self) -> Header:
        return self.replay.header

    def check_commitment(self, commitment: str) -> None:
        """Raise an error unless the dice match a commitment."""
        header, file = self.header, self.replay.path
        if header.dice != "auto":
            raise HashmarkError(f"{file}: a game with real dice has no commitment")
        digits = commitment.strip().lower()
        if len(digits) < MIN_COMMITMENT_DIGITS or not header.commitment.startswith(digits):
            raise HashmarkError(
                f"{file}: its dice do not match the commitment "
                f"(at least {MIN_COMMITMENT_DIGITS} digits of {header.commitment} were expected)"
            )

    def to_json(self) -> dict[str, Any]:
        return {
            "verified": True,
            "dice": self.header.dice,
            "rolls": self.dice_count,
            "turns": len(self.replay.game.turns),
            "over": self.replay.game.is_over,
            **self.header.reveal_json(),
        }

    @property
    def message(self) -> str:
        """Return the result as a sentence."""
        header = self.header
        extent = f"in {len(self.replay.game.turns)} turns; every digest matches"
        if header.dice != "auto":
            return f"verified: {self.dice_count} typed faces of real dice {extent}"
        source = f"seed {header.seed}, game {header.game_number}"
        if header.client_seeds is not None:
            words = " and ".join(f'"{word}"' for word in header.client_seeds if word)
            source += (
                f" and the players' seed words {words}"
                if words
                else ", without players' seed words"
            )
        if header.is_committed:
            source += f", commitment {header.commitment}"
        return f"verified: all {self.dice_count} dice match {source}, {extent}"


def verify_file(path: Path) -> VerifiedLog:
    """Verify the log in a file, including turns that were undone."""
    counter = _DiceCounter()
    return VerifiedLog(log.replay(path, counter), counter.total)


def verify_bytes(raw: bytes, name: str) -> VerifiedLog:
    """Verify the bytes of a log that is stored elsewhere."""
    counter = _DiceCounter()
    return VerifiedLog(log.replay_bytes(raw, Path(name), counter), counter.total)


@dataclass
class _DiceCounter:
    """Replay observer that counts the dice of all turns."""

    total: int = 0

    def __call__(self, header: Header, game: Game, replayed: log.ReplayedLine | None) -> None:
        if replayed is not None and replayed.turn is not None and "undo" not in replayed.line:
            self.total += len(replayed.turn.faces)
