"""Kickoffs (R57 to R60), punts (R61 to R66) and place kicks (R67, R68, R70)."""

from __future__ import annotations

from hashmark.engine.effects import emit
from hashmark.engine.rule import rule
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll import tables as t
from hashmark.games.rapid_roll.cells import (
    carry,
    down_in_end_zone,
    read_gain,
    resolve_row,
    touch_back,
)
from hashmark.games.rapid_roll.numbers import is_double, sum_of, take_long, take_number, take_row
from hashmark.games.rapid_roll.position import Match, Position
from hashmark.games.rapid_roll.tables import KIND, MARKS, YARDS


@rule
def give_to_receivers(g: Position, at: int) -> None:
    """Give the receiving team the ball at this spot."""
    g.carrier = 1 - g.possession
    g.at = at
    g.return_spot = at


# --- Kickoffs ------------------------------------------------------------------------


@rule
def kick_off(m: Match, g: Position) -> None:
    """R57: the kickoff column; its yard lines are the receivers'."""
    row = resolve_row(g, t.KICKOFF, sum_of(g.roll))
    kind = KIND[t.KICKOFF, row]
    yards = YARDS[t.KICKOFF, row]
    give_to_receivers(g, yards)
    g.play = p.RETURNED
    g.gain = yards
    if kind == t.TOUCHBACK:
        g.play = p.KICKED
        g.gain = 0
        touch_back(m, g)
    elif kind == t.LONG_FROM:
        return_for(g, take_long(g), True)
    elif kind == t.FUMBLED_AT:
        g.fumbled = 1


@rule
def return_for(g: Position, gain: int, is_long: bool) -> None:
    """G67: return the ball for this gain; the yards counted stop at the goal lines."""
    g.play = p.RETURNED
    g.gain = max(min(gain, 100 - g.at), -g.at) if g.at > 0 else min(gain, 100 - g.at)
    carry(g, gain, is_long)


@rule
def onside_kick(g: Position) -> None:
    """R59: the ball is dead this far beyond the kicking spot, for the team that the row names."""
    row = sum_of(g.roll)
    emit(g, p.READS, g.possession, t.ONSIDE, row)
    g.play = p.KICKED
    spot = g.spot + YARDS[t.ONSIDE, row]
    if KIND[t.ONSIDE, row] == t.KICK_TEAM:
        g.at = spot
    else:
        give_to_receivers(g, 100 - spot)


# --- Punts ---------------------------------------------------------------------------


@rule
def punt(m: Match, g: Position) -> None:
    """R61, R62, R65: the punt, up to the receivers' choice."""
    column = t.SHORT_PUNT if g.spot >= t.SHORT_PUNT_MIN_SPOT else t.PUNT
    row = resolve_row(g, column, sum_of(g.roll))
    kind = KIND[column, row]
    yards = YARDS[column, row]
    g.play = p.KICKED
    if kind == t.BLOCKED or kind == t.BAD_SNAP:
        block_kick(g, yards)
    elif kind == t.TOUCHBACK:
        give_to_receivers(g, m.touchback)
        touch_back(m, g)
    elif kind == t.OUT_AT:
        give_to_receivers(g, yards)
        g.ended = p.OUT_OF_BOUNDS
    elif kind == t.ROLLS_FROM:
        give_to_receivers(g, yards)
        roll_dead(m, g)
    else:
        punt_comes_down(m, g, 100 - g.spot - yards, kind)


@rule
def punt_comes_down(m: Match, g: Position, at: int, kind: int) -> None:
    """R62, R65: in the field, in the end zone, or behind it."""
    give_to_receivers(g, at)
    if at < -t.MAX_END_ZONE_DEPTH_YARDS or (at <= 0 and kind == t.LENGTH_THEN_ROLLS):
        g.return_spot = m.touchback
        touch_back(m, g)
    elif kind == t.LENGTH_THEN_ROLLS:
        roll_dead(m, g)
    else:
        emit(g, p.CATCHES, g.carrier, at)
        g.window = p.PUNT_CHOICE if at > 0 else p.END_ZONE_CHOICE


@rule
def roll_dead(m: Match, g: Position) -> None:
    """R64: roll the sum toward the receivers' goal line, or the other way on doubles."""
    number = take_number(g)
    g.at += sum_of(number) if is_double(number) else -sum_of(number)
    if g.at <= 0:
        touch_back(m, g)
    emit(g, p.ROLLS_DEAD, g.carrier, g.at)


@rule
def return_punt(m: Match, g: Position) -> None:
    """R63, G35: the return column, from where the ball came down."""
    row = resolve_row(g, t.PUNT_RETURN, take_row(g))
    kind = KIND[t.PUNT_RETURN, row]
    if MARKS[t.PUNT_RETURN, row] == t.TIME_OUT:
        g.timeout_due = 1
    if kind == t.NO_GAIN_FUMBLE:
        g.play = p.RETURNED
        g.fumbled = 1
    elif kind == t.ROLLS_DEAD:
        if g.at > 0:
            roll_dead(m, g)
    elif kind == t.BALL:
        g.ended = p.OUT_OF_BOUNDS
    elif kind != t.FAIR_CATCH:
        return_for(g, read_gain(g, kind, YARDS[t.PUNT_RETURN, row]), kind == t.LONG)
    end_in_own_end_zone(m, g)


@rule
def end_in_own_end_zone(m: Match, g: Position) -> None:
    """R63, G35: a touchback if the ball never left the end zone, a safety if it was carried in."""
    if g.result != p.BALL or g.fumbled or g.at > 0:
        return
    if g.return_spot > 0:
        down_in_end_zone(g)
    else:
        touch_back(m, g)


@rule
def block_kick(g: Position, yards: int) -> None:
    """R65, R68, G32, G43: the kicking team fumbles behind the line."""
    g.play = p.BLOCKED
    g.at = g.spot + yards
    g.fumbled = 1


# --- Place kicks ---------------------------------------------------------------------


@rule
def kick_length(g: Position) -> int:
    """R67: the distance from the line to the goal line plus 17 yards."""
    return t.KICK_LENGTH_BASE_YARDS - g.spot


@rule
def place_kick(m: Match, g: Position) -> None:
    """R67, R70, G42: good if the figure reaches; else the other team's ball behind the line."""
    row = resolve_row(g, t.FIELD_GOAL, sum_of(g.roll))
    kind = KIND[t.FIELD_GOAL, row]
    g.play = p.KICKED
    if kind == t.BLOCKED:
        block_kick(g, YARDS[t.FIELD_GOAL, row])
    elif kind == t.GAIN and YARDS[t.FIELD_GOAL, row] >= kick_length(g):
        g.result = p.GOOD
        g.ended = p.DEAD
    else:
        give_to_receivers(g, missed_spot(m, g))
        g.ended = p.DEAD


@rule
def missed_spot(m: Match, g: Position) -> int:
    """R67, G42: 7 yards behind the line, or no nearer than the 20."""
    spot = min(t.MISSED_KICK_BASE_SPOT - g.spot, 99)
    return max(spot, 20) if m.missed_fg == p.AT_LEAST_TWENTY else spot
