"""Grid of the pairing model: the situations, the outcomes and the results that it tells apart.

The model solves a game between two teams backward in time. Its state is the time left in steps of
ten seconds, home's lead, the team with the ball, spot, down and yards to go, and in the last two
minutes of the game the time-outs of both teams. Situations between grid points are interpolated.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

STEP_SECONDS = 10
MAX_LEAD = 24  # a larger lead counts as this one
LEADS = 2 * MAX_LEAD + 1

# Spots that are solved; others are interpolated.
SPOTS = (
    *(1, 2, 3, 5, 7, 10, 13, 17, 21, 26, 31, 36, 41, 46, 51, 56, 60),
    *(64, 67, 70, 73, 76, 79, 82, 85, 88, 91, 93, 95, 96, 97, 98, 99),
)
# Situations that are solved: down and yards to go. The first of a down is its shortest.
FIRST_DOWN_DISTANCES = (5, 10, 15, 20)
DISTANCES = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20)
SITUATIONS = (
    *((1, distance) for distance in FIRST_DOWN_DISTANCES),
    *((down, distance) for down in (2, 3, 4) for distance in DISTANCES),
)
FIRST_AND_TEN = SITUATIONS.index((1, 10))

# Outcomes of a play from scrimmage: yards gained, incomplete, touchdown, interception, fumble.
GAINS = (-20, -15, -10, -8, -6, *range(-5, 13), 14, 16, 18, 20, 24, 28, 33, 40, 50, 60, 80)
INTERCEPTION_YARDS = (-5, 3, 10, 18, 28, 40, 50)
FUMBLE_YARDS = (-12, -7, -3, 1, 6, 15, 40)
INCOMPLETE = len(GAINS)
TOUCHDOWN = INCOMPLETE + 1
FIRST_INTERCEPTION = TOUCHDOWN + 1
FIRST_FUMBLE = FIRST_INTERCEPTION + len(INTERCEPTION_YARDS)
OUTCOMES = FIRST_FUMBLE + len(FUMBLE_YARDS)
LOSS_OF_ONE = GAINS.index(-1)

# What flags do to a play. The first group is noted and judged at its end; the last replace it.
(
    NOTED_OFF_5,
    NOTED_OFF_10,
    NOTED_OFF_15,
    NOTED_DEF_5,
    NOTED_DEF_5X,
    NOTED_DEF_15,
    NOTED_PI,
    DEAD_OFF_5,
    DEAD_DEF_5,
    REPLAYED,
) = range(10)
FLAGS = REPLAYED + 1

# Results of kicks and returns, as the team sees them that is named with the table: its own first
# down at a spot, the other team's, touchdowns and safeties of either.
OWN_BALL, OTHER_BALL = 0, 99
OWN_TOUCHDOWN, OTHER_TOUCHDOWN, OWN_SAFETY, OTHER_SAFETY = range(198, 202)
RESULTS = 202

KICKS = 3  # kickoff, squib, onside
PUNTS = (0, 5, 10, 15)  # yards by which a punt may be shortened
FIRST_START = -9  # deepest start of a return
STARTS = 99 - FIRST_START + 1
TIMEOUT_STATES = 16  # four counts of home's time-outs times four of away's
ALL_TIMEOUTS = TIMEOUT_STATES - 1
TIMEOUT_STEPS = 9  # last steps of the game in which time-outs are part of the state

# Periods of play, in the order in which they are solved; the first halves are named after the team
# that kicks off the second one.
OVERTIME_PERIOD, SECOND_HALF, HOME_KICKS_SECOND, AWAY_KICKS_SECOND = range(4)
PERIODS_OF_PLAY = 4


def bracket(points: Sequence[int], value: float) -> tuple[int, float]:
    """Return the grid point at or below a value, and the share of the next one."""
    if value <= points[0]:
        return 0, 0.0
    if value >= points[-1]:
        return len(points) - 1, 0.0
    low = bisect_right(points, value) - 1
    return low, (value - points[low]) / (points[low + 1] - points[low])


def spread(points: Sequence[int], value: int) -> list[tuple[int, float]]:
    """Return grid points with shares whose mean is the value, kept within the grid."""
    low, share = bracket(points, value)
    return [(low, 1.0)] if share == 0 else [(low, 1 - share), (low + 1, share)]


def situation_below(down: int, to_go: int) -> tuple[int, float]:
    """Return the situation with the next shorter distance, and the share of the one after it."""
    if down == 1:
        return bracket(FIRST_DOWN_DISTANCES, to_go)
    low, share = bracket(DISTANCES, to_go)
    return len(FIRST_DOWN_DISTANCES) + (down - 2) * len(DISTANCES) + low, share


def swap_result(result: int) -> int:
    """Return a result as the other team sees it."""
    if result < OTHER_BALL:
        return result + OTHER_BALL
    if result < OWN_TOUCHDOWN:
        return result - OTHER_BALL
    return result ^ 1
