"""State abstraction of the two-minute drill: what the rest of a game depends on.

The conformance kit checks the rules against it.
"""

from __future__ import annotations

from hashmark.engine.record import HOME
from hashmark.engine.rule import rule
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.position import Match, Position
from hashmark.games.two_minute_drill.tables import FIRST_DOWN_YARDS, FULL_CLOCK_SPACES


@rule
def drop_irrelevant(m: Match, g: Position) -> None:
    """Clear what no longer matters once the game is over; only the winner does."""
    if g.phase != p.OVER:
        return
    g.period = 1
    g.clock = 0
    g.possession = HOME
    g.spot = 0
    g.down = 1
    g.to_go = FIRST_DOWN_YARDS
    g.timeouts = 0
    g.hash = p.CENTER


@rule
def score_matters(m: Match, g: Position) -> bool:
    """R5: the drive is won at the goal line, regardless of the score."""
    return False


@rule
def progress(m: Match, g: Position) -> int:
    """R2: return how many spaces are crossed off; five of a kind erases one."""
    return FULL_CLOCK_SPACES - g.clock
