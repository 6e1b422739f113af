"""State abstraction of Rapid Roll: what the rest of a game depends on.

The conformance kit checks the rules against it.
"""

from __future__ import annotations

from hashmark.engine.rule import rule
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll.position import Match, Position
from hashmark.games.rapid_roll.tables import LAST_QUARTER

COUNTED = len(p.TALLY)


@rule
def drop_irrelevant(m: Match, g: Position) -> None:
    """R87: clear the team statistics; no rule reads them."""
    for team in range(2):
        for what in range(COUNTED):
            g.stats[team][what] = 0


@rule
def score_matters(m: Match, g: Position) -> bool:
    """R81, R82: return whether a level score matters: with the last number, and in overtime."""
    return g.period > LAST_QUARTER or (g.period == LAST_QUARTER and g.clock <= 1)


@rule
def progress(m: Match, g: Position) -> int:
    """R6: return how many numbers have been written."""
    return g.period * m.numbers_per_quarter - g.clock
