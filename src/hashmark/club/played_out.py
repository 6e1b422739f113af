"""A game played to its end by coaches, from wherever it stands: lines in, lines out.

It has no screen and no clock, so that it can be done in a process beside a server.
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
    """What was added to a game, and how it ended."""

    lines: list[str]
    score: tuple[int, int]
    said: str  # the scoreboard in a line


def play_out(kept: Sequence[str], coaches: Sequence[str], only_shipped: bool = False) -> PlayedOut:
    """Hand the seats of people to these coaches, and play to the end."""
    with places.only_shipped() if only_shipped else nullcontext():
        raw = "".join(kept).encode(errors="surrogatepass")
        sitting, read = Sitting.take_up_bytes(raw, "the game")
        chain, lines = read.chain, []

        def keep(line: Mapping[str, Any]) -> None:
            nonlocal chain
            text, chain = log.sealed(chain, line)
            lines.append(text)

        sitting.keep = keep
        for team, coach in enumerate(coaches):
            if sitting.seats[team] == PERSON:
                sitting.sit(team, coach)
        while sitting.proceed():
            if len(sitting.game.turns) > LONGEST_GAME:
                break
        if not sitting.is_over:
            raise HashmarkError("coaches cannot play this game to its end")
    home, away = sitting.game.position.score
    return PlayedOut(lines, (int(home), int(away)), " ".join(scoreboard(sitting.game).split()))
