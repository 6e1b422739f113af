"""Reading a cell (R33 to R45), loose balls (R46, R47) and returned interceptions (R48 to R50)."""

from __future__ import annotations

from hashmark.engine.effects import emit
from hashmark.engine.rule import rule
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll import tables as t
from hashmark.games.rapid_roll.numbers import (
    ALL_THE_WAY,
    first_digit,
    long_gain,
    sum_of,
    take_long,
    take_number,
    take_row,
    take_row_past,
)
from hashmark.games.rapid_roll.position import Match, Position
from hashmark.games.rapid_roll.tables import KIND, MARKS, YARDS

MAX_REWINDS = 80  # after this many, a loose ball stays with the team that fumbled it


@rule
def resolve_row(g: Position, column: int, row: int) -> int:
    """R45, R52: return the row that counts; after a FLAG the next number plays the down again."""
    emit(g, p.READS, g.possession, column, row)
    while KIND[column, row] == t.FLAG:
        g.flagged = 1
        row = take_row_past(g, row)
        emit(g, p.READS, g.possession, column, row)
    return row


@rule
def gain_by_number(kind: int, yards: int, number: int) -> int:
    """R33 to R38, R40: return the gain of a cell, given its further number."""
    if kind == t.FIRST_DIGIT:
        return first_digit(number)
    if kind == t.SUM:
        return sum_of(number)
    if kind == t.TWICE_SUM:
        return 2 * sum_of(number)
    if kind == t.LOSS:
        return -first_digit(number)
    if kind == t.LONG:
        return long_gain(number)
    return ALL_THE_WAY if kind == t.TOUCHDOWN else yards


@rule
def needs_number(kind: int) -> bool:
    """Return whether the cell's gain is read from a further number."""
    return t.FIRST_DIGIT <= kind <= t.LOSS


@rule
def read_gain(g: Position, kind: int, yards: int) -> int:
    """R33 to R38, G10: return the gain of a cell; only `(2)` is fumbled on a 66."""
    if kind == t.LONG:
        return take_long(g)
    number = take_number(g) if needs_number(kind) else 0
    if kind == t.SUM and number == t.FUMBLED_SUM:
        g.fumbled = 1
    return gain_by_number(kind, yards, number)


@rule
def is_fumbled_at(at: int) -> bool:
    """R37: return whether a long gain that ends at this spot is fumbled."""
    return at == t.FUMBLED_AT_20 or at == t.FUMBLED_AT_10


@rule
def carry(g: Position, gain: int, is_long: bool) -> None:
    """R18, R37, G30: advance the carrier; a long gain may be fumbled at the 20 or 10."""
    g.at += gain
    if g.at >= 100:
        g.fumbled = 0
        score_touchdown(g)
    elif is_long and is_fumbled_at(g.at):
        g.fumbled = 1


@rule
def score_touchdown(g: Position) -> None:
    """R18: score; the ball is on the goal line, however far beyond it the play went."""
    g.at = 100
    g.result = p.TOUCHDOWN
    g.ended = p.DEAD


@rule
def down_in_end_zone(g: Position) -> None:
    """R18: the carrier is down in their own end zone."""
    g.result = p.SAFETY
    g.ended = p.DEAD


@rule
def touch_back(m: Match, g: Position) -> None:
    """G36: the carrier's team has the ball at its 20."""
    g.at = m.touchback
    g.ended = p.DEAD


# --- Loose balls ---------------------------------------------------------------------


@rule
def resolve_loose_ball(m: Match, g: Position) -> None:
    """R46: play out recoveries and returns until there is no further fumble."""
    while g.fumbled and g.result == p.BALL and fumble_once(m, g):
        pass


@rule
def fumble_once(m: Match, g: Position) -> bool:
    """R46, R71, G32: play one fumble; return whether its return was fumbled again."""
    g.ended = p.IN_BOUNDS
    emit(g, p.FUMBLES, g.carrier, g.at)
    if g.phase == p.TRY:
        g.result = p.FAILED
        return False
    if g.at <= -t.MAX_END_ZONE_DEPTH_YARDS - 1:
        down_in_end_zone(g)
        return False
    if g.rewinds >= MAX_REWINDS:
        own_side_recovers(m, g)
        return False
    if g.call == p.KICK_OFF and g.carrier != g.possession:
        g.return_spot = g.at
    row = take_row(g)
    emit(g, p.READS, g.carrier, t.FUMBLE, row)
    if KIND[t.FUMBLE, row] == t.OFFENSE:
        own_side_recovers(m, g)
        return False
    return other_side_recovers(g, KIND[t.FUMBLE, row], YARDS[t.FUMBLE, row])


@rule
def own_side_recovers(m: Match, g: Position) -> None:
    """G32: in the end zone a safety, or a touchback for a team that caught the ball there."""
    emit(g, p.RECOVERS, g.carrier, g.at)
    if g.at > 0:
        return
    if g.carrier == g.possession:
        down_in_end_zone(g)
    else:
        touch_back(m, g)


@rule
def other_side_recovers(g: Position, kind: int, yards: int) -> bool:
    """R46: return the fumble, perhaps for a long gain; return whether it is fumbled again."""
    g.lost[g.carrier] += 1
    g.carrier = 1 - g.carrier
    g.at = 100 - g.at
    emit(g, p.RECOVERS, g.carrier, g.at)
    if g.at >= 100:
        score_touchdown(g)
        return False
    if kind == t.DEFENSE:
        carry(g, yards, False)
    else:
        carry(g, take_long(g), True)
    g.fumbled = 1  # this play has had a fumble, even if it now ends in a touchdown
    return kind == t.DEFENSE_LONG and is_fumbled_at(g.at)


# --- Interceptions -------------------------------------------------------------------


@rule
def intercept(g: Position, yards: int) -> None:
    """R42, R48, G34: catch the ball this far beyond the line, at most 9 yards deep; ask there."""
    g.play = p.INTERCEPTED
    if g.phase == p.TRY:
        g.result = p.FAILED
        return
    g.lost[g.possession] += 1
    g.carrier = 1 - g.possession
    g.at = max(100 - g.spot - yards, -t.MAX_END_ZONE_DEPTH_YARDS)
    emit(g, p.CATCHES, g.carrier, g.at)
    if g.at <= 0:
        g.window = p.END_ZONE_CHOICE


@rule
def return_interception(m: Match, g: Position) -> None:
    """R50, G35: take a number for the return column, from the spot of the catch."""
    row = take_row(g)
    emit(g, p.READS, g.carrier, t.INTERCEPTION_RETURN, row)
    if MARKS[t.INTERCEPTION_RETURN, row] == t.TIME_OUT:
        g.timeout_due = 1
    kind = KIND[t.INTERCEPTION_RETURN, row]
    if kind == t.NO_GAIN_FUMBLE:
        g.fumbled = 1
    else:
        gain = read_gain(g, kind, YARDS[t.INTERCEPTION_RETURN, row])
        carry(g, gain, kind == t.LONG)
    if g.result == p.BALL and not g.fumbled and g.at <= 0:
        touch_back(m, g)
