"""Printed tables of 4th Down!, and the grids derived from them.

Row 0 of each table is empty so that a roll is its own index.
"""

from __future__ import annotations

from hashmark.engine.dice import COIN, D8, D10, D20
from hashmark.engine.grid import Grid

STYLES = ("balanced", "run-first", "pass-first")
TD = 1000  # in a column of yards: a touchdown from anywhere
TD_ROW = (TD, 0)  # the blocks of a touchdown row are rolled
NO_BLOCK_LIMIT = 1000  # in a column of blocks: no limit

# R8: yards and time blocks of a drive, by roll and style.
DRIVES = (
    # balanced  run-first  pass-first
    ((-10, 4), (-2, 12), (-10, 2)),
    ((0, 5), (0, 12), (-5, 3)),
    ((3, 6), (2, 12), (0, 4)),
    ((5, 6), (3, 12), (5, 4)),
    ((6, 7), (4, 12), (8, 5)),
    ((7, 8), (6, 12), (12, 6)),
    ((9, 9), (8, 12), (15, 7)),
    ((12, 10), (10, 15), (18, 8)),
    ((15, 11), (12, 17), (22, 9)),
    ((18, 18), (15, 18), (28, 12)),
    ((25, 19), (18, 20), (35, 15)),
    ((32, 22), (22, 22), (42, 17)),
    ((38, 26), (26, 24), (50, 20)),
    ((45, 31), (30, 27), (60, 24)),
    ((55, 34), (34, 32), (70, 29)),
    ((68, 38), (38, 35), (80, 36)),
    ((80, 40), (42, 38), (90, 40)),
    (TD_ROW, (60, 40), TD_ROW),
    (TD_ROW, (90, 45), TD_ROW),
    (TD_ROW, TD_ROW, TD_ROW),
)

# R18: yards of a fourth-down or untimed attempt.
CONVERSIONS = (-10, -5, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 10, 14, 20, 30, TD)

# R19: the longest kick that each roll makes.
MAKE_DISTANCES = (0, 15, 20, 25, 30, 30, 30, 30, 35, 35, 35, 35, 40, 40, 40, 40, 45, 45, 45, 45)

# The dice of the game, each with its purpose.
COIN_DIE = COIN.with_purpose("for the opening kickoff; 1: home receives, 2: away receives")
DRIVE_DIE = D20.with_purpose("for the drive")
TIME_DIE = D20.with_purpose("for the touchdown time")
TURNOVER_DIE = D20.with_purpose("for a turnover")
BALANCED_TO_GO_DIE = D10.with_purpose("for the yards to go")
RUN_TO_GO_DIE = D8.with_purpose("for the yards to go")
PASS_TO_GO_DIE = D20.with_purpose("for the yards to go")
ATTEMPT_DIE = D20.with_purpose("for the attempt")
KICK_DIE = D20.with_purpose("for the kick")
TWO_POINT_DIE = D10.with_purpose("for the two-point try")

FULL_CLOCK_BLOCKS = 180
KICKOFF_SPOT = 30
TOUCHBACK_SPOT = 20
KICK_RANGE_YARDS = 50
TRY_YARDS = 15
TWO_POINT_MISS_MAX = 6  # a d10 of 7 or more is good


def _rows(style: int) -> list[tuple[int, int, int]]:
    """Return the rows of a style that are not touchdown rows, as (row, yards, blocks)."""
    columns = enumerate((row[style] for row in DRIVES), 1)
    return [(row, yards, blocks) for row, (yards, blocks) in columns if yards != TD]


def _time_cap(style: int, distance: int) -> int:
    """R10: return the blocks of the first row that reaches this distance."""
    return next((blocks for _, yards, blocks in _rows(style) if yards >= distance), NO_BLOCK_LIMIT)


def _row_that_fits(style: int, clock: int) -> int:
    """R24: return the last row that leaves a block on the clock, or 0."""
    return max((row for row, _, blocks in _rows(style) if blocks <= clock - 1), default=0)


_ALL = range(len(STYLES))

YARDS = Grid("yards", [[0, *(row[style][0] for row in DRIVES)] for style in _ALL])
BLOCKS = Grid("blocks", [[0, *(row[style][1] for row in DRIVES)] for style in _ALL])
TIME_CAP = Grid(
    "time cap", [[_time_cap(style, distance) for distance in range(101)] for style in _ALL]
)
ROW_THAT_FITS = Grid(
    "row that fits",
    [[_row_that_fits(style, clock) for clock in range(FULL_CLOCK_BLOCKS + 1)] for style in _ALL],
)
MAX_DRIVE_BLOCKS = max(blocks for style in _ALL for _, _, blocks in _rows(style))
LOST_UP_TO = Grid("ball lost on a roll up to", (2, 1, 4))  # R13, by style
CONVERSION = Grid("conversion", (0, *CONVERSIONS))
MISSED_UP_TO = Grid(
    "kick missed on a roll up to",
    [sum(make < distance for make in MAKE_DISTANCES) for distance in range(101)],
)
