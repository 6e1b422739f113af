"""A source for tests: the value of every position by plain enumeration to the end of the game.

The obvious way, and only for games that are nearly over: few steps are left.
"""

from __future__ import annotations

from typing import Any

from hashmark.odds.outlook import outlook
from hashmark.table.record import winner
from hashmark.table.rules import NO_CALL, RuleSet
from hashmark.values.value import HALF, Judgement, Value


class Enumerated:
    """Exact values of a match; what was asked once is kept."""

    said = "exact: every way to the end was counted"

    def __init__(self, rules: RuleSet, m: Any, tie: float = HALF) -> None:
        self.rules, self.m, self.tie = rules, m, tie
        self.kept: dict[tuple[int, ...], Value] = {}

    def value(self, g: Any) -> Value:
        key = tuple(self._essence(g).flat())
        if key not in self.kept:
            self.kept[key] = self._value(g)
        return self.kept[key]

    def _essence(self, g: Any) -> Any:
        """What counts: the game's own word, and the lead rather than the score."""
        if self.rules.is_over(g):
            return g
        seen = g.copy()
        self.rules.forget(self.m, seen)
        seen.score = [points - min(g.score) for points in g.score]
        return seen

    def _value(self, g: Any) -> Value:
        if self.rules.is_over(g):
            return Value.of_winner(winner(g))
        if not self.rules.questions[self.rules.question(self.m, g)].calls:
            return self._after(g, NO_CALL)
        return self.judge(g).value

    def judge(self, g: Any, before: Any = None) -> Judgement:
        calls = self.rules.legal_calls(self.m, g)
        values = {call: self._after(g, call) for call in calls}
        return Judgement(self.rules.asked(self.m, g), values, dict.fromkeys(calls, 0.0), self.tie)

    def _after(self, g: Any, call: int) -> Value:
        outcomes = outlook(self.rules, self.m, g, call, "plain").outcomes
        values = [(one.chance, self.value(one.position)) for one in outcomes]
        return Value(
            sum(chance * value.home for chance, value in values),
            sum(chance * value.tie for chance, value in values),
            sum(chance * value.away for chance, value in values),
        )
