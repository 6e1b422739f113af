"""States of the blind game: where the ball is, and which team has it, without the clock line.

The blind game is Rapid Roll without reading the clock line: every further number is equally likely.
A state is a row of its value table: each spot with a down and a class of yards to go, and three
rows for kickoffs, free kicks and tries. The time and the lead are columns.
"""

from __future__ import annotations

from hashmark.engine.grid import Grid
from hashmark.engine.rule import rule
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll.position import Position

FIRST_DOWN_TO_GO = (5, 10, 15, 20)
LATER_TO_GO = (*range(1, 16), 17, 20, 25, 30)
MAX_TO_GO = 99


def _nearest(classes: tuple[int, ...], to_go: int) -> int:
    """Return the class nearest to a number of yards, the lower one of two."""
    return min(range(len(classes)), key=lambda index: abs(classes[index] - to_go))


def _at_least(classes: tuple[int, ...], to_go: int) -> int:
    """Return the first class of at least this many yards, or the last one."""
    return next((i for i, yards in enumerate(classes) if yards >= to_go), len(classes) - 1)


# Goal to go takes a class that is not nearer than the goal line, so that it stays goal to go.
_BY_TO_GO = [
    [choose(classes, to_go) for to_go in range(MAX_TO_GO + 1)]
    for classes in (FIRST_DOWN_TO_GO, LATER_TO_GO)
    for choose in (_nearest, _at_least)
]
TO_GO_CLASS = Grid("class of yards to go", _BY_TO_GO)
FIRST_CLASSES, LATER_CLASSES = len(FIRST_DOWN_TO_GO), len(LATER_TO_GO)
ROWS_PER_SPOT = FIRST_CLASSES + 3 * LATER_CLASSES

SCRIMMAGE_ROWS = 99 * ROWS_PER_SPOT
KICKOFF_ROW, SAFETY_KICK_ROW, TRY_ROW = range(SCRIMMAGE_ROWS, SCRIMMAGE_ROWS + 3)
ROWS = SCRIMMAGE_ROWS + 3


@rule
def scrimmage_row(spot: int, down: int, to_go: int) -> int:
    """Return the row of a down; yards to go that have no class of their own take the nearest."""
    is_goal_to_go = 1 if spot + to_go >= 100 else 0
    first = (spot - 1) * ROWS_PER_SPOT
    if down == 1:
        return first + TO_GO_CLASS[is_goal_to_go, to_go]
    before = FIRST_CLASSES + (down - 2) * LATER_CLASSES
    return first + before + TO_GO_CLASS[2 + is_goal_to_go, to_go]


@rule
def state_row(g: Position) -> int:
    """Return the row of a position between two plays."""
    if g.phase == p.SCRIMMAGE:
        return scrimmage_row(g.spot, g.down, g.to_go)
    if g.phase == p.KICKOFF:
        return KICKOFF_ROW
    return SAFETY_KICK_ROW if g.phase == p.SAFETY_KICK else TRY_ROW


def down_of_row(row: int) -> tuple[int, int, int]:
    """Return spot, down and yards to go of a row of a down."""
    spot, index = divmod(row, ROWS_PER_SPOT)
    spot += 1
    if index < FIRST_CLASSES:
        return spot, 1, min(FIRST_DOWN_TO_GO[index], 100 - spot)
    down, index = divmod(index - FIRST_CLASSES, LATER_CLASSES)
    return spot, down + 2, min(LATER_TO_GO[index], 100 - spot)
