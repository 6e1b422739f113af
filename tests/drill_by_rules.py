"""Values of the two-minute drill computed by the rules alone, for comparison with the search.

Nothing here looks ahead on its own: every answer and every die is tried by running the rules. The
value of a position between two plays comes from the coach's own table, since no rule defines it.
"""

from __future__ import annotations

from typing import Any

from hashmark.engine.effects import EffectHandler
from hashmark.engine.record import HOME
from hashmark.games.two_minute_drill import RULES
from hashmark.games.two_minute_drill import position as p
from hashmark.games.two_minute_drill.value import (
    WIN_VALUE,
    last_chance_value,
    position_value,
    win_value,
)
from hashmark.odds import enumeration

# Chains of extra effort are rounded down at each roll; WIN_VALUE is over a hundred million.
ROUNDING = 60


def copy_after(g: Any, act: Any) -> Any:
    """Return a copy of a position after rules without dice have acted on it."""
    changed = g.copy()
    changed.handler = EffectHandler()
    act(changed)
    return changed


class Oracle:
    """Value of a position during a play, found by trying everything."""

    def __init__(self, m: Any, period: int = 1) -> None:
        self.m, self.period = m, period
        self.cache: dict[tuple[int, ...], float] = {}

    def value(self, g: Any) -> float:
        key = tuple(g.flat())
        if key not in self.cache:
            self.cache[key] = self._value(g)
        return self.cache[key]

    def _value(self, g: Any) -> float:
        if g.phase == p.OVER or g.phase == p.SCRIMMAGE:
            return self.value_between_plays(g)
        return max(self.answer_value(g, call) for call in RULES.legal_calls(self.m, g))

    def value_between_plays(self, g: Any) -> float:
        """Return the value between two plays, by the coach's table."""
        if g.period > self.period:  # the first drive was won, and the other team replies
            return win_value(self.m, Oracle.as_first_drive(g), g.clock)
        if g.phase == p.OVER:
            return WIN_VALUE if g.winner == g.possession else 0
        if g.chance:
            return last_chance_value(self.m, g, g.clock, g.spot, g.hash, g.timeouts)
        return position_value(self.m, g, g.clock, g.spot, g.hash, g.down, g.to_go, g.timeouts)

    @staticmethod
    def as_first_drive(g: Any) -> Any:
        back = g.copy()
        back.period, back.possession = 1, HOME
        return back

    def answer_value(self, g: Any, call: int) -> float:
        """Return the expected value of an answer over all dice that follow it at once."""
        leaves = enumeration.enumerate_step(RULES, self.m, g, call)
        return sum(float(chance) * self.value(end) for chance, end, _ in leaves)
