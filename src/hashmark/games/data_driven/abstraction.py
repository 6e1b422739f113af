"""State abstraction: what the rest of a game depends on; the conformance kit verifies it."""

from __future__ import annotations

from hashmark.engine.record import NOBODY
from hashmark.engine.rule import rule
from hashmark.games.data_driven.clock import LAST_QUARTER
from hashmark.games.data_driven.position import Match, Position

LONGEST_PLAY_SECONDS = 120  # maximum of the field `seconds`


@rule
def drop_irrelevant(m: Match, g: Position) -> None:
    """Drop what no longer matters: who received first after halftime, and the winner."""
    if g.period > 2:
        g.received_first = NOBODY
    g.winner = NOBODY


@rule
def score_matters(m: Match, g: Position) -> bool:
    """R105: Return whether a level score matters: late in the fourth quarter, and in overtime."""
    return g.period > LAST_QUARTER or (g.period == LAST_QUARTER and g.clock <= LONGEST_PLAY_SECONDS)


@rule
def progress(m: Match, g: Position) -> int:
    """R94: Return the seconds played."""
    before = min(g.period - 1, LAST_QUARTER) * m.quarter_seconds
    before += max(g.period - 1 - LAST_QUARTER, 0) * m.overtime_seconds
    length = m.quarter_seconds if g.period <= LAST_QUARTER else m.overtime_seconds
    return before + length - g.clock
