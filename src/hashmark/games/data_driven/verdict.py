"""End of a play: fouls are enforced or declined, then ball, score and clock move.

R10 (i) to (l), R53, R62, R68, R73 to R87, R100.
"""

from __future__ import annotations

from hashmark.engine.effects import emit
from hashmark.engine.rule import rule
from hashmark.games.data_driven import events as e
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.charts import layout
from hashmark.games.data_driven.charts.lookups import kind_of_set, roll_set
from hashmark.games.data_driven.clock import (
    SHORT_PLAY_SECONDS,
    is_late,
    open_windows,
    set_play_time,
)
from hashmark.games.data_driven.downs import (
    emit_down_result,
    give_ball,
    is_free_kick,
    kick_off_after_try,
    next_down,
    score_field_goal,
    score_safety,
    score_touchdown,
    set_first_down,
)
from hashmark.games.data_driven.penalties import (
    FIRST_DOWN,
    YARDS,
    fouling_team,
    is_offensive,
    is_pass,
    shifted_spot,
    walk_back,
    walk_forward,
    yards_of,
)
from hashmark.games.data_driven.play_statistics import emit_play_statistics
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.tables import (
    EXTRA_POINT_POINTS,
    FIFTEEN_YARDS,
    FIVE_YARDS,
    TWO_POINT_POINTS,
)

OWN_FIVE = 5


@rule
def conclude(m: Match, g: Position) -> None:
    """R10 (i), (j): End the play and decide what happens to its flags."""
    if g.result == p.ENDS_OFFSET:
        emit(g, e.OFFSETTING, g.possession)
        set_flagged_play_time(g, p.NO_FOUL)
    elif g.result == p.ENDS_FIFTEEN:
        enforce_noted_foul(g)
    elif g.result == p.ENDS_DEAD_BALL:
        enforce(g, g.foul)
        set_play_time(g, 0, p.DEAD_BALL)
    elif g.result == p.ENDS_GROUNDED:
        enforce_grounding(m, g)
    else:
        if g.return_foul != p.NO_FOUL:
            enforce_on_return(m, g)
        if g.foul == p.NO_FOUL:
            g.asks = p.TO_STAND
        elif is_free_kick(g):
            g.asks = p.ASK_REKICK
        elif g.play == p.PLAY_PUNT:
            g.asks = p.ASK_TACK_ON if is_offensive(g.foul) else p.ASK_PENALTY
        else:
            judge_foul(m, g)


@rule
def spot_of_touchback(m: Match, g: Position) -> int:
    """R51: Return the touchback spot; kickoffs may have their own."""
    return m.kick_touchback_spot if is_free_kick(g) else m.touchback_spot


@rule
def set_flagged_play_time(g: Position, enforced: int) -> None:
    """R100, R104: Spend 10 seconds on a flagged play, none on a try."""
    defensive = enforced != p.NO_FOUL and not is_offensive(enforced)
    set_play_time(g, 0 if g.phase == p.TRY else SHORT_PLAY_SECONDS, int(defensive))


# --- Enforcement ---------------------------------------------------------------------


@rule
def enforce(g: Position, foul: int) -> None:
    """R73 to R75, R85: Enforce from the line of scrimmage; on a try only the spot moves."""
    yards = yards_of(foul, g.foul_yards)
    spot = min(g.spot + yards, 99)
    if is_offensive(foul):
        spot = walk_back(g.spot, yards)
    elif foul != p.PI:
        spot = walk_forward(g.spot, yards)
    moved = spot - g.spot
    emit(g, e.PENALIZED, fouling_team(g, foul), abs(moved), foul)
    g.spot = spot
    if g.phase == p.TRY:
        return
    g.to_go -= moved
    if FIRST_DOWN[foul] or g.to_go <= 0:
        emit(g, e.FIRST_DOWN_BY_PENALTY, g.possession)
        set_first_down(g, spot)


@rule
def enforce_noted_foul(g: Position) -> None:
    """R73, R83, R84: Ignore the play and walk off from the line of scrimmage."""
    enforce(g, g.foul)
    set_flagged_play_time(g, g.foul)


@rule
def enforce_grounding(m: Match, g: Position) -> None:
    """R81: Enforce grounding: incomplete, yards and down are lost, no half the distance."""
    team = g.possession
    yards = g.foul_yards
    emit(g, e.PENALIZED, team, yards, p.GROUNDING)
    emit(g, e.THROWS_INCOMPLETE, team)
    if g.phase == p.TRY:
        fail_try(m, g)
    elif g.spot - yards <= 0:
        score_safety(m, g, team)
        set_play_time(g, SHORT_PLAY_SECONDS, 0)
    else:
        next_down(g, g.spot - yards)
        set_play_time(g, SHORT_PLAY_SECONDS, 0)


@rule
def enforce_on_return(m: Match, g: Position) -> None:
    """R76: Enforce from the return's end or mid-point, or on the kickoff after a score."""
    foul = g.return_foul
    yards = YARDS[foul]
    own = g.return_foul_by == g.holder
    emit(g, e.PENALIZED, g.return_foul_by, yards, foul)
    if g.result == p.ENDS_TOUCHDOWN and not (own and nullifies(g)):
        if yards == FIFTEEN_YARDS or foul == p.DEF_5X:
            g.kick_shift += -yards if own else yards
        return
    if g.result == p.ENDS_SAFETY:
        if yards == FIFTEEN_YARDS:
            g.kick_shift += -yards if own else yards
        return
    spot = g.at
    if g.result == p.ENDS_TOUCHBACK:
        spot = spot_of_touchback(m, g)
    elif own and is_spot_foul(g):
        spot = g.mid_point
    g.result = p.ENDS_DOWN
    g.at = walk_back(spot, yards) if own else walk_forward(spot, yards)


@rule
def is_spot_foul(g: Position) -> bool:
    """R76: Return whether OFF 10 was beyond the mid-point; after a touchdown OFF 5 too."""
    if g.mid_point == p.NO_MID_POINT or g.at <= g.mid_point:
        return False
    return g.return_foul == p.OFF_10 or g.result == p.ENDS_TOUCHDOWN


@rule
def nullifies(g: Position) -> bool:
    """R76: Return whether the returning team's foul nullifies its touchdown."""
    return g.mid_point != p.NO_MID_POINT and g.return_foul != p.OFF_15


# --- Judging a flag on a scrimmage play or field goal ----------------------------------


@rule
def offense_scored(g: Position) -> bool:
    """Return whether the offense made a touchdown, a field goal or a good try."""
    if g.result == p.ENDS_TOUCHDOWN:
        return g.holder == g.possession
    return g.result == p.ENDS_GOOD


@rule
def either_team_scored(g: Position) -> bool:
    """R80: Return whether either team scored; on a try only the offense can score."""
    if g.phase == p.TRY:
        return offense_scored(g)
    return g.result == p.ENDS_TOUCHDOWN or g.result == p.ENDS_SAFETY or g.result == p.ENDS_GOOD


@rule
def judge_foul(m: Match, g: Position) -> None:
    """R77 to R85: Judge a foul by type: no choice, a further roll, or accept and decline."""
    foul = g.foul
    if foul == p.OFF_15:
        judge_off_15(m, g)
    elif foul == p.DEF_5X:
        judge_def_5x(g)
    elif foul == p.DEF_15:
        judge_def_15(g)
    else:
        if foul == p.OFF_10 and is_pass(g.play) and g.spot <= OWN_FIVE and is_holding(m, g):
            g.foul = p.HOLDING
        if g.foul == p.HOLDING and not m.decline_holding:
            score_holding_safety(m, g)
        else:
            g.asks = p.ASK_PENALTY


@rule
def score_holding_safety(m: Match, g: Position) -> None:
    """R78: Score a safety for holding in the own end zone."""
    team = g.possession
    emit(g, e.PENALIZED, team, 0, g.foul)
    score_safety(m, g, team)
    set_play_time(g, SHORT_PLAY_SECONDS, 0)


@rule
def is_holding(m: Match, g: Position) -> bool:
    """R78: Return true in basic mode, else roll on the holding chart."""
    if m.mode == p.BASIC or not kind_of_set(m, g.possession, layout.HOLDING):
        return True
    return roll_set(m, g, g.possession, layout.HOLDING)


@rule
def judge_off_15(m: Match, g: Position) -> None:
    """R79, R80: Move the kickoff on a score; in full mode the foul may be between downs."""
    if either_team_scored(g):
        kicker = g.holder
        emit(g, e.PENALIZED, g.possession, FIFTEEN_YARDS, p.OFF_15)
        g.kick_shift += -FIFTEEN_YARDS if kicker == g.possession else FIFTEEN_YARDS
        g.asks = p.TO_STAND
    elif m.mode == p.BASIC or not kind_of_set(m, g.possession, layout.BETWEEN_DOWNS):
        g.asks = p.ASK_PENALTY
    elif roll_set(m, g, g.possession, layout.BETWEEN_DOWNS):
        walk_off_between_downs(m, g)
    else:
        g.asks = p.ASK_PENALTY


@rule
def walk_off_between_downs(m: Match, g: Position) -> None:
    """R79: Let the play stand, then 15 yards; the line to gain stays unless the play made it."""
    team = g.possession
    emit(g, e.PENALIZED, team, FIFTEEN_YARDS, p.OFF_15)
    if g.phase == p.TRY:
        g.kick_shift -= FIFTEEN_YARDS
        g.asks = p.TO_STAND
        return
    emit_play_statistics(g)
    if is_next_down(g):
        next_down(g, g.at)
    elif g.result == p.ENDS_TOUCHBACK:
        give_ball(g, g.holder, spot_of_touchback(m, g))
    else:
        give_ball(g, g.holder, g.at)
    line_to_gain = g.spot + g.to_go
    if g.possession != team:
        set_first_down(g, walk_forward(g.spot, FIFTEEN_YARDS))
    elif g.down == 1:
        set_first_down(g, walk_back(g.spot, FIFTEEN_YARDS))
    else:
        g.spot = walk_back(g.spot, FIFTEEN_YARDS)
        g.to_go = line_to_gain - g.spot
    set_play_time(g, SHORT_PLAY_SECONDS, int(foul_of_team_without_ball(g)))


@rule
def judge_def_5x(g: Position) -> None:
    """R83: Enforce on a run without choice; on a pass or field goal the offense may decline."""
    if offense_scored(g):
        move_kickoff(g, FIVE_YARDS)
    elif is_pass(g.play) or g.play == p.PLAY_FIELD_GOAL or g.play == p.PLAY_EXTRA_POINT:
        g.asks = p.ASK_PENALTY
    elif keeps_ball_in_field(g) and g.at >= g.spot:
        walk_off_from_end(g, FIVE_YARDS)
    else:
        enforce_noted_foul(g)


@rule
def judge_def_15(g: Position) -> None:
    """R84: Let the play stand and add 15; a turnover or safety is ignored."""
    kicked = g.play == p.PLAY_FIELD_GOAL or g.play == p.PLAY_EXTRA_POINT
    if offense_scored(g):
        move_kickoff(g, FIFTEEN_YARDS)
    elif keeps_ball_in_field(g) and not kicked:
        walk_off_from_end(g, FIFTEEN_YARDS)
    else:
        enforce_noted_foul(g)


@rule
def keeps_ball_in_field(g: Position) -> bool:
    """Return whether the offense has the ball at the end: no turnover, no safety."""
    if g.result == p.ENDS_INCOMPLETE:
        return True
    return g.result == p.ENDS_DOWN and g.holder == g.possession


@rule
def move_kickoff(g: Position, yards: int) -> None:
    """R83, R84: Let the score stand and move the next kickoff forward."""
    emit(g, e.PENALIZED, 1 - g.possession, yards, g.foul)
    g.kick_shift += yards
    g.asks = p.TO_STAND


@rule
def walk_off_from_end(g: Position, yards: int) -> None:
    """R83, R84: Walk off from the end of the play, with an automatic first down."""
    spot = walk_forward(g.at, yards)
    emit_play_statistics(g)
    emit(g, e.PENALIZED, 1 - g.possession, spot - g.at, g.foul)
    g.spot = spot
    if g.phase != p.TRY:
        emit(g, e.FIRST_DOWN_BY_PENALTY, g.possession)
        set_first_down(g, spot)
    set_flagged_play_time(g, g.foul)


# --- Answers -------------------------------------------------------------------------


@rule
def answer_penalty(m: Match, g: Position, call: int) -> None:
    """R73, R77, R78, R82, R83, R85: Accept the penalty, or decline and keep the play."""
    if call == p.DECLINE:
        emit(g, e.DECLINED, fouling_team(g, g.foul), g.foul)
        g.asks = p.TO_STAND
    elif g.foul == p.HOLDING:
        score_holding_safety(m, g)
    else:
        enforce_noted_foul(g)


@rule
def answer_rekick(g: Position, call: int) -> None:
    """R53: Kick again five yards back, or keep the result."""
    if call == p.REKICK:
        spot = walk_back(g.spot, FIVE_YARDS)
        emit(g, e.PENALIZED, g.possession, g.spot - spot, p.OFF_5)
        emit(g, e.REKICKS, g.possession)
        g.spot = spot
        set_play_time(g, SHORT_PLAY_SECONDS, 0)
    else:
        emit(g, e.DECLINED, g.possession, g.foul)
        g.asks = p.TO_STAND


@rule
def answer_tack_on(m: Match, g: Position, call: int) -> None:
    """R62: Punt again from farther back, or add the yards to the end of the return."""
    if call == p.REKICK:
        enforce(g, g.foul)
        emit(g, e.REKICKS, g.possession)
        set_play_time(g, SHORT_PLAY_SECONDS, 0)
        return
    yards = YARDS[g.foul]
    own = g.holder == g.possession
    emit(g, e.PENALIZED, g.possession, yards, g.foul)
    if g.result == p.ENDS_TOUCHDOWN or g.result == p.ENDS_SAFETY:
        if g.foul == p.OFF_15:
            g.kick_shift += -FIFTEEN_YARDS if own else FIFTEEN_YARDS
    else:
        spot = spot_of_touchback(m, g) if g.result == p.ENDS_TOUCHBACK else g.at
        g.result = p.ENDS_DOWN
        g.at = walk_back(spot, yards) if own else walk_forward(spot, yards)
    g.asks = p.TO_STAND


# --- The play stands -----------------------------------------------------------------


@rule
def is_next_down(g: Position) -> bool:
    """Return whether the offense has kept the ball and plays its next down."""
    if g.result == p.ENDS_INCOMPLETE:
        return True
    same = g.holder == g.possession and g.changes == 0
    return g.result == p.ENDS_DOWN and same and g.phase == p.SCRIMMAGE


@rule
def let_play_stand(m: Match, g: Position) -> None:
    """R10 (k), (l), R100: Move ball, down, score and clock after a play that counts."""
    if g.phase == p.TRY:
        end_try(m, g)
        return
    emit_play_statistics(g)
    flagged = g.foul != p.NO_FOUL or g.return_foul != p.NO_FOUL
    if is_next_down(g):
        incomplete = g.result == p.ENDS_INCOMPLETE
        stopped = g.out == 1 and is_late(g)
        over = next_down(g, g.at)
        if not (over or incomplete or flagged or stopped) and g.clock > 0:
            open_windows(g)
            return
    else:
        emit_last_down(g)
        give_or_score(m, g)
    set_play_time(g, SHORT_PLAY_SECONDS, int(foul_of_team_without_ball(g)))


@rule
def emit_last_down(g: Position) -> None:
    """Emit the down statistics of a play that ended in a score or a turnover."""
    if g.play < p.PLAY_PUNT:
        emit_down_result(g, int(offense_scored(g)))


@rule
def foul_of_team_without_ball(g: Position) -> bool:
    """R104: Return whether the team without the ball fouled on a return; always enforced."""
    return g.return_foul != p.NO_FOUL and g.return_foul_by != g.holder


@rule
def give_or_score(m: Match, g: Position) -> None:
    """R11, R37, R49: Score, bring the ball out on a touchback, or give it to a new offense."""
    if g.result == p.ENDS_TOUCHDOWN:
        score_touchdown(m, g, g.holder)
    elif g.result == p.ENDS_SAFETY:
        score_safety(m, g, g.holder)
    elif g.result == p.ENDS_GOOD:
        score_field_goal(m, g)
    elif g.result == p.ENDS_TOUCHBACK:
        emit(g, e.TOUCHBACK, g.holder)
        give_ball(g, g.holder, spot_of_touchback(m, g))
    else:
        give_ball(g, g.holder, g.at)


# --- Tries ---------------------------------------------------------------------------


@rule
def end_try(m: Match, g: Position) -> None:
    """R68: Score one or two points, or none; then the kickoff."""
    if not offense_scored(g):
        fail_try(m, g)
        return
    if g.play == p.PLAY_EXTRA_POINT:
        g.score[g.possession] += EXTRA_POINT_POINTS
        emit(g, e.EXTRA_POINT_GOOD, g.possession)
    else:
        g.score[g.possession] += TWO_POINT_POINTS
        emit(g, e.TWO_POINTS_GOOD, g.possession)
    leave_try(m, g)


@rule
def fail_try(m: Match, g: Position) -> None:
    """R68: End the try without points after a miss, a stop or a turnover."""
    if g.play == p.PLAY_EXTRA_POINT:
        emit(g, e.EXTRA_POINT_MISSED, g.possession)
    else:
        emit(g, e.TWO_POINTS_FAILED, g.possession)
    leave_try(m, g)


@rule
def leave_try(m: Match, g: Position) -> None:
    """R49, R80: Set up the kickoff after the try, moved by a foul on it."""
    g.next_kick = shifted_spot(g.next_kick, g.kick_shift)
    kick_off_after_try(m, g)
    set_play_time(g, 0, 0)
