"""The chance to win by each answer, by the value table of the game and the best play from there.

The searching coach asks which answer is best; here each answer gets its figure. Every choice and
every die that is still to come in the play is followed, as `search.py` does it. The table itself is
an estimate (`value.py`), so the figures are good for comparing answers, to about a point.
"""

from __future__ import annotations

from typing import Any

from hashmark.games.two_minute_drill import best_use as use
from hashmark.games.two_minute_drill import lookahead as a
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill import search as s
from hashmark.games.two_minute_drill.best_use import hand_worth
from hashmark.games.two_minute_drill.hand import referee_sum, side
from hashmark.games.two_minute_drill.rules import stop_for_dice
from hashmark.games.two_minute_drill.tables import DT_A, DT_B, TOP
from hashmark.games.two_minute_drill.value import SURE, worth
from hashmark.table.effects import Table, scratch
from hashmark.table.rules import NO_CALL

LOST = 0  # what an answer is worth at least


def reckon(m: Any, g: Any) -> dict[int, float]:
    """The chance to win the game by each answer to the question that is asked, or of the dice."""
    if g.phase == p.OVER:
        return {}
    if g.phase == p.SCRIMMAGE:
        found = _dice(m, g)
    elif g.phase == p.EFFORT:
        found = _effort(m, g)
    elif g.phase == p.RESULT:
        found = _result(m, g)
    elif g.phase == p.REROLL:
        found = _reroll(m, g)
    else:
        found = _answers(m, g)
    return {call: told / SURE for call, told in found.items()}


def _dice(m: Any, g: Any) -> dict[int, float]:
    """Before the roll: as the table says."""
    given = (g.clock, g.spot, g.hash, g.down, g.to_go, g.timeouts)
    return {NO_CALL: min(worth(m, g, *given), SURE)}


def _answers(m: Any, g: Any) -> dict[int, float]:
    """Each way to choose, turn or place the dice; a time-out is worth the best of what follows."""
    w = scratch(s.WORK)
    found: dict[int, float] = {}
    for at in range(s.candidates(g)):
        mode = s.prepare(g, w, at)
        if mode == use.STOPPED:
            after = g.copy()
            after.table = Table()
            stop_for_dice(after)
            found[p.TIME_OUT] = max(_answers(m, after).values())
        elif mode != use.NOTHING:
            found[s.call_of(g, at)] = hand_worth(m, g, w, mode, LOST)
    return found


def _reroll(m: Any, g: Any) -> dict[int, float]:
    """R7: to stand, or one or both DT dice again: the mean over their faces."""
    w = scratch(s.WORK)
    s.compare(m, g, w, s.candidates(g))
    found: dict[int, float] = {p.STAND: w[s.STAND]}
    if g.clock == 0:
        return found
    faces = range(1, 7)
    found[p.REROLL_A] = sum(s.pair_worth(w, x, g.dice[DT_B]) for x in faces) / 6
    found[p.REROLL_B] = sum(s.pair_worth(w, g.dice[DT_A], x) for x in faces) / 6
    found[p.REROLL_BOTH] = sum(s.pair_worth(w, x, y) for x in faces for y in faces) / s.PAIRS
    return found


def _effort(m: Any, g: Any) -> dict[int, float]:
    """R30: one more roll, or the yards in hand."""
    flag, to = int(referee_sum(g) >= 10), side(g)
    refused = a.refused_worth(m, g, g.clock, flag, g.timeouts)
    stop = a.kept_worth(m, g, g.clock, g.gain, to, g.efforts, flag, g.timeouts, refused)
    top = TOP[g.yards_ot]
    more = a.rolled_worth(m, g, g.clock, top, g.gain, to, g.efforts, flag, g.timeouts)
    return {p.STOP: stop, p.EFFORT_ROLL: more}


def _result(m: Any, g: Any) -> dict[int, float]:
    """R28, R33: the play, a time-out, or the penalty."""
    flag, to = int(referee_sum(g) >= 10), side(g)
    found: dict[int, float] = {}
    for call, spent in ((p.PLAY, 0), (p.TIME_OUT, 1)):
        if spent <= g.timeouts:
            found[call] = a.taken_worth(
                m, g, g.clock, g.gain, to, g.efforts, flag, g.timeouts, spent
            )
    if flag:
        found[p.PENALTY] = a.refused_worth(m, g, g.clock, flag, g.timeouts)
    return found
