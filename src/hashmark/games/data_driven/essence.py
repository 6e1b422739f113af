"""What the rest of a game of Data-Driven Football depends on; the referee kit holds it to that."""

from __future__ import annotations

from hashmark.games.data_driven.clock import LAST_QUARTER
from hashmark.games.data_driven.position import Match, Position
from hashmark.table.record import NOBODY
from hashmark.table.rule import rule

LONGEST_PLAY = 120  # seconds that `seconds` has room for


@rule
def forget(m: Match, g: Position) -> None:
    """Who received first counts until the second half; the winner is what the score says."""
    if g.period > 2:
        g.received_first = NOBODY
    g.winner = NOBODY


@rule
def score_counts(m: Match, g: Position) -> bool:
    """R105: whether it is level matters when the fourth quarter may end, and in overtime."""
    return g.period > LAST_QUARTER or (g.period == LAST_QUARTER and g.clock <= LONGEST_PLAY)


@rule
def progress(m: Match, g: Position) -> int:
    """R94: seconds played."""
    before = min(g.period - 1, LAST_QUARTER) * m.quarter_seconds
    before += max(g.period - 1 - LAST_QUARTER, 0) * m.overtime_seconds
    length = m.quarter_seconds if g.period <= LAST_QUARTER else m.overtime_seconds
    return before + length - g.clock
