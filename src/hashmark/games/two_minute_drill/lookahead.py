"""Looking ahead to the end of a play: every choice and every die that is still to come.

Values are whole numbers from 0 (lost) to SURE (won). What does not depend on the dice that
were kept is worked out once for each clock and number of time-outs and kept in a *survey*: the
worth of each referee sum that ends the play, of each special result, of each gain to each
side, and of extra effort. The best use of six dice is then a matter of reading it.

All numbers live in one list, the work space `w`: the hand first, then up to six surveys.
"""

from __future__ import annotations

from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.ball import held, line
from hashmark.games.two_minute_drill.play import (
    for_effort,
    for_staying,
    for_yards,
    loses_with,
    penalty_spaces,
)
from hashmark.games.two_minute_drill.position import Match, Position
from hashmark.games.two_minute_drill.tables import (
    FULL_CLOCK,
    ONE_MINUTE,
    PLAY_SPACES,
    QUAD_BACK,
    QUAD_FORWARD,
    REFEREE_YARDS,
    SAVED_BY_TIME_OUT,
    TRIPLE_YARDS,
)
from hashmark.games.two_minute_drill.value import chance_worth, win_worth, worth
from hashmark.table.grid import Grid
from hashmark.table.rule import rule

# The work space: four OT faces, their highest faces, two DT faces; then the surveys.
FACE, HIGHEST, DEFENCE = 0, 4, 8
FIRST_SURVEY = 10

# A survey: whether it is made, its clock and time-outs, referee sums 2 to 6, special
# results, the best of those but six of a kind, gains by flag and side, the best of each gain,
# effort by flag, side, die and DT face.
LOWEST_GAIN, GAIN_COUNT = -5, 17  # 1 - 6 to 12 - 1
MADE, CLOCK, TIMEOUTS, REFEREE, SPECIAL, BEST_SPECIAL, GAINS = 0, 1, 2, 3, 8, 17, 18
PEAK = GAINS + 4 * GAIN_COUNT
EFFORT = PEAK + GAIN_COUNT
SURVEY = EFFORT + 4 * 5 * 6
SURVEYS = 6
SPACE = FIRST_SURVEY + SURVEYS * SURVEY
UNKNOWN = -1
KIND_OF_DIE = Grid("effort row", [0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4])  # by highest face

# Special results by what they do.
BACK_5, EVEN, FORWARD_5, FORWARD_10, FORWARD_15, QUAD_LOSS, ERASE, SIX_ODD, SIX_EVEN = range(9)


# --- What becomes of the ball ---------------------------------------------------------


@rule
def moved_worth(
    m: Match, g: Position, clock: int, yards: int, down: int, timeouts: int, hash_mark: int
) -> int:
    """A position after the ball has moved: first and ten, or this down with less to go."""
    to_go = g.to_go - yards
    if to_go <= 0:
        return worth(m, g, clock, g.spot + yards, hash_mark, 1, 10, timeouts)
    return worth(m, g, clock, g.spot + yards, hash_mark, down, to_go, timeouts)


@rule
def penalty_worth(m: Match, g: Position, clock: int, yards: int, down: int, timeouts: int) -> int:
    """R17, R18: the ball after a penalty; in the reply it may win."""
    moved = held(g, yards)
    if g.spot + moved >= line(g):
        return win_worth(m, g, clock)
    return moved_worth(m, g, clock, moved, down, timeouts, g.hash)


@rule
def down_worth(m: Match, g: Position, clock: int, timeouts: int) -> int:
    """R23, R24, R26: a down without a gain."""
    if g.down == 4:
        return 0
    return worth(m, g, clock, g.spot, g.hash, g.down + 1, g.to_go, timeouts)


@rule
def lost_ball_worth(m: Match, g: Position, clock: int, yards: int, timeouts: int) -> int:
    """R14, R25: the other team's ball; a last chance with a minute left."""
    if clock < ONE_MINUTE:
        return 0
    return chance_worth(m, g, clock, g.spot + held(g, yards), g.hash, timeouts)


@rule
def referee_worth(m: Match, g: Position, clock: int, total: int, timeouts: int) -> int:
    """R22 to R25: the sums that end the play; on a last chance only a 5 helps."""
    if g.chance:
        if total == 5:
            return worth(m, g, clock - 1, g.spot, g.hash, 1, 10, timeouts)
        return 0
    if total == 2:
        return penalty_worth(m, g, clock, -REFEREE_YARDS, g.down, timeouts)
    if total == 5:
        return lost_ball_worth(m, g, clock - 1, 0, timeouts)
    return down_worth(m, g, clock - 1, timeouts)


@rule
def special_worth(m: Match, g: Position, clock: int, kind: int, timeouts: int) -> int:
    """R13 to R16: three or more of a kind; on a last chance they all lose."""
    if g.chance or kind == SIX_EVEN:
        return 0
    if kind == SIX_ODD:
        return win_worth(m, g, clock)
    if kind == ERASE:
        return penalty_worth(m, g, min(FULL_CLOCK, clock + 1), 0, g.down, timeouts)
    if kind == QUAD_LOSS:
        if g.down == 4:
            return lost_ball_worth(m, g, clock, -QUAD_BACK, timeouts)
        return penalty_worth(m, g, clock, -QUAD_BACK, g.down + 1, timeouts)
    if kind == FORWARD_15:
        return penalty_worth(m, g, clock, QUAD_FORWARD, g.down, timeouts)
    return penalty_worth(m, g, clock, (kind - EVEN) * TRIPLE_YARDS, g.down, timeouts)


@rule
def play_worth(
    m: Match, g: Position, clock: int, gain: int, to: int, efforts: int, flag: bool, timeouts: int
) -> int:
    """R28 to R34: the best of the play, the play with a time-out, and the penalty."""
    best = kept_worth(m, g, clock, gain, to, efforts, flag, timeouts)
    if flag and g.spot + gain < line(g):
        best = max(best, refused_worth(m, g, clock, timeouts))
    return best


@rule
def kept_worth(
    m: Match, g: Position, clock: int, gain: int, to: int, efforts: int, flag: bool, timeouts: int
) -> int:
    """R31 to R34: the better of the play and the play with a time-out."""
    best = taken_worth(m, g, clock, gain, to, efforts, flag, timeouts, 0)
    if timeouts > 0 and g.spot + gain < line(g) and not loses_with(g, gain):
        best = max(best, taken_worth(m, g, clock, gain, to, efforts, flag, timeouts, 1))
    return best


@rule
def taken_worth(
    m: Match,
    g: Position,
    clock: int,
    gain: int,
    to: int,
    efforts: int,
    flag: bool,
    timeouts: int,
    spent: int,
) -> int:
    """R31 to R34: the play as it came out, with a time-out or without."""
    spaces = PLAY_SPACES + for_yards(m, g, gain, flag) + for_effort(m, efforts, flag)
    left = clock - spaces - for_staying(g, gain, to, flag) + spent * SAVED_BY_TIME_OUT
    if g.spot + gain >= line(g):
        return win_worth(m, g, left)
    if loses_with(g, gain):
        return 0
    return moved_worth(m, g, left, gain, g.down + 1, timeouts - spent, to)


@rule
def refused_worth(m: Match, g: Position, clock: int, timeouts: int) -> int:
    """R28: the penalty instead of the play."""
    return penalty_worth(m, g, clock - penalty_spaces(m), REFEREE_YARDS, g.down, timeouts)


@rule
def rolled_worth(
    m: Match,
    g: Position,
    clock: int,
    top: int,
    gain: int,
    to: int,
    efforts: int,
    flag: bool,
    timeouts: int,
) -> int:
    """R30: one roll of extra effort and the best of all that may follow, to the last die.

    The chain of highest faces ends at the line, so it is worked out from there backwards.
    """
    longest = max(1, (line(g) - g.spot - gain + top - 1) // top)
    refused = refused_worth(m, g, clock, timeouts) if flag else 0
    follows = kept_worth(m, g, clock, gain + longest * top, to, efforts + longest, flag, timeouts)
    for rolls in range(longest, 0, -1):
        before = gain + (rolls - 1) * top
        total = follows
        for face in range(1, top):
            kept = kept_worth(m, g, clock, before + face, to, efforts + rolls, flag, timeouts)
            total += max(kept, refused)
        follows = total // top
        if rolls > 1:
            stop = kept_worth(m, g, clock, before, to, efforts + rolls - 1, flag, timeouts)
            follows = max(follows, stop, refused)
    return follows


# --- Surveys --------------------------------------------------------------------------


@rule
def survey(m: Match, g: Position, w: list[int], number: int, clock: int, timeouts: int) -> int:
    """Where the survey of this clock and these time-outs begins; made when first asked for."""
    s = FIRST_SURVEY + number * SURVEY
    if w[s + MADE] == 0:
        w[s + MADE] = 1
        w[s + CLOCK] = clock
        w[s + TIMEOUTS] = timeouts
        survey_ends(m, g, w, s)
        survey_gains(m, g, w, s)
    return s


@rule
def survey_ends(m: Match, g: Position, w: list[int], s: int) -> None:
    """What ends a play before it is run: special results and low referee sums."""
    clock = w[s + CLOCK]
    timeouts = w[s + TIMEOUTS]
    for total in range(2, 7):
        w[s + REFEREE + total - 2] = referee_worth(m, g, clock, total, timeouts)
    best = 0
    for kind in range(9):
        found = special_worth(m, g, clock, kind, timeouts)
        w[s + SPECIAL + kind] = found
        if kind != SIX_ODD:
            best = max(best, found)
    w[s + BEST_SPECIAL] = best


@rule
def survey_gains(m: Match, g: Position, w: list[int], s: int) -> None:
    """What a play is worth by its gain, its side, and whether there is a flag."""
    clock = w[s + CLOCK]
    timeouts = w[s + TIMEOUTS]
    refused = refused_worth(m, g, clock, timeouts)
    for at in range(GAIN_COUNT):
        gain = at + LOWEST_GAIN
        w[s + PEAK + at] = 0
        for odd in range(2):
            to = p.RIGHT if odd else p.LEFT
            clean = kept_worth(m, g, clock, gain, to, 0, False, timeouts)
            flagged = max(refused, kept_worth(m, g, clock, gain, to, 0, True, timeouts))
            w[s + GAINS + odd * GAIN_COUNT + at] = clean
            w[s + GAINS + (2 + odd) * GAIN_COUNT + at] = flagged
            w[s + PEAK + at] = max(w[s + PEAK + at], clean, flagged)
    for at in range(EFFORT, SURVEY):
        w[s + at] = UNKNOWN


@rule
def gain_worth(
    m: Match,
    g: Position,
    w: list[int],
    s: int,
    face: int,
    top: int,
    minus: int,
    odd: int,
    flag: int,
) -> int:
    """R29, R30: the yards pair with its side, and extra effort where the die is at its top."""
    stop = w[s + GAINS + (2 * flag + odd) * GAIN_COUNT + face - minus - LOWEST_GAIN]
    if face < top or g.spot + face - minus >= line(g):
        return stop
    at = s + EFFORT + ((2 * flag + odd) * 5 + KIND_OF_DIE[top]) * 6 + minus - 1
    if w[at] == UNKNOWN:
        to = p.RIGHT if odd else p.LEFT
        clock = w[s + CLOCK]
        rolled = rolled_worth(m, g, clock, top, face - minus, to, 0, flag == 1, w[s + TIMEOUTS])
        w[at] = max(stop, rolled)
    return w[at]
