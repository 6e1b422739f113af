"""State abstraction of 4th Down!: what the rest of a game depends on.

The conformance kit checks the rules against it.
"""

from __future__ import annotations

from hashmark.engine.record import NOBODY
from hashmark.engine.rule import rule
from hashmark.engine.solver_spec import SolverSpec
from hashmark.games.fourth_down.position import COIN_TOSS, Match, Position
from hashmark.games.fourth_down.tables import FULL_CLOCK_BLOCKS, MAX_DRIVE_BLOCKS


@rule
def drop_irrelevant(m: Match, g: Position) -> None:
    """Clear the team that received first once the second half has begun, and the winner."""
    if g.period == 2:
        g.received_first = NOBODY
    g.winner = NOBODY


@rule
def score_matters(m: Match, g: Position) -> bool:
    """Return whether a rule reads the score before the end: none does."""
    return False


@rule
def progress(m: Match, g: Position) -> int:
    """R6: return the blocks played."""
    return g.period * FULL_CLOCK_BLOCKS - g.clock


@rule
def steady_layer(m: Match, g: Position) -> int:
    """R11, R24, R30: return 1 while no drive can be cut short or end the half."""
    return 1 if g.clock > MAX_DRIVE_BLOCKS and g.phase != COIN_TOSS else 0


@rule
def never(m: Match, g: Position) -> bool:
    """Return False: every call but letting a half end rolls dice, and there is no overtime."""
    return False


SOLVING = SolverSpec(steady_layer, never, never, carried_fields=("received_first",))
