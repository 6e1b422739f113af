"""Validation of a position that a user sets up: fields to fill in, and impossible values.

The question asked tells the stage of the play. Each field of the play in progress belongs to the
questions at which it may hold a value; then the fields must fit each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hashmark.engine.position_checks import PhaseFields, score_headroom
from hashmark.engine.record import AWAY, HOME, NOBODY, TEAMS, winner_by_score
from hashmark.games.data_driven import position as p
from hashmark.games.data_driven.charts import layout
from hashmark.games.data_driven.clock import IN_BOUNDS_SECONDS, LAST_QUARTER, ask_next
from hashmark.games.data_driven.penalties import is_offensive, is_pass, mid_point
from hashmark.games.data_driven.position import Match, Position
from hashmark.games.data_driven.rules import LEGAL, refusal
from hashmark.games.data_driven.tables import (
    DEEPEST_RETURN_SPOT,
    FIRST_DOWN_YARDS,
    PLAYS,
    PUNT_ROLL_FROM,
    TOUCHDOWN_POINTS,
    TRY_SPOT,
)

_KICK = "kick kick-return rekick fumble-return roll-again"
_DOWN = "play formation offence-audible defence-audible fumble-return penalty roll-again"
QUESTIONS_BY_PHASE = {
    p.COIN_TOSS: "coin toss",
    p.KICKOFF: _KICK,
    p.SAFETY_KICK: _KICK,
    p.SCRIMMAGE: f"{_DOWN} roll-or-return tack-on offence-timeout defence-timeout tempo",
    p.TRY: f"try {_DOWN}",
    p.OVER: "over",
}

_OVER = "rekick penalty tack-on"  # the play is over, its flags are not
_FLAGGED = f"roll-again fumble-return {_OVER}"
PENDING_FIELDS = PhaseFields(
    p.Position,
    "asks",
    {
        "winner": "over",
        "play": f"kick-return formation offence-audible defence-audible roll-or-return {_FLAGGED}",
        "formation": "play offence-audible defence-audible fumble-return penalty roll-again",
        "rolls_on": "roll-again",
        "shorter": "roll-again",
        "audibled": "play formation roll-or-return fumble-return penalty tack-on roll-again",
        "prompted": "offence-audible",
        "foul": f"kick-return roll-or-return {_FLAGGED}",
        "foul_yards": "roll-again fumble-return penalty",
        "return_foul": _FLAGGED,
        "return_foul_by": _FLAGGED,
        "mid_point": _FLAGGED,
        "holder": f"toss kick-return roll-or-return {_FLAGGED}",
        "start": f"kick-return roll-or-return {_FLAGGED}",
        "at": _OVER,
        "result": _OVER,
        "out": "fumble-return penalty roll-again",
        "changes": _FLAGGED,
        "way": "fumble-return penalty roll-again",
        "gain": "roll-or-return fumble-return penalty tack-on roll-again",
        "returned": _FLAGGED,
        "kick_shift": _OVER,
        "seconds": "offence-timeout defence-timeout tempo",
        "extension": "",
        "penalty_roll": "roll-again",
    },
)

_RETURNED = (*range(p.PLAY_KNEEL), p.PLAY_KICKOFF, p.PLAY_SQUIB)  # plays with a return
# Columns that may be rolled on again: which side rolls, and on which plays.
_KICKERS, _OTHERS, _ANYBODY = range(3)
REROLL_COLUMNS = {
    **{play: (_KICKERS, (play,)) for play in range(len(PLAYS))},
    layout.KICKOFF: (_KICKERS, (p.PLAY_KICKOFF,)),
    layout.PUNT: (_KICKERS, (p.PLAY_PUNT,)),
    layout.FIELD_GOAL: (_KICKERS, (p.PLAY_FIELD_GOAL, p.PLAY_EXTRA_POINT)),
    layout.KICK_RETURN: (_OTHERS, (p.PLAY_KICKOFF,)),
    layout.SQUIB_RETURN: (_OTHERS, (p.PLAY_SQUIB,)),
    layout.PUNT_RETURN: (_OTHERS, (p.PLAY_PUNT,)),
    layout.INT_RETURN: (_OTHERS, tuple(play for play in range(len(PLAYS)) if is_pass(play))),
    layout.FUMBLE_RETURN: (_ANYBODY, _RETURNED),
}


def normalize_position(m: Match, g: Position, given: Mapping[str, Any]) -> str | None:
    """Fill in what a set-up position leaves out; return what is impossible, or None."""
    fill_in(m, g, given)
    return (
        question_fault(g)
        or PENDING_FIELDS.describe_misplaced(g)
        or time_fault(m, g, given)
        or score_headroom(g, points_to_come(m, g))
        or ball_fault(g)
        or play_fault(m, g)
    )


# --- What follows from the keys given ------------------------------------------------------


def fill_in(m: Match, g: Position, given: Mapping[str, Any]) -> None:
    """Fill in the question of the phase, its spot and down, and the stage of an overtime."""
    if "asks" not in given:
        ask_next(g)
    if "clock" not in given:
        g.clock = m.quarter_seconds if g.period <= LAST_QUARTER else m.overtime_seconds
    if g.phase in (p.COIN_TOSS, p.OVER):
        g.possession, g.spot, g.overtime_team = NOBODY, 0, NOBODY
    if g.received_first < 0 and (g.phase != p.COIN_TOSS or g.period > 1):
        g.received_first = HOME
    if g.phase == p.OVER and "winner" not in given:
        g.winner = winner_by_score(g)
    if g.period > LAST_QUARTER and "overtime" not in given and g.possession >= 0:
        _fill_in_overtime(m, g)
    if g.phase == p.SCRIMMAGE:
        g.down = g.down or 1
        g.to_go = g.to_go or min(FIRST_DOWN_YARDS, 100 - g.spot)
        return
    g.down = g.to_go = 0
    spots = {p.KICKOFF: m.kickoff_spot, p.SAFETY_KICK: m.safety_kick_spot, p.TRY: TRY_SPOT}
    g.spot = g.spot or spots.get(g.phase, 0)


def _fill_in_overtime(m: Match, g: Position) -> None:
    """R105: Set whose possession it must be, as far as score and ball show it."""
    g.overtime, g.overtime_team = p.SUDDEN, NOBODY
    if m.overtime not in (p.MODIFIED, p.BOTH_POSSESS):
        return
    home, away = g.score
    g.overtime = p.FIRST_POSSESSION if home == away else p.REPLY
    g.overtime_team = g.possession if g.phase == p.SCRIMMAGE else 1 - g.possession
    if home != away:
        g.overtime_team = int(home > away)
    if g.phase == p.TRY and m.overtime == p.BOTH_POSSESS:
        _fill_in_try(g)


def _fill_in_try(g: Position) -> None:
    """R105: Assign an overtime try to the first possession if its touchdown broke a tie."""
    scorer, before = g.possession, list(g.score)
    before[scorer] -= TOUCHDOWN_POINTS
    g.overtime = p.FIRST_POSSESSION if before[HOME] == before[AWAY] else p.REPLY
    g.overtime_team = scorer


def points_to_come(m: Match, g: Position) -> int:
    """Return an upper bound of points: one a second, plus fewer than 20 a period."""
    if g.phase == p.OVER:
        return 0
    quarters = max(LAST_QUARTER - g.period, 0)
    seconds = g.clock + quarters * m.quarter_seconds if g.period <= LAST_QUARTER else 0
    return seconds + 20 * (p.MAX_PERIODS - g.period + 1)


# --- The situation -------------------------------------------------------------------------


def question_fault(g: Position) -> str | None:
    """Report a question that is not asked in the phase."""
    if g.asks >= p.TO_ANSWER:
        return f"asks: {p.ASKS[g.asks]} occurs only while a play is being rolled"
    allowed = QUESTIONS_BY_PHASE[g.phase].split()
    if p.ASKS[g.asks] not in allowed:
        phase = p.PHASES[g.phase]
        return (
            f"asks: {p.ASKS[g.asks]} is not asked in phase {phase}; allowed: {', '.join(allowed)}"
        )
    return None


def time_fault(m: Match, g: Position, given: Mapping[str, Any]) -> str | None:
    """Check the clock, the period, and the stage of an overtime."""
    length = m.quarter_seconds if g.period <= LAST_QUARTER else m.overtime_seconds
    if g.clock > length:
        return f"clock {g.clock}: period {g.period} has only {length} seconds"
    if g.phase == p.COIN_TOSS and 1 < g.period <= LAST_QUARTER:
        return f"the coin toss is in period 1 or overtime, not in period {g.period}"
    if g.phase == p.OVER and g.winner != winner_by_score(g):
        return f"winner {given['winner']} does not match the score"
    if g.phase not in (p.TRY, p.OVER) and g.next_kick != m.kickoff_spot:
        return f"next_kick {g.next_kick}: only a try can move it from {m.kickoff_spot}"
    if g.period <= LAST_QUARTER and any(max(plays) > 999 for plays in g.usage):
        return "usage: more than 999 calls of a play are possible only in overtime"
    return _overtime_fault(g)


def _overtime_fault(g: Position) -> str | None:
    """R105: Check that an overtime in progress has a stage, and some stages a team."""
    plays = g.phase not in (p.COIN_TOSS, p.OVER)
    if g.period <= LAST_QUARTER or g.phase == p.COIN_TOSS:
        return "overtime: it has not started" if g.overtime or g.overtime_team >= 0 else None
    if plays and g.overtime == p.NO_OVERTIME:
        return "overtime: a period after the fourth needs first, reply or sudden"
    if plays and (g.overtime == p.SUDDEN) != (g.overtime_team < 0):
        return "overtime_team: first and reply need home or away; sudden needs none"
    return None


def ball_fault(g: Position) -> str | None:
    """Check who has the ball, and where."""
    if g.asks == p.ASK_TOSS and g.holder < 0:
        return "asks toss needs holder, the winner of the toss"
    if g.phase in (p.COIN_TOSS, p.OVER):
        return None
    if g.possession < 0:
        return f"phase {p.PHASES[g.phase]} needs possession, home or away"
    if g.spot == 0:
        return f"phase {p.PHASES[g.phase]} needs a spot, 1 to 99"
    if g.phase == p.SCRIMMAGE and g.to_go > 100 - g.spot:
        return f"to_go {g.to_go} is beyond the goal line, {100 - g.spot} yards away"
    if g.asks in (p.ASK_OFFENSE_TIMEOUT, p.ASK_DEFENSE_TIMEOUT, p.ASK_TEMPO):
        g.seconds = g.seconds or IN_BOUNDS_SECONDS
        if g.seconds != IN_BOUNDS_SECONDS:
            return (
                f"seconds {g.seconds}: a play that leaves the clock running takes "
                f"{IN_BOUNDS_SECONDS}"
            )
    return None


# --- The play in progress ------------------------------------------------------------------


def play_fault(m: Match, g: Position) -> str | None:
    """Report what is impossible in the middle of a play."""
    if g.asks in (p.ASK_PLAY, p.ASK_FORMATION, p.ASK_OFFENSE_AUDIBLE, p.ASK_DEFENSE_AUDIBLE):
        return call_fault(m, g)
    if g.asks not in QUESTION_CHECKS:
        return None
    ask = p.ASKS[g.asks]
    plays, check = QUESTION_CHECKS[g.asks]
    if g.play not in plays or not fits_phase(g):
        played = "nothing" if g.play < 0 else p.ALL_PLAYS[g.play]
        return f"play: {played} cannot be in progress when {ask} is asked"
    if g.holder < 0:
        return f"asks {ask} needs holder, home or away"
    if g.formation >= 0 and g.play >= len(PLAYS):
        return f"formation: the defense calls none against {p.ALL_PLAYS[g.play]}"
    return foul_fault(m, g) or return_foul_fault(g) or yards_fault(g) or check(m, g)


def fits_phase(g: Position) -> bool:
    """Return whether the play in progress belongs to this phase."""
    if g.play in (p.PLAY_KICKOFF, p.PLAY_SQUIB):
        return g.phase in (p.KICKOFF, p.SAFETY_KICK)
    if g.play in (p.PLAY_PUNT, p.PLAY_FIELD_GOAL):
        return g.phase == p.SCRIMMAGE
    if g.play == p.PLAY_EXTRA_POINT:
        return g.phase == p.TRY and g.spot < TRY_SPOT
    return g.phase in (p.SCRIMMAGE, p.TRY)


def call_fault(m: Match, g: Position) -> str | None:
    """R7, R112: Check what has been called, and what is still to be called."""
    ask = p.ASKS[g.asks]
    if g.asks == p.ASK_PLAY:
        alone = g.formation >= 0 and not g.audibled
        return "formation: it is set before the play only after an audible" if alone else None
    if not 0 <= g.play < len(PLAYS):
        return f"asks {ask} needs play, one of the nine plays"
    if _is_refused(m, g):
        return f"play: {p.ALL_PLAYS[g.play]} is not allowed here"
    if g.asks == p.ASK_FORMATION:
        return None
    if g.formation < 0:
        return f"asks {ask} needs a formation"
    if m.audibles == p.AUDIBLES_OFF:
        return f"asks {ask} needs the option audibles"
    if g.prompted and m.audibles != p.AUDIBLES_PC:
        return "prompted: needs the option audibles=pc"
    return None


def _is_refused(m: Match, g: Position) -> bool:
    """Return whether the play could not have been called here."""
    asks, g.asks = g.asks, p.ASK_PLAY
    refused = refusal(m, g, g.play) != LEGAL
    g.asks = asks
    return refused


def foul_fault(m: Match, g: Position) -> str | None:
    """Report a foul that the play's chart cannot show."""
    kicks_off = g.play in (p.PLAY_KICKOFF, p.PLAY_SQUIB)
    if g.foul in (p.OFF_40, p.GROUNDING) or (kicks_off and g.foul not in (p.NO_FOUL, p.OFF_5)):
        return f"foul: {p.FOULS[g.foul]} is never pending on {p.ALL_PLAYS[g.play]}"
    if g.foul != p.NO_FOUL and g.play == p.PLAY_SQUIB:
        return "foul: a squib kick has no fouls"
    if g.foul == p.PI and not is_pass(g.play):
        return "foul: pi needs a pass"
    if g.foul == p.HOLDING and not (g.asks == p.ASK_PENALTY and is_pass(g.play)):
        return "foul: holding needs a pass and the question penalty"
    if g.foul == p.HOLDING and not m.decline_holding:
        return "foul: holding cannot be pending: the option decline_holding is off"
    if g.foul_yards and g.foul != p.PI:
        return "foul_yards: only pass interference has its own yards"
    return None


def return_foul_fault(g: Position) -> str | None:
    """R76: Check a foul on a return, its team, and the point from which it is measured."""
    if g.return_foul == p.NO_FOUL:
        lone = g.return_foul_by >= 0 or g.mid_point != p.NO_MID_POINT
        return "return_foul_by and mid_point need a return_foul" if lone else None
    if g.return_foul not in (p.OFF_5, p.OFF_10, p.OFF_15, p.DEF_5, p.DEF_5X, p.DEF_15):
        return f"return_foul: {p.FOULS[g.return_foul]} is not a foul on a return"
    if g.return_foul_by < 0:
        return "return_foul needs return_foul_by, home or away"
    if g.mid_point == p.NO_MID_POINT:
        return None
    lowest, highest = mid_point(DEEPEST_RETURN_SPOT), mid_point(99)
    if g.return_foul_by != g.holder or not lowest <= g.mid_point <= highest:
        return f"mid_point: {lowest} to {highest}, and only for a foul of the returning team"
    return None


def yards_fault(g: Position) -> str | None:
    """Check that the gain stays on the field and that `way` fits the play."""
    if not -g.spot <= g.gain <= 100 - g.spot:
        return f"gain {g.gain} from spot {g.spot} is off the field"
    ways: tuple[int, ...] = (p.NO_WAY,)
    if g.play < len(PLAYS):
        passes = (p.COMPLETED, p.MISSED, p.INTERCEPTED, p.SACKED, p.SCRAMBLED)
        ways = (p.NO_WAY, p.RAN, *(passes if is_pass(g.play) else ()))
    if g.way not in ways:
        return f"way: {p.WAYS[g.way]} cannot result from {p.ALL_PLAYS[g.play]}"
    kicked = g.play in (p.PLAY_KICKOFF, p.PLAY_SQUIB, p.PLAY_PUNT)
    if g.returned != p.NOWHERE and not kicked:
        return "returned: only for a kickoff, squib or punt"
    return None


def kick_return_fault(m: Match, g: Position) -> str | None:
    """R51: Check a kick in the receiving team's end zone."""
    if g.holder != 1 - g.possession or not DEEPEST_RETURN_SPOT <= g.start <= 0:
        receivers = TEAMS[1 - g.possession]
        return f"asks kick-return needs holder {receivers} and start, {DEEPEST_RETURN_SPOT} to 0"
    return None


def roll_or_return_fault(m: Match, g: Position) -> str | None:
    """R61: Check a punt inside the receiving team's 10."""
    if g.holder != 1 - g.possession or not 1 <= g.start <= 100 - PUNT_ROLL_FROM:
        receivers = TEAMS[1 - g.possession]
        return f"asks roll-or-return needs holder {receivers} and start, 1 to 10"
    return _punt_fault(g)


def _punt_fault(g: Position) -> str | None:
    """Check that the length of a punt agrees with where it came down."""
    length = 100 - g.start - g.spot
    if length < 0:
        return f"start {g.start}: a punt from {g.spot} cannot come down behind its line"
    g.gain = g.gain or length
    return None if g.gain == length else f"gain {g.gain}: the punt was {length} yards long"


def fumble_return_fault(m: Match, g: Position) -> str | None:
    """R44, R45, R68: Check a recovered ball in the field; the own one if the option allows."""
    if not 1 <= g.start <= 99:
        return "asks fumble-return needs start, 1 to 99"
    own = g.phase == p.TRY or g.changes == 0
    if own and not (m.offence_fumble_return and (g.phase != p.TRY or g.holder == g.possession)):
        return "asks fumble-return needs changes, how often the ball changed hands"
    return None


def roll_again_fault(m: Match, g: Position) -> str | None:
    """R69: After a flag, check that the column rolled again belongs to the play."""
    if g.rolls_on not in REROLL_COLUMNS or g.play not in REROLL_COLUMNS[g.rolls_on][1]:
        return "asks roll-again needs rolls_on, a column of the play"
    side = REROLL_COLUMNS[g.rolls_on][0]
    name = layout.LONG_COLUMNS[g.rolls_on].name
    if side != _ANYBODY and g.holder != (g.possession if side == _KICKERS else 1 - g.possession):
        return f"holder: {TEAMS[g.holder]} does not roll on {name} here"
    if side == _KICKERS:
        return _same_column_fault(g)
    if g.return_foul == p.NO_FOUL:
        return f"asks roll-again on {name} needs a return_foul"
    return _return_fault(m, g)


def _same_column_fault(g: Position) -> str | None:
    """Check a play that its own flag has stopped: it has no result yet."""
    if g.rolls_on < len(PLAYS) and g.formation < 0:
        return "asks roll-again on a play needs a formation"
    if g.rolls_on == layout.KICKOFF and g.foul != p.OFF_5:
        return "asks roll-again on kickoff needs foul off-5"
    begun = g.return_foul or g.start != p.NOWHERE or g.changes or g.way or g.gain or g.out
    if begun or g.returned != p.NOWHERE:
        return "a play that is rolled again from its start has no result yet"
    if g.penalty_roll and g.rolls_on >= len(PLAYS):
        return "penalty_roll: the defense's chart applies only to the nine plays"
    return "shorter: only a punt can be a pooch" if g.shorter and g.play != p.PLAY_PUNT else None


def _return_fault(m: Match, g: Position) -> str | None:
    """Check a return that its own flag has stopped."""
    if g.shorter or g.penalty_roll:
        return "shorter and penalty_roll apply only at the start of a play"
    if g.rolls_on == layout.FUMBLE_RETURN:
        return fumble_return_fault(m, g)
    lowest = 1 if g.rolls_on == layout.PUNT_RETURN else DEEPEST_RETURN_SPOT
    if not lowest <= g.start <= 99:
        return f"asks roll-again needs start, {lowest} to 99"
    if g.rolls_on == layout.INT_RETURN:
        alone = g.phase == p.SCRIMMAGE and g.changes == 1 and g.way == p.INTERCEPTED
        return None if alone else "an interception return needs changes 1 and way intercepted"
    return _punt_fault(g) if g.rolls_on == layout.PUNT_RETURN else None


def finished_play_fault(m: Match, g: Position) -> str | None:
    """Check how and where the finished play ended."""
    ask = p.ASKS[g.asks]
    if g.foul == p.NO_FOUL or (g.asks == p.ASK_TACK_ON) != _is_punting_foul(g):
        return f"asks {ask} needs a foul that fits the question"
    if g.result in (p.ENDS_DOWN, p.ENDS_INCOMPLETE, p.ENDS_GOOD):
        allowed_spots = range(1, 100) if g.result == p.ENDS_DOWN else (g.spot,)
    elif g.result in (p.ENDS_TOUCHDOWN, p.ENDS_SAFETY, p.ENDS_TOUCHBACK):
        allowed_spots = (100,) if g.result == p.ENDS_TOUCHDOWN else (0,)
    else:
        return f"asks {ask} needs a final result, not {p.RESULTS[g.result]}"
    if g.at not in allowed_spots:
        return f"at {g.at} does not match result {p.RESULTS[g.result]}"
    kicked = g.play in (p.PLAY_FIELD_GOAL, p.PLAY_EXTRA_POINT)
    offense_has_ball = g.holder == g.possession
    if g.result == p.ENDS_GOOD and not (kicked and offense_has_ball):
        return "result good needs a field goal or extra point by the kicking team"
    if g.result == p.ENDS_INCOMPLETE and not (is_pass(g.play) and offense_has_ball):
        return "result incomplete needs a pass by the offense"
    return None


def _is_punting_foul(g: Position) -> bool:
    """R62: Return whether the punting team has fouled."""
    return g.play == p.PLAY_PUNT and is_offensive(g.foul)


# For each question in the middle of a play: the plays that may be in progress, and the check.
QUESTION_CHECKS: dict[int, tuple[tuple[int, ...], Callable[[Match, Position], str | None]]] = {
    p.ASK_KICK_RETURN: ((p.PLAY_KICKOFF, p.PLAY_SQUIB), kick_return_fault),
    p.ASK_REKICK: ((p.PLAY_KICKOFF,), finished_play_fault),
    p.ASK_ROLL_OR_RETURN: ((p.PLAY_PUNT,), roll_or_return_fault),
    p.ASK_FUMBLE_RETURN: (_RETURNED, fumble_return_fault),
    p.ASK_PENALTY: ((*range(p.PLAY_KNEEL), p.PLAY_EXTRA_POINT), finished_play_fault),
    p.ASK_TACK_ON: ((p.PLAY_PUNT,), finished_play_fault),
    p.ASK_ROLL_AGAIN: ((*_RETURNED, p.PLAY_EXTRA_POINT), roll_again_fault),
}
