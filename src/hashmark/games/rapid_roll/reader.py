"""The reader, a coach that reads the clock line, and the planner, which does not look at it.

The line is public (G13). The step of each of the 36 rolls is known, and with it the further
numbers that the play would take. The reader estimates the value of each call with those numbers
and makes the best one. The planner takes every further number as equally likely; what the reader
wins over the planner is the value of reading the line.
"""

from __future__ import annotations

from hashmark.engine.grid import Grid
from hashmark.engine.rule import rule
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll import tables as t
from hashmark.games.rapid_roll.cells import gain_by_number, is_fumbled_at, needs_number
from hashmark.games.rapid_roll.coaches import (
    answer_window,
    is_desperate,
    is_last_snap,
    kick_choice,
    lead,
    scrimmage_by_the_book,
    try_by_the_book,
)
from hashmark.games.rapid_roll.heuristic_value import (
    TOUCHDOWN_VALUE,
    down_value,
    field_goal_value,
    first_down_value,
    punt_value,
    value_after_play,
)
from hashmark.games.rapid_roll.numbers import ALL_THE_WAY, first_digit, is_double, step_of, sum_of
from hashmark.games.rapid_roll.position import Match, Position
from hashmark.games.rapid_roll.scrimmage import (
    CALL_COLUMN,
    GAMBLE_GAIN,
    SNEAK_MAX_SUM,
    TRICK_INTERCEPTION,
    WORN_INTERCEPTION,
    WORN_SACK,
    adjust_gain,
    has_worn_quarterback,
    is_shaded,
    is_short_yardage,
    repeats_call,
    shaded_gain,
)
from hashmark.games.rapid_roll.tables import KIND, YARDS

UNKNOWN = 0  # a number that is not on the line, or that the planner does not look at
FUMBLES_LOST_IN_36 = 29  # fumbles in 36 that the other team recovers
ROLLS = Grid("rolls", [10 * a + b for a in range(1, 7) for b in range(1, 7)])
WAYS_BY_SUM = Grid("ways to roll a sum", (0, 0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1))


def _number_weights(kind: int) -> list[int]:
    """Return the weight of each number in a cell of this kind; equal results count at the first."""
    read = first_digit if kind in (t.FIRST_DIGIT, t.LOSS) else sum_of
    results = [(read(number), kind == t.LONG and is_double(number)) for number in ROLLS]
    return [
        0 if result in results[:index] else results.count(result)
        for index, result in enumerate(results)
    ]


NUMBER_WEIGHTS = Grid(
    "numbers that come to the same", [_number_weights(kind) for kind in range(len(t.KINDS))]
)
MIN_LINE_NUMBERS = 12  # numbers; on a shorter line too many further numbers would be thrown
FLAGGED_TRY_VALUE = 95
EXTRA_POINT_VALUE = 36 * 91
NEVER_READ_LENGTH = p.MAX_LOG_NUMBERS + 1  # longer than any line: it is never read


# --- Value of a play ---------------------------------------------------------------------


@rule
def number_on_line(g: Position, roll: int, which: int) -> int:
    """Return the further number that this roll would rewind to, or UNKNOWN."""
    back = which * step_of(roll)
    return g.log[1 + g.log[0] - back] if back <= g.log[0] else UNKNOWN


@rule
def fumble_value(g: Position, at: int, number: int) -> int:
    """Return the value of a fumble here; the fumble column is entered with this number."""
    if g.phase == p.TRY:
        return 0
    if number == UNKNOWN:
        kept, lost = value_after_play(g, at), -first_down_value(100 - at)
        return ((36 - FUMBLES_LOST_IN_36) * kept + FUMBLES_LOST_IN_36 * lost) // 36
    row = sum_of(number)
    if KIND[t.FUMBLE, row] == t.OFFENSE:
        return value_after_play(g, at)
    return opponent_ball_value(100 - at + YARDS[t.FUMBLE, row])


@rule
def opponent_ball_value(at: int) -> int:
    """Return the value to the offense of the other team's ball at this spot of theirs."""
    return -TOUCHDOWN_VALUE if at >= 100 else -first_down_value(max(at, 20) if at <= 0 else at)


@rule
def interception_value(g: Position, call: int, yards: int, number: int) -> int:
    """Return the value of an interception this far beyond the line, if nothing saves it."""
    if g.phase == p.TRY:
        return 0
    if call == p.SCREEN_PASS or (call == p.LONG_PASS and g.down == 1):
        return value_after_play(g, g.spot)
    if is_short_yardage(g):
        return value_after_play(g, g.spot + adjust_gain(g, call, GAMBLE_GAIN, False))
    at = 100 - g.spot - yards
    if at <= 0:
        return opponent_ball_value(20)
    if number != UNKNOWN:
        row = sum_of(number)
        at += YARDS[t.INTERCEPTION_RETURN, row]
    return opponent_ball_value(at)


@rule
def scramble_value(g: Position, call: int, first: int, second: int) -> int:
    """Return the value of a scramble with this number, using the next one for what follows."""
    yards = WORN_SACK if has_worn_quarterback(g) else sum_of(first)
    at = g.spot + yards
    if yards % 2 == 1:
        return value_after_play(g, at + yards if at % 10 == 0 and at < 100 else at)
    if call == p.TRICK_PASS:
        return interception_value(
            g, call, TRICK_INTERCEPTION, first if has_worn_quarterback(g) else second
        )
    at = g.spot - yards
    if at > 0 and at % 10 == 0 and not has_worn_quarterback(g):
        return fumble_value(g, at, second)
    return value_after_play(g, at)


@rule
def gain_value(g: Position, call: int, kind: int, yards: int, first: int, second: int) -> int:
    """Return the value of a cell that gains or loses yards."""
    gain = adjust_gain(g, call, gain_by_number(kind, yards, first), kind == t.LONG)
    at = 100 if gain == ALL_THE_WAY else g.spot + gain
    fumbled = kind == t.SUM and first == t.FUMBLED_SUM
    if kind == t.LONG:
        fumbled = is_fumbled_at(at)
    return fumble_value(g, at, second) if fumbled and at < 100 else value_after_play(g, at)


@rule
def cell_value(m: Match, g: Position, call: int, row: int, first: int, second: int) -> int:
    """Return the value of the call if this row comes up and these are the next two numbers."""
    column = CALL_COLUMN[call]
    kind = KIND[column, row]
    is_pass = column > t.END_RUN
    shaded = is_shaded(m, g, column, row)
    if kind == t.FLAG and not (has_worn_quarterback(g) and is_pass):
        return FLAGGED_TRY_VALUE if g.phase == p.TRY else down_value(g.spot, g.down, g.to_go)
    if kind == t.INCOMPLETE or (shaded and is_pass):
        return value_after_play(g, g.spot)
    if shaded:
        return value_after_play(g, g.spot + adjust_gain(g, call, shaded_gain(g, column), False))
    if kind == t.FLAG:
        return interception_value(g, call, WORN_INTERCEPTION, first)
    if kind == t.NO_GAIN_FUMBLE or (kind == t.LONG and repeats_call(m, g, call)):
        return fumble_value(g, g.spot, first)
    if kind == t.INTERCEPTION:
        return interception_value(g, call, YARDS[column, row], first)
    if kind == t.SCRAMBLE:
        return scramble_value(g, call, first, second)
    return gain_value(g, call, kind, YARDS[column, row], first, second)


@rule
def sneak_value(g: Position) -> int:
    """Return the value of a sneak: a yard on 26 of 36 rolls, with no further numbers."""
    made = value_after_play(g, g.spot + 1)
    return (26 * made + 10 * value_after_play(g, g.spot)) // 36 if SNEAK_MAX_SUM == 8 else made


@rule
def gain_needs_number(column: int, row: int) -> bool:
    """Return whether the yards of a cell come from a further number."""
    return needs_number(KIND[column, row]) or KIND[column, row] == t.SCRAMBLE


@rule
def call_value(m: Match, g: Position, call: int, reads: bool) -> int:
    """Return 36 times the value of a call.

    With the line: each roll with the numbers that it would rewind to. Without it: each row weighted
    by its odds, with every further number equally likely.
    """
    total, column = 0, CALL_COLUMN[call]
    for i in range(36 if reads else 11):
        row = sum_of(ROLLS[i]) if reads else i + 2
        averaged = not reads and gain_needs_number(column, row)
        numbers = 36 if averaged else 1
        subtotal = 0
        for j in range(numbers):
            times = NUMBER_WEIGHTS[KIND[column, row], j] if averaged else 1
            if times > 0:
                unread = ROLLS[j] if averaged else UNKNOWN
                first = number_on_line(g, ROLLS[i], 1) if reads else unread
                second = number_on_line(g, ROLLS[i], 2) if reads else UNKNOWN
                subtotal += times * cell_value(m, g, call, row, first, second)
        total += subtotal if reads else WAYS_BY_SUM[row] * subtotal // numbers
    return total


# --- Punts -------------------------------------------------------------------------------


@rule
def punt_call_value(g: Position) -> int:
    """Return 36 times the value of a punt, with the returns that the line holds."""
    column = t.SHORT_PUNT if g.spot >= t.SHORT_PUNT_MIN_SPOT else t.PUNT
    total = 0
    for i in range(36):
        roll = ROLLS[i]
        row = sum_of(roll)
        kind = KIND[column, row]
        if kind == t.BLOCKED or kind == t.BAD_SNAP:
            total += fumble_value(
                g, max(g.spot + YARDS[column, row], 1), number_on_line(g, roll, 1)
            )
        elif kind != t.GAIN:
            total += opponent_ball_value(12)
        else:
            at = 100 - g.spot - YARDS[column, row]
            total += opponent_ball_value(20 if at <= 0 else at + punt_return_yards(g, roll, 1))
    return total


@rule
def punt_return_yards(g: Position, roll: int, which: int) -> int:
    """Return the yards of a punt return that begins with this further number of the roll."""
    first, second = number_on_line(g, roll, which), number_on_line(g, roll, which + 1)
    if first == UNKNOWN or second == UNKNOWN:
        return 5
    kind = KIND[t.PUNT_RETURN, sum_of(first)]
    if kind == t.NO_GAIN_FUMBLE:
        return -60  # all but lost
    if kind == t.ROLLS_DEAD:
        return sum_of(second) if is_double(second) else -sum_of(second)
    return gain_by_number(kind, 0, second)


@rule
def punt_window_call(g: Position) -> int:
    """Return or let roll, depending on which goes farther."""
    number = number_on_line(g, g.roll, g.rewinds + 1)
    if number == UNKNOWN:
        return p.RETURN
    rolled = g.at + (sum_of(number) if is_double(number) else -sum_of(number))
    if rolled <= 0:
        rolled = 20
    return p.ROLL if rolled > g.at + punt_return_yards(g, g.roll, g.rewinds + 1) else p.RETURN


@rule
def end_zone_window_call(g: Position) -> int:
    """Return the ball out of the end zone only if the line shows that it passes the 20."""
    number = number_on_line(g, g.roll, g.rewinds + 1)
    if number == UNKNOWN or g.call == p.PUNT:
        return p.TOUCHBACK
    row = sum_of(number)
    gain = YARDS[t.INTERCEPTION_RETURN, row]
    if KIND[t.INTERCEPTION_RETURN, row] == t.LONG:
        next_number = number_on_line(g, g.roll, g.rewinds + 2)
        gain = gain_by_number(t.LONG, 0, next_number) if next_number != UNKNOWN else 0
    return p.RETURN if g.at + gain > 20 else p.TOUCHBACK


# --- The two coaches ---------------------------------------------------------------------


@rule
def best_call(m: Match, g: Position, reads: bool) -> int:
    """Return the call with the highest value: a run, a pass, a fake if one is left, or a kick."""
    trying = g.phase == p.TRY
    best = p.EXTRA_POINT if trying else p.SNEAK
    most = EXTRA_POINT_VALUE if trying else 36 * sneak_value(g)
    fakes = 0 if trying or g.fake_used[g.possession] else 4
    for call in range(p.LINE_RUN, p.FAKE_PUNT_SHORT_PASS + fakes):
        if call != p.SNEAK:
            value = call_value(m, g, call, reads)
            if value > most:
                best, most = call, value
    if g.down == 4 and not is_desperate(g):
        kick = 36 * field_goal_value(g.spot)
        if kick > most:
            best, most = p.FIELD_GOAL, kick
        punt = punt_call_value(g) if reads else 36 * punt_value(g.spot)
        if punt > most:
            best = p.PUNT
    return best


@rule
def plays_for_the_clock(g: Position) -> bool:
    """Return whether it is so late that points and time count more than the average."""
    if g.phase == p.TRY:
        return g.period >= t.LAST_QUARTER
    ties_or_wins = is_desperate(g) and g.down == 4 and lead(g, g.possession) >= -3
    return is_last_snap(g) or ties_or_wins


@rule
def choose_call(m: Match, g: Position, shortest: int) -> int:
    """Answer by the book except on plays and tries; do not read a line shorter than this."""
    if g.window != p.NONE:
        return answer_window(m, g, 7, 4)
    if g.phase <= p.SAFETY_KICK:
        return kick_choice(g)
    if plays_for_the_clock(g):
        return try_by_the_book(g) if g.phase == p.TRY else scrimmage_by_the_book(g)
    return best_call(m, g, g.log[0] >= shortest)


@rule
def reader(m: Match, g: Position) -> int:
    """Read the clock line and make the call that its next rewinds favor."""
    if g.window == p.PUNT_CHOICE:
        return punt_window_call(g)
    if g.window == p.END_ZONE_CHOICE:
        return end_zone_window_call(g)
    return choose_call(m, g, MIN_LINE_NUMBERS)


@rule
def planner(m: Match, g: Position) -> int:
    """Evaluate calls like the reader, but without looking at the line."""
    return choose_call(m, g, NEVER_READ_LENGTH)
