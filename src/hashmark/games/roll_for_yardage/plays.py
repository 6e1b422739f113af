"""Scrimmage plays, loose balls and penalties of Roll For Yardage! (R18-R29, R38-R43, R49)."""

from __future__ import annotations

from hashmark.engine.effects import emit, roll, roll_within
from hashmark.engine.rule import rule
from hashmark.games.roll_for_yardage import position as p
from hashmark.games.roll_for_yardage import tables as t
from hashmark.games.roll_for_yardage.flow import (
    ends_half,
    first_down,
    lose_ball,
    opponent,
    refund_play,
    safety,
    to_goal,
    touchdown,
)
from hashmark.games.roll_for_yardage.pools import LOOSE, PENALTY, PLAIN, RECOVERY, YARDAGE
from hashmark.games.roll_for_yardage.position import Match, Position

# --- Scrimmage plays -----------------------------------------------------------------


@rule
def scrimmage(m: Match, g: Position) -> None:
    """R20 to R23: roll yardage, then check for a penalty before the result counts."""
    yards = roll_within(g, YARDAGE, LOOSE, to_goal(g))
    lost = 0
    if yards == LOOSE:
        emit(g, p.FUMBLES, g.possession, g.spot)
        yards = roll_within(g, RECOVERY, -g.spot, to_goal(g))
        end = on_field(g.spot + yards)
        if yards < 0:
            lost = 1
            emit(g, p.RECOVERS, opponent(g), g.spot - end, 100 - end)
        else:
            emit(g, p.KEEPS, g.possession, end - g.spot, end)
    else:
        end = on_field(g.spot + yards)
        emit(g, p.GAINS, g.possession, end - g.spot, end)
    face = roll(g, PENALTY)
    if face == 0:
        end_down(g, end, lost)
    else:
        throw_flag(g, face, end, lost)


@rule
def on_field(spot: int) -> int:
    """Clamp a spot to the goal lines, which stand for the end zones behind them."""
    return max(min(spot, 100), 0)


@rule
def end_down(g: Position, end: int, lost: int) -> None:
    """R20: let the result of a scrimmage play stand."""
    if g.down == 4:
        if reaches_line(g, end, lost):
            emit(g, p.FOURTH_MADE, g.possession)
        else:
            emit(g, p.FOURTH_FAILED, g.possession)
    apply_result(g, end, lost)


@rule
def reaches_line(g: Position, end: int, lost: int) -> bool:
    """R18: return whether the offense still has the ball, at or past the line to gain."""
    return lost == 0 and end >= g.spot + g.to_go


@rule
def apply_result(g: Position, end: int, lost: int) -> None:
    """R20, R27, R28: resolve points, a lost ball, a first down or the next down."""
    if lost:
        emit(g, p.LOSES_BALL, g.possession, 100 - end)
        opponent_recovers(g, end)
    elif end == 100:
        touchdown(g, g.possession)
    elif end == 0:
        safety(g)
    elif reaches_line(g, end, lost):
        emit(g, p.FIRST_DOWN, g.possession, end)
        first_down(g, g.possession, end)
    elif g.down < 4:
        g.down += 1
        g.to_go -= end - g.spot
        g.spot = end
        g.phase = p.SCRIMMAGE
    else:
        emit(g, p.OVER_ON_DOWNS, g.possession, 100 - end)
        lose_ball(g, 100 - end)


@rule
def hail_mary(g: Position) -> None:
    """R49: score on double sixes; anything else uses up the last play of the quarter."""
    if roll(g, PLAIN) == t.HAIL_MARY_ROLL:
        emit(g, p.HAIL_MARY_CAUGHT, g.possession, to_goal(g))
        touchdown(g, g.possession)
    else:
        emit(g, p.HAIL_MARY_DROPPED, g.possession)


# --- Fumbles and blocked kicks -------------------------------------------------------


@rule
def recover_loose_ball(g: Position) -> int:
    """R25, R26: return how far the loose ball goes; below 0 the other team has it."""
    advance = roll_within(g, RECOVERY, -g.spot, to_goal(g))
    end = on_field(g.spot + advance)
    if advance < 0:
        emit(g, p.RECOVERS, opponent(g), g.spot - end, 100 - end)
    else:
        emit(g, p.RECOVERS, g.possession, end - g.spot, end)
    return advance


@rule
def opponent_recovers(g: Position, end: int) -> None:
    """R27: give the other team a 1st down on the new spot, or a touchdown."""
    if end == 0:
        touchdown(g, opponent(g))
    else:
        lose_ball(g, 100 - end)


@rule
def resolve_blocked_kick(g: Position) -> None:
    """R24, R27, R28, G10: play a blocked kick like a fumble on the line of scrimmage."""
    advance = recover_loose_ball(g)
    apply_result(g, on_field(g.spot + advance), 1 if advance < 0 else 0)


# --- Penalties -----------------------------------------------------------------------


@rule
def throw_flag(g: Position, face: int, end: int, lost: int) -> None:
    """R38, G15: hold the result until the other team has accepted or declined."""
    g.phase = p.PENALTY
    g.penalty_face = face
    g.play_end = end
    g.play_lost = lost
    emit(g, p.FLAG, 1 - offended_team(g), t.PENALTY_YARDS[face])


@rule
def offended_team(g: Position) -> int:
    """R38: return the team that was not penalized; odd faces are against the defense."""
    return g.possession if g.penalty_face % 2 == 1 else opponent(g)


@rule
def distance_after_penalty(distance: int, yards: int) -> int:
    """R42, G16, G17: return the distance left; half of it if the yards would reach the goal."""
    return (distance + 1) // 2 if yards >= distance else distance - yards


@rule
def enforcement_spot(m: Match, g: Position) -> int:
    """G13: return the spot of a penalty: the end of the play, or its start if the play is void."""
    void = g.play_lost == 1 or g.play_end == 0 or g.play_end == 100
    if void or m.defensive_penalty_spot == p.START_OF_PLAY:
        return g.spot
    return g.play_end


@rule
def accepted_spot(m: Match, g: Position) -> int:
    """R40 to R42: return the offense's spot if the penalty is accepted."""
    yards = t.PENALTY_YARDS[g.penalty_face]
    if offended_team(g) != g.possession:
        return distance_after_penalty(g.spot, yards)
    return 100 - distance_after_penalty(100 - enforcement_spot(m, g), yards)


@rule
def may_decline(m: Match, g: Position) -> bool:
    """G14: return whether the play gives points, the ball, a first down or a better spot.

    A safety needs no case of its own: no penalty leaves the ball in the end zone.
    """
    end = g.play_end
    lost = g.play_lost
    if m.decline_rule == p.ANY_GROUND:
        return True
    reached = reaches_line(g, end, lost)
    if offended_team(g) == g.possession:
        keeps = lost == 0 and g.down < 4
        return reached or (keeps and end > accepted_spot(m, g))
    over_on_downs = g.down == 4 and not reached
    return lost == 1 or over_on_downs or end < accepted_spot(m, g)


@rule
def accept(m: Match, g: Position) -> None:
    """R40, R41, R52: replay the down further back, or start a 1st down further on."""
    spot = accepted_spot(m, g)
    if offended_team(g) == g.possession:
        base = enforcement_spot(m, g)
        emit(g, p.ACCEPTED, opponent(g), spot - base, spot)
        if base != g.play_end:
            undo_yards(g)
        if ends_half(m, g):
            refund_play(g)
        emit(g, p.FIRST_DOWN, g.possession, spot)
        first_down(g, g.possession, spot)
    else:
        emit(g, p.ACCEPTED, g.possession, g.spot - spot, spot)
        undo_yards(g)
        g.to_go += g.spot - spot
        g.spot = spot
        g.phase = p.SCRIMMAGE
    pick_up_flag(g)


@rule
def decline(m: Match, g: Position) -> None:
    """R43, G21: let the play's result stand; an option still gives the extra play."""
    emit(g, p.DECLINED, offended_team(g))
    if m.declined_extends and offended_team(g) == g.possession and ends_half(m, g):
        refund_play(g)
    end = g.play_end
    lost = g.play_lost
    pick_up_flag(g)
    end_down(g, end, lost)


@rule
def undo_yards(g: Position) -> None:
    """R40, G13: take back the yards that the offense gained on the play."""
    if g.play_lost == 0 and g.play_end != g.spot:
        emit(g, p.UNDONE, g.possession, g.spot - g.play_end)


@rule
def pick_up_flag(g: Position) -> None:
    """Clear the penalty."""
    g.penalty_face = 0
    g.play_end = p.NO_SPOT
    g.play_lost = 0
