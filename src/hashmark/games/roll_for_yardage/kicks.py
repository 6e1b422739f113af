"""Kicks, returns and tries of Roll For Yardage! (R10-R17, R31-R37, R44-R48)."""

from __future__ import annotations

from hashmark.engine.effects import emit, roll, roll_within
from hashmark.engine.rule import rule
from hashmark.games.roll_for_yardage import position as p
from hashmark.games.roll_for_yardage import tables as t
from hashmark.games.roll_for_yardage.flow import (
    add_points,
    ball_at,
    end_possession,
    finish,
    first_down,
    in_overtime,
    kickoff_by,
    lose_ball,
    opponent,
    refund_play,
    safety,
    to_goal,
    touchdown,
)
from hashmark.games.roll_for_yardage.plays import (
    on_field,
    opponent_recovers,
    recover_loose_ball,
    resolve_blocked_kick,
)
from hashmark.games.roll_for_yardage.pools import (
    ALL_THE_WAY,
    LOOSE,
    MARGIN,
    PLAIN,
    SNAKE_EYES,
    YARDAGE,
)
from hashmark.games.roll_for_yardage.position import Match, Position

# --- Kickoffs ------------------------------------------------------------------------


@rule
def kickoff(g: Position) -> None:
    """R12: kick off, ten yards a pip; two ones go out of bounds."""
    pips = roll(g, PLAIN)
    yards = pips * t.KICKOFF_YARDS_PER_PIP
    emit(g, p.KICKS_OFF, g.possession, yards)
    if pips == SNAKE_EYES:
        shank(g, t.KICKOFF_SHANK_SPOT)
    else:
        land_kick(g, yards, t.TOUCHBACK_SPOT)


@rule
def shank(g: Position, spot: int) -> None:
    """R12, R36: kick out of bounds; the receiving team has the ball without a return."""
    emit(g, p.SHANKS, g.possession, spot)
    first_down(g, opponent(g), spot)


@rule
def land_kick(g: Position, yards: int, touchback_spot: int) -> None:
    """R12, R13, R35: resolve a touchback in the end zone, else let the receiving team return it."""
    receiver = opponent(g)
    landing = to_goal(g) - yards
    if landing <= 0:
        emit(g, p.TOUCHBACK, receiver, touchback_spot)
        first_down(g, receiver, touchback_spot)
    else:
        ball_at(g, p.RETURN, receiver, landing)


@rule
def onside_kick(g: Position) -> None:
    """R37: kick onside; 11 or 12 keeps the ball, snake eyes give up a touchdown."""
    pips = roll(g, PLAIN)
    if pips == SNAKE_EYES:
        emit(g, p.ONSIDE_RUN_BACK, g.possession)
        touchdown(g, opponent(g))
    elif pips >= t.ONSIDE_KEPT_MIN_ROLL:
        emit(g, p.ONSIDE_KEPT, g.possession, t.ONSIDE_KEPT_SPOT)
        first_down(g, g.possession, t.ONSIDE_KEPT_SPOT)
        end_possession(g)
    else:
        emit(g, p.ONSIDE_LOST, g.possession, t.ONSIDE_LOST_SPOT)
        first_down(g, opponent(g), t.ONSIDE_LOST_SPOT)


# --- Returns -------------------------------------------------------------------------


@rule
def fair_catch(g: Position) -> None:
    """R13: start a 1st down where the ball came down."""
    emit(g, p.CATCHES, g.possession, g.spot)
    first_down(g, g.possession, g.spot)


@rule
def return_kick(g: Position) -> None:
    """R14 to R17: roll yardage from the landing spot."""
    yards = roll_within(g, YARDAGE, LOOSE, to_goal(g))
    if yards == LOOSE:
        resolve_muff(g)
        return
    end = on_field(g.spot + yards)
    emit(g, p.RETURNS, g.possession, end - g.spot, end)
    if end == 100:
        touchdown(g, g.possession)
    elif end == 0:
        safety(g)
    else:
        first_down(g, g.possession, end)


@rule
def resolve_muff(g: Position) -> None:
    """R17, R27, R29: resolve a fumbled return; the team that recovers has a 1st down."""
    emit(g, p.MUFFS, g.possession, g.spot)
    advance = recover_loose_ball(g)
    end = on_field(g.spot + advance)
    if advance < 0:
        emit(g, p.LOSES_BALL, g.possession, 100 - end)
        opponent_recovers(g, end)
    elif end == 100:
        touchdown(g, g.possession)
    else:
        first_down(g, g.possession, end)


# --- Field goals ---------------------------------------------------------------------


@rule
def field_goal(g: Position) -> None:
    """R32: kick; the distance changes the kicking team's total, which must be the higher one."""
    distance = to_goal(g)
    margin = roll(g, MARGIN)
    if margin == ALL_THE_WAY:
        emit(g, p.FAKES_KICK, g.possession, distance)
        touchdown(g, g.possession)
    elif margin == LOOSE:
        emit(g, p.KICK_BLOCKED, g.possession, distance)
        resolve_blocked_kick(g)
    elif margin + t.KICK_BONUS[distance] > 0:
        add_points(g, g.possession, t.FIELD_GOAL)
        emit(g, p.KICK_GOOD, g.possession, distance)
        kickoff_by(g, g.possession)
        if in_overtime(g) and g.ot_stage == p.SUDDEN_DEATH:
            finish(g)
        else:
            end_possession(g)
    else:
        emit(g, p.KICK_MISSED, g.possession, distance)
        lose_ball(g, max(distance, t.MISSED_KICK_SPOT))


# --- Punts and safety kicks ----------------------------------------------------------


@rule
def punt(g: Position) -> None:
    """R33 to R35: punt, seven yards a pip; two ones are a blocked punt."""
    pips = roll(g, PLAIN)
    if pips == SNAKE_EYES:
        emit(g, p.PUNT_BLOCKED, g.possession)
        resolve_blocked_kick(g)
    else:
        yards = pips * t.PUNT_YARDS_PER_PIP
        emit(g, p.PUNTS, g.possession, yards)
        land_kick(g, yards, t.PUNT_TOUCHBACK_SPOT)
        end_possession(g)


@rule
def safety_kick(g: Position) -> None:
    """R36: kick from the 20, seven yards a pip; two ones go out of bounds."""
    pips = roll(g, PLAIN)
    yards = pips * t.PUNT_YARDS_PER_PIP
    emit(g, p.SAFETY_KICKS, g.possession, yards)
    if pips == SNAKE_EYES:
        shank(g, t.SAFETY_KICK_SHANK_SPOT)
    else:
        land_kick(g, yards, t.TOUCHBACK_SPOT)


# --- Tries ---------------------------------------------------------------------------


@rule
def extra_point(m: Match, g: Position) -> None:
    """R44: kick from the 15 with its bonus; the kick can be faked for two points, or blocked."""
    g.spot = t.EXTRA_POINT_SPOT
    team = g.possession
    margin = roll(g, MARGIN)
    if margin == ALL_THE_WAY:
        add_points(g, team, t.TWO_POINT)
        emit(g, p.EXTRA_POINT_FAKED, team)
    elif margin == LOOSE:
        emit(g, p.EXTRA_POINT_BLOCKED, team)
        resolve_loose_ball_on_try(g, t.EXTRA_POINT)
    elif margin + t.KICK_BONUS[to_goal(g)] > 0:
        add_points(g, team, t.EXTRA_POINT)
        emit(g, p.EXTRA_POINT_GOOD, team)
    else:
        emit(g, p.EXTRA_POINT_MISSED, team)
    after_try(m, g)


@rule
def two_point(m: Match, g: Position) -> None:
    """R46: try for two; two yards or more from the 2 are good, without doubling."""
    g.spot = t.TWO_POINT_SPOT
    team = g.possession
    margin = roll(g, MARGIN)
    if margin == LOOSE:
        emit(g, p.TWO_POINTS_FUMBLED, team)
        resolve_loose_ball_on_try(g, t.TWO_POINT)
    elif margin >= to_goal(g):
        add_points(g, team, t.TWO_POINT)
        emit(g, p.TWO_POINTS_GOOD, team)
    else:
        emit(g, p.TWO_POINTS_FAILED, team)
    after_try(m, g)


@rule
def resolve_loose_ball_on_try(g: Position, for_defense: int) -> None:
    """R44, R46, G11: recover the ball; the offense can score two points, the defense the try's."""
    end = on_field(g.spot + recover_loose_ball(g))
    if end == 100:
        add_points(g, g.possession, t.TWO_POINT)
        emit(g, p.TRY_CARRIED_IN, g.possession, t.TWO_POINT)
    elif end == 0:
        add_points(g, opponent(g), for_defense)
        emit(g, p.TRY_CARRIED_IN, opponent(g), for_defense)


@rule
def after_try(m: Match, g: Position) -> None:
    """R47, G20, G23: let the same team kick off; some tries use up no play."""
    if g.clock == 0 or m.tries_count == 0:
        refund_play(g)
    kickoff_by(g, g.possession)
