"""Chance to win by each answer, from the value table and the best play to the end of the play.

The searching coach only needs the best answer; here each answer gets its number. Every choice and
every die that is still to come in the play is followed, as in `search.py`. The table is an estimate
(`value.py`), so the numbers compare answers to within about one percentage point.
"""

from __future__ import annotations

from hashmark.engine.effects import EffectHandler, scratch
from hashmark.engine.rule_set import NO_CALL
from hashmark.games.two_minute_drill import best_use as use
from hashmark.games.two_minute_drill import lookahead as a
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill import search as s
from hashmark.games.two_minute_drill.best_use import hand_value
from hashmark.games.two_minute_drill.hand import referee_sum, side
from hashmark.games.two_minute_drill.position import Match, Position
from hashmark.games.two_minute_drill.rules import stop_for_dice
from hashmark.games.two_minute_drill.tables import DT_A, DT_B, TOP_FACE
from hashmark.games.two_minute_drill.value import WIN_VALUE, position_value

LOST = 0  # lower bound of every answer's value


def heuristic_value(m: Match, g: Position) -> dict[int, float]:
    """Return the chance to win by each answer to the question, or of the dice before a roll."""
    if g.phase == p.OVER:
        return {}
    if g.phase == p.SCRIMMAGE:
        values = _roll_values(m, g)
    elif g.phase == p.EFFORT:
        values = _effort_values(m, g)
    elif g.phase == p.RESULT:
        values = _result_values(m, g)
    elif g.phase == p.REROLL:
        values = _reroll_values(m, g)
    else:
        values = _answer_values(m, g)
    return {call: value / WIN_VALUE for call, value in values.items()}


def _roll_values(m: Match, g: Position) -> dict[int, float]:
    """Return the table's value before the roll."""
    arguments = (g.clock, g.spot, g.hash, g.down, g.to_go, g.timeouts)
    return {NO_CALL: min(position_value(m, g, *arguments), WIN_VALUE)}


def _answer_values(m: Match, g: Position) -> dict[int, float]:
    """Evaluate each way to choose, turn or place the dice; a timeout gets the best that follows."""
    w = scratch(s.WORK_SIZE)
    values: dict[int, float] = {}
    for at in range(s.candidates(g)):
        mode = s.prepare(g, w, at)
        if mode == use.TIMEOUT_NOW:
            after = g.copy()
            after.handler = EffectHandler()
            stop_for_dice(after)
            values[p.TIME_OUT] = max(_answer_values(m, after).values())
        elif mode != use.IMPOSSIBLE:
            values[s.call_of(g, at)] = hand_value(m, g, w, mode, LOST)
    return values


def _reroll_values(m: Match, g: Position) -> dict[int, float]:
    """R7: evaluate standing, and rerolling one or both DT dice as the mean over their faces."""
    w = scratch(s.WORK_SIZE)
    s.compare(m, g, w, s.candidates(g))
    values: dict[int, float] = {p.STAND: w[s.BEST_STANDING]}
    if g.clock == 0:
        return values
    faces = range(1, 7)
    values[p.REROLL_A] = sum(s.pair_value(w, x, g.dice[DT_B]) for x in faces) / 6
    values[p.REROLL_B] = sum(s.pair_value(w, g.dice[DT_A], x) for x in faces) / 6
    values[p.REROLL_BOTH] = sum(s.pair_value(w, x, y) for x in faces for y in faces) / s.PAIR_COUNT
    return values


def _effort_values(m: Match, g: Position) -> dict[int, float]:
    """R30: evaluate rolling again and keeping the yards."""
    flag, to = int(referee_sum(g) >= 10), side(g)
    refused = a.penalty_value(m, g, g.clock, flag, g.timeouts)
    stop = a.best_result_value(m, g, g.clock, g.gain, to, g.efforts, flag, g.timeouts, refused)
    top = TOP_FACE[g.yards_ot]
    more = a.effort_value(m, g, g.clock, top, g.gain, to, g.efforts, flag, g.timeouts)
    return {p.STOP: stop, p.EFFORT_ROLL: more}


def _result_values(m: Match, g: Position) -> dict[int, float]:
    """R28, R33: evaluate the play, a timeout, and the penalty."""
    flag, to = int(referee_sum(g) >= 10), side(g)
    values: dict[int, float] = {}
    for call, spent in ((p.PLAY, 0), (p.TIME_OUT, 1)):
        if spent <= g.timeouts:
            values[call] = a.taken_play_value(
                m, g, g.clock, g.gain, to, g.efforts, flag, g.timeouts, spent
            )
    if flag:
        values[p.PENALTY] = a.penalty_value(m, g, g.clock, flag, g.timeouts)
    return values
