"""Lookahead to the end of a play: every choice and every die that is still to come.

Values are whole numbers from 0 (lost) to WIN_VALUE (won). What does not depend on the dice that
were kept is computed once for each clock and number of timeouts and stored in a *survey*: the value
of each special result and of each referee sum that ends the play, of each gain to each side, and
of extra effort. Finding the best use of six dice then only reads the survey.

All numbers live in one list, the work space `w`: the hand first, then up to six surveys.

Compiled, each function is inlined into its callers. A call that occurs only once in the source
keeps the machine code small; hence a loop here and there where two calls would read as well.
"""

from __future__ import annotations

from hashmark.engine.rule import rule
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.ball import penalty_move, winning_line
from hashmark.games.two_minute_drill.play import (
    loses_with,
    penalty_spaces,
    spaces_for_effort,
    spaces_for_staying,
    spaces_for_yards,
)
from hashmark.games.two_minute_drill.position import Match, Position
from hashmark.games.two_minute_drill.tables import (
    FULL_CLOCK_SPACES,
    ONE_MINUTE_SPACES,
    PLAY_SPACES,
    QUAD_BACK_YARDS,
    QUAD_FORWARD_YARDS,
    REFEREE_YARDS,
    SPACES_SAVED_BY_TIMEOUT,
    TRIPLE_YARDS,
)
from hashmark.games.two_minute_drill.value import last_chance_value, position_value, win_value

# Ways a play ends before it is run: special results by their effect, and referee sums.
BACK_5, FORWARD_0, FORWARD_5, FORWARD_10, FORWARD_15, QUAD_LOSS, ERASE, SIX_ODD, SIX_EVEN = range(9)
SUM_2, SUM_3, SUM_4, SUM_5, SUM_6 = range(9, 14)
END_COUNT = 14

# Layout of the work space: four OT faces, their highest faces, two DT faces, the payments, the
# pips, the referee's OT and DT die and the yards die if placed (else ANY); then the surveys.
FACE, HIGHEST, DEFENSE = 0, 4, 8
PAID, OT_PIPS, DT_PIPS, ONLY_OT, ONLY_DT, ONLY_RUNS = range(10, 16)
FIRST_SURVEY = 16
ANY = -1

# Layout of a survey: whether it is filled, its clock and timeouts, the ends of a play, the best
# special result except six odd dice, gains by flag and side, the best of each gain, effort by
# flag, side, die and DT face.
LOWEST_GAIN, GAIN_COUNT = -5, 17  # 1 - 6 to 12 - 1
FILLED, CLOCK, TIMEOUTS, END, BEST_SPECIAL = 0, 1, 2, 3, 3 + END_COUNT
GAINS = BEST_SPECIAL + 1
PEAK = GAINS + 4 * GAIN_COUNT
EFFORT = PEAK + GAIN_COUNT
SURVEY_SIZE = EFFORT + 4 * 5 * 6
SURVEY_COUNT = 6
LOOKAHEAD_SIZE = FIRST_SURVEY + SURVEY_COUNT * SURVEY_SIZE
UNKNOWN = -1


# --- Ends without a play --------------------------------------------------------------


@rule
def end_value(m: Match, g: Position, clock: int, end: int, timeouts: int) -> int:
    """R13 to R16, R22 to R25: return the value of an end before the play is run.

    On a last chance only a referee sum of 5 helps: the ball is back, first and ten.
    """
    if g.chance:
        if end != SUM_5:
            return 0
        return position_value(m, g, clock - 1, g.spot, g.hash, 1, 10, timeouts)
    if end == SIX_EVEN:
        return 0
    if end == SIX_ODD:
        return win_value(m, g, clock)
    if m.two_threes == p.ONE_COUNTS and end in (FORWARD_0, FORWARD_10):
        end = FORWARD_5
    return penalized_value(m, g, clock, end, timeouts)


@rule
def end_yards(end: int) -> int:
    """R13, R14, R22: return the yards of a penalty."""
    if end <= FORWARD_10:
        return (end - FORWARD_0) * TRIPLE_YARDS
    if end == FORWARD_15:
        return QUAD_FORWARD_YARDS
    if end == QUAD_LOSS:
        return -QUAD_BACK_YARDS
    return -REFEREE_YARDS if end == SUM_2 else 0


@rule
def end_clock(clock: int, end: int) -> int:
    """R15, R23 to R25: return the clock after this end."""
    if end == ERASE:
        return min(FULL_CLOCK_SPACES, clock + 1)
    return clock - 1 if end >= SUM_3 else clock


@rule
def penalized_value(m: Match, g: Position, clock: int, end: int, timeouts: int) -> int:
    """R13 to R18, R22 to R26: return the value by ball and down; the ball may be lost."""
    left = end_clock(clock, end)
    moved = penalty_move(g, end_yards(end))
    down = g.down
    if end in (QUAD_LOSS, SUM_3, SUM_4, SUM_6):
        down += 1
    if end == SUM_5 or (end == QUAD_LOSS and down > 4):
        if left < ONE_MINUTE_SPACES:
            return 0
        return last_chance_value(m, g, left, g.spot + moved, g.hash, timeouts)
    if down > 4:
        return 0
    return value_after_move(m, g, left, moved, down, timeouts, g.hash)


@rule
def value_after_move(
    m: Match, g: Position, clock: int, yards: int, down: int, timeouts: int, hash_mark: int
) -> int:
    """R34, Q25: return the value after the ball has moved, with a first down if it is made.

    In the reply a penalty may win: beyond the 20 there is no position to evaluate.
    """
    if g.spot + yards >= winning_line(g):
        return win_value(m, g, clock)
    to_go = g.to_go - yards
    if to_go <= 0:
        down = 1
        to_go = 10
    return position_value(m, g, clock, g.spot + yards, hash_mark, down, to_go, timeouts)


# --- Plays ----------------------------------------------------------------------------


@rule
def taken_play_value(
    m: Match,
    g: Position,
    clock: int,
    gain: int,
    to: int,
    efforts: int,
    flag: int,
    timeouts: int,
    spent: int,
) -> int:
    """R31 to R34: return the value of the play as it came out, with or without a timeout."""
    flagged = flag > 0
    spaces = (
        PLAY_SPACES + spaces_for_yards(m, g, gain, flagged) + spaces_for_effort(m, efforts, flagged)
    )
    left = (
        clock
        - spaces
        - spaces_for_staying(m, g, gain, to, flagged)
        + spent * SPACES_SAVED_BY_TIMEOUT
    )
    if g.spot + gain >= winning_line(g):
        return 0 if m.touchdown_in_time and left < 0 else win_value(m, g, left)
    if loses_with(g, gain):
        return 0
    return value_after_move(m, g, left, gain, g.down + 1, timeouts - spent, to)


@rule
def best_result_value(
    m: Match,
    g: Position,
    clock: int,
    gain: int,
    to: int,
    efforts: int,
    flag: int,
    timeouts: int,
    refused: int,
) -> int:
    """R28, R31 to R34: return the best of the play, the play with a timeout, and the penalty.

    A play that crosses the line in time wins the drive at once, without a question.
    """
    best = refused
    for spent in range(min(2, timeouts + 1)):
        value = taken_play_value(m, g, clock, gain, to, efforts, flag, timeouts, spent)
        if spent == 0 and value > 0 and g.spot + gain >= winning_line(g):
            return value
        best = max(best, value)
    return best


@rule
def penalty_value(m: Match, g: Position, clock: int, flag: int, timeouts: int) -> int:
    """R28: return the value of the penalty instead of the play; 0 without a flag."""
    if flag == 0:
        return 0
    moved = penalty_move(g, REFEREE_YARDS)
    return value_after_move(m, g, clock - penalty_spaces(m), moved, g.down, timeouts, g.hash)


@rule
def effort_value(
    m: Match,
    g: Position,
    clock: int,
    top: int,
    gain: int,
    to: int,
    efforts: int,
    flag: int,
    timeouts: int,
) -> int:
    """R30: return the value of one roll of extra effort with the best of all that may follow.

    The chain of highest faces ends at the line, so it is computed backward from there. Face 0
    stands for stopping before the roll.
    """
    longest = max(1, (winning_line(g) - g.spot - gain + top - 1) // top)
    refused = penalty_value(m, g, clock, flag, timeouts)
    follows = 0
    for rolls in range(longest, 0, -1):
        before = gain + (rolls - 1) * top
        stop = 0
        total = follows if rolls < longest else 0
        for face in range(top if rolls < longest else top + 1):
            made = efforts + rolls - (1 if face == 0 else 0)
            value = best_result_value(m, g, clock, before + face, to, made, flag, timeouts, refused)
            if face == 0:
                stop = value
            else:
                total += value
        follows = total // top
        if rolls > 1:
            follows = max(follows, stop)
    return follows


# --- Surveys --------------------------------------------------------------------------


@rule
def survey(m: Match, g: Position, w: list[int], paid: int, spent: int) -> int:
    """Return the offset of the survey for these payments and timeouts; fill it on first use."""
    s = FIRST_SURVEY + (2 * paid + spent) * SURVEY_SIZE
    if w[s + FILLED] == 0:
        w[s + FILLED] = 1
        w[s + CLOCK] = g.clock - paid
        w[s + TIMEOUTS] = g.timeouts - spent
        survey_ends(m, g, w, s)
        survey_gains(m, g, w, s)
    return s


@rule
def survey_ends(m: Match, g: Position, w: list[int], s: int) -> None:
    """Evaluate what ends a play before it is run: special results and low referee sums."""
    best = 0
    for end in range(END_COUNT):
        value = end_value(m, g, w[s + CLOCK], end, w[s + TIMEOUTS])
        w[s + END + end] = value
        if end <= SIX_EVEN and end != SIX_ODD:
            best = max(best, value)
    w[s + BEST_SPECIAL] = best


@rule
def survey_gains(m: Match, g: Position, w: list[int], s: int) -> None:
    """Evaluate a play by its gain, its side, and whether there is a flag."""
    clock = w[s + CLOCK]
    timeouts = w[s + TIMEOUTS]
    for at in range(PEAK, EFFORT):
        w[s + at] = 0
    for at in range(EFFORT, SURVEY_SIZE):
        w[s + at] = UNKNOWN
    for flag in range(2):
        refused = penalty_value(m, g, clock, flag, timeouts)
        for at in range(2 * GAIN_COUNT):
            to = p.RIGHT if at >= GAIN_COUNT else p.LEFT
            gain = LOWEST_GAIN + at % GAIN_COUNT
            value = best_result_value(m, g, clock, gain, to, 0, flag, timeouts, refused)
            w[s + GAINS + 2 * flag * GAIN_COUNT + at] = value
            peak = s + PEAK + at % GAIN_COUNT
            w[peak] = max(w[peak], value)


@rule
def gain_value(
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
    """R29, R30: return the value of the yards pair and side, with extra effort at the top face."""
    stop = w[s + GAINS + (2 * flag + odd) * GAIN_COUNT + face - minus - LOWEST_GAIN]
    if face < top or g.spot + face - minus >= winning_line(g):
        return stop
    die = top // 2 - 2  # from the d4, 0, to the d12, 4
    at = s + EFFORT + ((2 * flag + odd) * 5 + die) * 6 + minus - 1
    if w[at] == UNKNOWN:
        to = p.RIGHT if odd else p.LEFT
        clock = w[s + CLOCK]
        rolled = effort_value(m, g, clock, top, face - minus, to, 0, flag, w[s + TIMEOUTS])
        w[at] = max(stop, rolled)
    return w[at]
