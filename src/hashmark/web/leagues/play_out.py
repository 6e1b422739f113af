"""Playing a game to its end with coaches: log lines in, log lines out.

It uses no screen and no clock, so that a server can run it in another process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from hashmark.engine.rule_set import MAX_GAME_STEPS
from hashmark.errors import HashmarkError
from hashmark.session import log
from hashmark.session.game_session import HUMAN, GameSession
from hashmark.storage import search_path
from hashmark.text.game_report import scoreboard


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
            raise HashmarkError("coaches cannot play this game to its end")
    home, away = session.game.position.score
    return PlayedOut(lines, (int(home), int(away)), " ".join(scoreboard(session.game).split()))
