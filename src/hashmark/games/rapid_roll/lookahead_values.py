"""Win probabilities from the search of the coach `best`, for odds, best calls and reviews.

A tie counts as half a win.
"""

from __future__ import annotations

from collections.abc import Iterable

from hashmark.engine.rule_set import NO_CALL
from hashmark.engine.search_work import plain_work
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll.blind_table import WHOLE, load_table
from hashmark.games.rapid_roll.lookahead import (
    CANDIDATES,
    MAX_CANDIDATES,
    WORK_SIZE,
    mean_worth,
    question_row,
)
from hashmark.games.rapid_roll.position import Match, Position
from hashmark.games.rapid_roll.rules import LEGAL, refusal

# In standard deviations of one game, by `benchmarks/rapid_roll_best.py`: the upper bound (97.5 %)
# of the error of a value, and three times what another play of search changes in the difference
# between two calls.
ERROR, CALL_ERROR = 0.07, 0.01


def win_chances(m: Match, g: Position) -> dict[int, float]:
    """Return the win probability of the team to act by call; the coin toss is even."""
    if g.phase == p.OVER:
        return {}
    if g.phase == p.COIN_TOSS and g.window == p.NONE:
        return {NO_CALL: 0.5}
    work, table = plain_work(Position, WORK_SIZE), load_table()
    return {
        call: mean_worth(m, g, work, table, call) / WHOLE
        for call in _calls(g)
        if refusal(m, g, call) == LEGAL
    }


def _calls(g: Position) -> Iterable[int]:
    """Return the calls that answer the pending question."""
    if g.window == p.MAGIC_CHOICE:
        return range(p.MAGIC_0, p.MAGIC_0 + p.MAX_MAGIC_YARDS + 1)
    row = question_row(g)
    if row == p.SCRIMMAGE:
        return range(p.LINE_RUN, p.SPIKE)
    candidates = (CANDIDATES[row, index] for index in range(MAX_CANDIDATES))
    return [call for call in candidates if call != p.NO_PLAY]
