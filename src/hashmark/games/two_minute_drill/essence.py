"""What the rest of a two-minute drill depends on; the referee kit holds the rules to it."""

from __future__ import annotations

from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.position import Match, Position
from hashmark.games.two_minute_drill.tables import FIRST_DOWN_YARDS, FULL_CLOCK
from hashmark.table.record import HOME
from hashmark.table.rule import rule


@rule
def forget(m: Match, g: Position) -> None:
    """Once the game is over only its winner counts, which the score does not say."""
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
def score_counts(m: Match, g: Position) -> bool:
    """R5: the drive is won at the goal line, whatever the score."""
    return False


@rule
def progress(m: Match, g: Position) -> int:
    """R2: spaces crossed off; five of a kind erases one."""
    return FULL_CLOCK - g.clock
