"""Playing a game to its end with coaches: log lines in, log lines out.

It uses no screen and no clock, so that a server can run it in another process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from hashmark.table import log, places
from hashmark.table.errors import HashmarkError
from hashmark.table.rules import LONGEST_GAME
from hashmark.table.sitting import PERSON, Sitting
from hashmark.telling.report import scoreboard


@dataclass(frozen=True)
class PlayedOut:
    """Log lines added to a game, and its result."""

    lines: list[str]
    score: tuple[int, int]
    said: str  # the scoreboard as one line


def play_out(
    log_lines: Sequence[str], coaches: Sequence[str], only_shipped: bool = False
) -> PlayedOut:
    """Seat these coaches in place of people, and play the game to its end."""
    with places.only_shipped() if only_shipped else nullcontext():
        raw = "".join(log_lines).encode(errors="surrogatepass")
        session, read = Sitting.take_up_bytes(raw, "the game")
        chain, lines = read.chain, []

        def persist(line: Mapping[str, Any]) -> None:
            nonlocal chain
            text, chain = log.sealed(chain, line)
            lines.append(text)

        session.keep = persist
        for team, coach in enumerate(coaches):
            if session.seats[team] == PERSON:
                session.sit(team, coach)
        while session.proceed():
            if len(session.game.turns) > LONGEST_GAME:
                break
        if not session.is_over:
            raise HashmarkError("coaches cannot play this game to its end")
    home, away = session.game.position.score
    return PlayedOut(lines, (int(home), int(away)), " ".join(scoreboard(session.game).split()))
