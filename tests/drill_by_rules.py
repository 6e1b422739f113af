"""The two-minute drill as its rules alone see it: what the searching coach is compared with.

Nothing here looks ahead by itself: every answer and every die is tried by running the rules. What a
position between two plays is worth stands in the coach's own table, for that is no rule.
"""

from __future__ import annotations

from typing import Any

from hashmark.games.two_minute_drill import RULES
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.value import SURE, chance_worth, win_worth, worth
from hashmark.odds import plain
from hashmark.table.effects import Table
from hashmark.table.record import HOME

# Chains of extra effort are rounded down at each roll; SURE is over a hundred million.
ROUNDING = 60


def after(g: Any, act: Any) -> Any:
    """A copy of a position after rules without dice have acted on it."""
    made = g.copy()
    made.table = Table()
    act(made)
    return made


class Oracle:
    """The value of a position in the middle of a play, by trying everything."""

    def __init__(self, m: Any, period: int = 1) -> None:
        self.m, self.period = m, period
        self.known: dict[tuple[int, ...], float] = {}

    def value(self, g: Any) -> float:
        key = tuple(g.flat())
        if key not in self.known:
            self.known[key] = self._value(g)
        return self.known[key]

    def _value(self, g: Any) -> float:
        if g.phase == p.OVER or g.phase == p.SCRIMMAGE:
            return self.between(g)
        return max(self.answer(g, call) for call in RULES.legal_calls(self.m, g))

    def between(self, g: Any) -> float:
        """What a play has left, by the coach's table: no play is under way."""
        if g.period > self.period:  # the first drive was won, and the other team replies
            return win_worth(self.m, Oracle.first_drive(g), g.clock)
        if g.phase == p.OVER:
            return SURE if g.winner == g.possession else 0
        if g.chance:
            return chance_worth(self.m, g, g.clock, g.spot, g.hash, g.timeouts)
        return worth(self.m, g, g.clock, g.spot, g.hash, g.down, g.to_go, g.timeouts)

    @staticmethod
    def first_drive(g: Any) -> Any:
        back = g.copy()
        back.period, back.possession = 1, HOME
        return back

    def answer(self, g: Any, call: int) -> float:
        """The expectation of an answer over all dice that follow it at once."""
        leaves = plain.leaves(RULES, self.m, g, call)
        return sum(float(chance) * self.value(after) for chance, after, _ in leaves)
