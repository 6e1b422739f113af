"""Plays from scrimmage: how each call reads its column (R17 to R32)."""

from __future__ import annotations

from hashmark.engine.effects import emit
from hashmark.engine.grid import Grid
from hashmark.engine.rule import rule
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll import tables as t
from hashmark.games.rapid_roll.cells import (
    carry,
    down_in_end_zone,
    intercept,
    read_gain,
    resolve_row,
)
from hashmark.games.rapid_roll.numbers import ALL_THE_WAY, sum_of, take_row
from hashmark.games.rapid_roll.position import Match, Position
from hashmark.games.rapid_roll.tables import KIND, MARKS, YARDS

RUN, PASS, KICK = range(3)

# R17: the column and the kind of each call that is rolled, in the order of PLAY_CALLS.
_CALLS = {
    "line-run": (t.LINE_RUN, RUN),
    "end-run": (t.END_RUN, RUN),
    "short-pass": (t.SHORT_PASS, PASS),
    "medium-pass": (t.MEDIUM_PASS, PASS),
    "deep-pass": (t.DEEP_PASS, PASS),
    "long-pass": (t.LONG_PASS, PASS),
    "screen-pass": (t.SHORT_PASS, PASS),
    "sneak": (t.NO_COLUMN, RUN),
    "reverse": (t.END_RUN, RUN),
    "trick-pass": (t.LONG_PASS, PASS),
    "fake-punt-short-pass": (t.SHORT_PASS, PASS),
    "fake-punt-end-run": (t.END_RUN, RUN),
    "fake-field-goal-short-pass": (t.SHORT_PASS, PASS),
    "fake-field-goal-end-run": (t.END_RUN, RUN),
    "punt": (t.PUNT, KICK),
    "field-goal": (t.FIELD_GOAL, KICK),
    "spike": (t.NO_COLUMN, PASS),
    "extra-point": (t.FIELD_GOAL, KICK),
    "kickoff": (t.KICKOFF, KICK),
    "onside": (t.ONSIDE, KICK),
}
CALL_COLUMN = Grid("column of a call", [_CALLS[name][0] for name in p.PLAY_CALLS])
CALL_KIND = Grid("kind of a call", [_CALLS[name][1] for name in p.PLAY_CALLS])

SNEAK_MAX_SUM = 8
WORN_SACK, WORN_INTERCEPTION, TRICK_INTERCEPTION, GAMBLE_GAIN, SHADED_GAIN = 12, 10, 28, 15, 9


@rule
def is_fake(call: int) -> bool:
    """R27: one of the four fakes."""
    return p.FAKE_PUNT_SHORT_PASS <= call <= p.FAKE_FIELD_GOAL_END_RUN


@rule
def is_short_yardage(g: Position) -> bool:
    """R28, R30: third or fourth down with 1 or 2 to go; a try has no down."""
    return g.down >= 3 and g.to_go <= 2


@rule
def has_worn_quarterback(g: Position) -> bool:
    """R32: the new quarterback has used up the three completions that count twice."""
    return g.new_qb[g.possession] == 3


@rule
def has_fresh_quarterback(g: Position) -> bool:
    """R32: the new quarterback's completions still count twice."""
    return 0 <= g.new_qb[g.possession] < 3


@rule
def repeats_call(m: Match, g: Position, call: int) -> bool:
    """R29, G14: the call is of the same type as the previous one in this possession."""
    if m.repeat == p.NO_REPEAT or g.phase == p.TRY or g.last_play < 0:
        return False
    if m.repeat == p.SAME_CALL:
        return call == g.last_play and call != p.LONG_PASS
    column = CALL_COLUMN[call]
    return column == CALL_COLUMN[g.last_play] and column != t.LONG_PASS


@rule
def run_or_pass(m: Match, g: Position) -> None:
    """R17, R20: run one play from scrimmage or a two-point try, up to its first choice."""
    if g.call == p.SNEAK:
        sneak(g)
        return
    column = CALL_COLUMN[g.call]
    if (
        CALL_KIND[g.call] == PASS
        and has_worn_quarterback(g)
        and KIND[column, sum_of(g.roll)] == t.FLAG
    ):
        emit(g, p.READS, g.possession, column, sum_of(g.roll))
        if is_shaded(m, g, column, sum_of(g.roll)):
            apply_shading(g, column)
        else:
            throw_interception(g, WORN_INTERCEPTION)
        return
    row = resolve_row(g, column, sum_of(g.roll))
    if is_shaded(m, g, column, row):
        apply_shading(g, column)
    elif KIND[column, row] == t.LONG and repeats_call(m, g, g.call):
        fumbled_snap(g)
    elif CALL_KIND[g.call] == RUN:
        run(g, column, row)
    else:
        throw_pass(g, column, row)


@rule
def sneak(g: Position) -> None:
    """R24: a yard, or nothing."""
    g.play = p.RAN
    g.gain = 1 if sum_of(g.roll) <= SNEAK_MAX_SUM else 0
    carry(g, g.gain, False)


@rule
def fumbled_snap(g: Position) -> None:
    """R29, G16: a repeated call turns the long gain into a loose ball at the line."""
    emit(g, p.REPEATED, g.possession)
    g.play = p.FUMBLED_SNAP
    g.fumbled = 1


# --- Shaded cells --------------------------------------------------------------------


@rule
def is_third_and_long(g: Position) -> bool:
    """R28: third or fourth down with 7 or more to go."""
    return g.down >= 3 and g.to_go >= 7


@rule
def shaded_gain(g: Position, column: int) -> int:
    """R28: return the gain of a shaded cell: 9, 0, or -1 for an incomplete pass."""
    if column > t.END_RUN:
        return -1
    return SHADED_GAIN if g.spot < 95 and is_third_and_long(g) else 0


@rule
def is_shaded(m: Match, g: Position, column: int, row: int) -> bool:
    """R28, R71: the cell is shaded, and the situation is one in which shading counts."""
    if m.shading[column][row] == 0:
        return False
    if column > t.END_RUN:
        return g.spot >= 90
    return g.spot >= 95 or is_short_yardage(g) or is_third_and_long(g)


@rule
def apply_shading(g: Position, column: int) -> None:
    """R28, G21: incomplete, stopped for no gain, or a gain of 9."""
    gain = shaded_gain(g, column)
    emit(g, p.SHADED, g.possession, gain)
    if gain < 0:
        end_incomplete(g)
        return
    g.play = p.RAN
    advance(g, adjust_gain(g, g.call, gain, False), False)


# --- Runs ----------------------------------------------------------------------------


@rule
def run(g: Position, column: int, row: int) -> None:
    """R33 to R39, R43: play a cell of a running column."""
    kind = KIND[column, row]
    g.play = p.RAN
    if kind == t.NO_GAIN_FUMBLE:
        g.fumbled = 1
    else:
        gain = read_gain(g, kind, YARDS[column, row])
        advance(g, adjust_gain(g, g.call, gain, kind == t.LONG), kind == t.LONG)
        mark_out_of_bounds(g, MARKS[column, row])


@rule
def adjust_gain(g: Position, call: int, gain: int, is_long: bool) -> int:
    """R21, R22, R25, R26, R32: adjust the gain for the call and a new quarterback."""
    if gain == ALL_THE_WAY:
        return gain
    if call == p.REVERSE:
        return 2 * gain if gain > 0 else 3 * gain
    if CALL_KIND[call] == RUN:
        return gain
    if call == p.SCREEN_PASS:
        gain -= 2
    if call == p.TRICK_PASS and is_long:
        gain += 20
    return 2 * gain if has_fresh_quarterback(g) else gain


@rule
def advance(g: Position, gain: int, is_long: bool) -> None:
    """R18, G67: advance the offense by this gain; the yards counted stop at the goal lines."""
    g.gain = max(min(gain, 100 - g.spot), -g.spot)
    carry(g, gain, is_long)
    if g.at <= 0:
        down_in_end_zone(g)


@rule
def mark_out_of_bounds(g: Position, marks: int) -> None:
    """R43, R72, G12: `ob` is out of bounds, unless the play scored or a fumble follows."""
    if marks == t.OUT_OF_BOUNDS and g.ended == p.IN_BOUNDS:
        g.ended = p.OUT_OF_BOUNDS


# --- Passes --------------------------------------------------------------------------


@rule
def throw_pass(g: Position, column: int, row: int) -> None:
    """R40 to R42: play a cell of a passing column."""
    kind = KIND[column, row]
    if kind == t.INCOMPLETE:
        end_incomplete(g)
    elif kind == t.INTERCEPTION:
        throw_interception(g, YARDS[column, row])
    elif kind == t.SCRAMBLE:
        scramble(g)
    else:
        gain = read_gain(g, kind, YARDS[column, row])
        complete_pass(g, gain, kind == t.LONG, MARKS[column, row])


@rule
def complete_pass(g: Position, gain: int, is_long: bool, marks: int) -> None:
    """R21, R23: complete the pass; in bounds and short of the goal line there is a choice."""
    g.play = p.COMPLETED
    advance(g, adjust_gain(g, g.call, gain, is_long), is_long)
    mark_out_of_bounds(g, marks)
    if g.ended == p.IN_BOUNDS and not g.fumbled and g.phase != p.TRY:
        g.window = p.SIDELINE_CHOICE


@rule
def take_sideline(g: Position) -> None:
    """R23, G18: go out of bounds for 3 yards less."""
    g.at -= 3
    g.gain = max(g.gain - 3, -g.spot)
    g.ended = p.OUT_OF_BOUNDS
    if g.at <= 0:
        down_in_end_zone(g)


@rule
def end_incomplete(g: Position) -> None:
    """R40, R72: the ball is dead at the line."""
    g.play = p.INCOMPLETE
    g.ended = p.DEAD


@rule
def throw_interception(g: Position, yards: int) -> None:
    """R22, R30, R31, R42: intercept the pass unless one of these rules, in this order, saves it."""
    if g.call == p.SCREEN_PASS:
        emit(g, p.SAVED, g.possession, 1)
        end_incomplete(g)
    elif is_short_yardage(g):
        emit(g, p.SAVED, g.possession, 2)
        complete_pass(g, GAMBLE_GAIN, False, 0)
    elif g.call == p.LONG_PASS and g.down == 1:
        emit(g, p.SAVED, g.possession, 3)
        end_incomplete(g)
    else:
        intercept(g, yards)


@rule
def scramble(g: Position) -> None:
    """R26, R32, R41: a sack on an even number, a run on an odd one."""
    yards = WORN_SACK if has_worn_quarterback(g) else take_row(g)
    if yards % 2 == 1:
        scramble_forward(g, yards)
    elif g.call == p.TRICK_PASS:
        throw_interception(g, TRICK_INTERCEPTION)
    else:
        g.play = p.SACKED
        advance(g, -yards, False)
        if g.result == p.BALL and g.at % 10 == 0 and not has_worn_quarterback(g):
            g.fumbled = 1


@rule
def scramble_forward(g: Position, yards: int) -> None:
    """R41, G29: the quarterback runs; at a yard line ending in 0, twice as far and out."""
    g.play = p.SCRAMBLED
    if g.spot + yards < 100 and (g.spot + yards) % 10 == 0:
        g.ended = p.OUT_OF_BOUNDS
        advance(g, 2 * yards, False)
    else:
        advance(g, yards, False)


@rule
def answer_sideline(g: Position, call: int) -> None:
    """R23: take the choice after a completed pass."""
    if call == p.SIDELINE:
        emit(g, p.CHOOSES, g.possession, call)
        take_sideline(g)
