"""Rules of Roll For Yardage!: the question, the legal calls, and one step of the game.

The rules of the plays, with the numbers of docs/reference/rules/roll-for-yardage.md, are in `pools`
(the dice), `flow` (points, possession and time), `plays` (scrimmage, loose balls, penalties) and
`kicks` (kicks, returns, tries).
"""

from __future__ import annotations

from hashmark.engine.rule import rule
from hashmark.games.roll_for_yardage import flow, kicks, plays
from hashmark.games.roll_for_yardage import position as p
from hashmark.games.roll_for_yardage import tables as t
from hashmark.games.roll_for_yardage.position import Match, Position

# Values of `refusal`: indices of REFUSALS.
REFUSALS = (
    "",
    "only the winner of the opening toss may defer",
    "out of range; a field goal needs 47 yards or less to the goal line",
    "punts are allowed on 4th down only",
    "option punt_rule forbids a punt within field-goal range",
    "only on the last play of a half, 40 or more yards from the goal line",
    "the play gives you no points, ball, first down or better spot",
)
(LEGAL, NO_DEFERRAL, TOO_FAR, NOT_FOURTH_DOWN, WITHIN_RANGE, NO_HAIL_MARY, NO_GROUND) = range(7)


@rule
def question(m: Match, g: Position) -> int:
    """Return the question of the phase: each phase has its own."""
    return g.phase


@rule
def team_to_act(m: Match, g: Position) -> int:
    """Return the team to call: the chooser, the team not penalized, or the team in possession."""
    if g.phase == p.CHOICE:
        return g.chooser
    if g.phase == p.PENALTY:
        return plays.offended_team(g)
    return g.possession


@rule
def refusal(m: Match, g: Position, call: int) -> int:
    """R4, R31, R33, R43, R49: return why this call is not allowed, or LEGAL."""
    if call == p.DEFER and (g.period != 1 or g.chooser != g.toss_winner):
        return NO_DEFERRAL
    if call == p.FIELD_GOAL and flow.to_goal(g) > t.KICK_RANGE_YARDS:
        return TOO_FAR
    if call == p.PUNT and m.punt_rule != p.ANY_DOWN:
        if g.down != 4:
            return NOT_FOURTH_DOWN
        if m.punt_rule == p.OUT_OF_RANGE and flow.to_goal(g) <= t.KICK_RANGE_YARDS:
            return WITHIN_RANGE
    if call == p.HAIL_MARY and (
        not flow.ends_half(m, g) or flow.to_goal(g) < t.HAIL_MARY_MIN_YARDS
    ):
        return NO_HAIL_MARY
    if call == p.DECLINE and not plays.may_decline(m, g):
        return NO_GROUND
    return LEGAL


@rule
def step(m: Match, g: Position, call: int) -> None:
    """Play one call with all the dice that follow it; charge the play when it is over."""
    if g.phase == p.COIN_TOSS:
        flow.toss_coin(g)
    elif g.phase == p.CHOICE:
        flow.choose(g, call)
    else:
        stage = g.ot_stage
        play(m, g, call)
        if call != p.ONSIDE_KICK and flow.needs_kickoff_instead(m, g, stage):
            flow.kickoff_by(g, flow.opponent(g))
        if g.phase != p.RETURN and g.phase != p.PENALTY:
            flow.use_play(m, g)


@rule
def play(m: Match, g: Position, call: int) -> None:
    """R53: dispatch the plays, and the decisions that belong to one."""
    if g.phase == p.SCRIMMAGE:
        if call == p.RUN_PLAY:
            plays.scrimmage(m, g)
        elif call == p.PUNT:
            kicks.punt(g)
        elif call == p.FIELD_GOAL:
            kicks.field_goal(g)
        else:
            plays.hail_mary(g)
    elif g.phase == p.PENALTY:
        if call == p.ACCEPT:
            plays.accept(m, g)
        else:
            plays.decline(m, g)
    elif g.phase == p.RETURN:
        if call == p.RETURN_KICK:
            kicks.return_kick(g)
        else:
            kicks.fair_catch(g)
    elif g.phase == p.TRY:
        if call == p.EXTRA_POINT:
            kicks.extra_point(m, g)
        else:
            kicks.two_point(m, g)
    elif g.phase == p.SAFETY_KICK:
        kicks.safety_kick(g)
    elif call == p.KICK_OFF:
        kicks.kickoff(g)
    else:
        kicks.onside_kick(g)
