"""What the rest of a game of 4th Down! depends on; the referee kit holds the rules to it."""

from __future__ import annotations

from hashmark.games.fourth_down.position import COIN_TOSS, Match, Position
from hashmark.games.fourth_down.tables import FULL_CLOCK, LONGEST_DRIVE
from hashmark.table.record import NOBODY
from hashmark.table.rule import rule
from hashmark.table.solving import Solving


@rule
def forget(m: Match, g: Position) -> None:
    """Who received first counts until the second half begins; the winner is what the score says."""
    if g.period == 2:
        g.received_first = NOBODY
    g.winner = NOBODY


@rule
def score_counts(m: Match, g: Position) -> bool:
    """No rule asks for the score before the end."""
    return False


@rule
def progress(m: Match, g: Position) -> int:
    """R6: blocks played."""
    return g.period * FULL_CLOCK - g.clock


@rule
def steady(m: Match, g: Position) -> int:
    """R11, R24, R30: no drive is cut short, and none can end the half."""
    return 1 if g.clock > LONGEST_DRIVE and g.phase != COIN_TOSS else 0


@rule
def never(m: Match, g: Position) -> bool:
    """Every call but letting a half end rolls dice; there is no overtime."""
    return False


SOLVING = Solving(steady, never, never, carried=("received_first",))
