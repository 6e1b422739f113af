"""Autoplay pool: plays unattended league games to their end in a low-priority process.

The process is started when there is a game to play and ended when there is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from hashmark.engine.rule_set import MAX_GAME_STEPS
from hashmark.errors import HashmarkError
from hashmark.session import log
from hashmark.session.game_session import HUMAN, GameSession
from hashmark.storage import search_path
from hashmark.text.game_report import scoreboard
from hashmark.web.single_process import SingleProcess, ignore_interrupts, lower_priority

NICENESS = 10  # added to the niceness of the process


@dataclass(frozen=True)
class PlayedOut:
    """Log lines added to a game, and its result."""

    lines: list[str]
    score: tuple[int, int]
    scoreboard: str  # the scoreboard as one line


def play_out(
    log_lines: Sequence[str], coaches: Sequence[str], only_shipped: bool = False
) -> PlayedOut:
    """Seat these coaches in place of people, and play the game to its end."""
    with search_path.shipped_only() if only_shipped else nullcontext():
        raw = "".join(log_lines).encode(errors="surrogatepass")
        session, read = GameSession.resume_bytes(raw, "the game")
        chain, lines = read.chain, []

        def persist(line: Mapping[str, Any]) -> None:
            nonlocal chain
            text, chain = log.seal_line(chain, line)
            lines.append(text)

        session.persist = persist
        for team, coach in enumerate(coaches):
            if session.seats[team] == HUMAN:
                session.take_seat(team, coach)
        while session.advance():
            if len(session.game.turns) > MAX_GAME_STEPS:
                break
        if not session.is_over:
            raise HashmarkError("coaches cannot finish this game")
    home, away = session.game.position.score
    return PlayedOut(lines, (int(home), int(away)), " ".join(scoreboard(session.game).split()))


class AutoplayPool:
    """Plays games out, one after the other."""

    def __init__(self) -> None:
        self._process = SingleProcess(_prepare)

    async def play_out(
        self, lines: list[str], coaches: tuple[str, str], only_shipped: bool
    ) -> PlayedOut:
        """Return the rest of a game that coaches play from these log lines on."""
        try:
            return await self._process.run(play_out, lines, coaches, only_shipped)
        except BrokenProcessPool:
            self.stop()
            raise HashmarkError("the autoplay process ended; restarting it") from None

    def stop(self) -> None:
        """End the process, even in the middle of a game."""
        self._process.stop()


def _prepare() -> None:
    ignore_interrupts()
    lower_priority(NICENESS)
