"""The printed numbers of the two-minute drill: dice, clock, and marks on the sheet."""

from __future__ import annotations

from itertools import combinations

from hashmark.engine.grid import Grid

# R3: the dice in the order in which they are rolled: the offense's (OT), then the defense's (DT).
DICE = ("d4", "d6a", "d6b", "d8", "d10", "d12", "dta", "dtb")
FOUR, SIX_A, SIX_B, EIGHT, TEN, TWELVE, DT_A, DT_B = range(len(DICE))
OT = (FOUR, SIX_A, SIX_B, EIGHT, TEN, TWELVE)
DT = (DT_A, DT_B)
ALL_DICE = OT + DT
TOP_FACE = Grid("highest face", (4, 6, 6, 8, 10, 12, 6, 6))
HIGHEST_FACE = 12
FACES = tuple(range(1, HIGHEST_FACE + 1))

# R8, R9: sets to keep with the d4: three of the five other OT dice, at least one of them a d6.
KEEPABLE_SETS = tuple(
    three for three in combinations(range(SIX_A, TWELVE + 1), 3) if SIX_A in three or SIX_B in three
)
KEEPS_DIE = Grid(
    "dice kept", [[int(die in three or die == FOUR) for die in OT] for three in KEEPABLE_SETS]
)
SET_COUNT = len(KEEPABLE_SETS)

# R1, R2: the sheet.
FULL_CLOCK_SPACES = 40
SECONDS_PER_SPACE = 3
TIMEOUTS_PER_DRIVE = 3
START_SPOT = 25
POINTS_DOWN = 5
ONE_MINUTE_SPACES = 20  # R25: with less than this left a lost fumble ends the game
D12_LEAVES_AT, D10_LEAVES_AT = 20, 10  # R4, Q1: spaces left

# R5, R39: where a drive is won.
GOAL_LINE = 100
REPLY_LINE = 80

# R13 to R28: penalties and marks.
TRIPLE_YARDS = 5
QUAD_FORWARD_YARDS, QUAD_BACK_YARDS = 15, 10
REFEREE_YARDS = 5
PLAY_SPACES = 2
YARDS_PER_SPACE = 10
FIRST_DOWN_YARDS = 10
SPACES_SAVED_BY_TIMEOUT = 2

# R22 to R28, for the sheet: referee sums and what they mean.
REFEREE_TABLE = (
    ("2", "penalty on the offense", "5 yards back, repeat the down, no clock"),
    ("3-4", "incomplete pass", "1 space, next down"),
    (
        "5",
        "fumble, defense recovers",
        "1 space; under a minute the game is lost, else a last chance",
    ),
    ("6", "fumble, offense recovers", "1 space, next down"),
    ("7-9", "good play", "continue with side and yards"),
    ("10+", "penalty on the defense", "the play, or 5 yards and 1 space, repeat the down"),
)

# R12 to R16, for the sheet: groups among the six dice and what they mean.
SPECIAL_TABLE = (
    ("pair", "1 pip per die, for the team whose die it is"),
    ("3 of a kind", "with a DT die 5 yards forward, all OT 5 back; repeat the down"),
    ("4 of a kind", "with a DT die 15 yards forward; all OT 10 back and next down"),
    ("5 of a kind", "the defense calls a time-out: erase one clock space"),
    ("6 of a kind", "odd: touchdown, you win; even: returned for a touchdown, you lose"),
)
