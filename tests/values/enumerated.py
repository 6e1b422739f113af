"""Value source for tests: plain enumeration to the end of the game.

The obvious method, feasible only for games that are nearly over.
"""

from __future__ import annotations

from typing import Any

from hashmark.engine.record import MatchRecord, PositionRecord, winner
from hashmark.engine.rule_set import NO_CALL, RuleSet
from hashmark.odds.outlook import outlook
from hashmark.values.value import DEFAULT_TIE_VALUE, CallValues, Value


class Enumerated:
    """Exact values of a match, cached."""

    description = "exact: every way to the end was counted"

    def __init__(self, rules: RuleSet, m: MatchRecord, tie: float = DEFAULT_TIE_VALUE) -> None:
        self.rules, self.m, self.tie = rules, m, tie
        self.kept: dict[tuple[int, ...], Value] = {}

    def value(self, g: PositionRecord) -> Value:
        key = tuple(self._abstraction(g).flat())
        if key not in self.kept:
            self.kept[key] = self._value(g)
        return self.kept[key]

    def _abstraction(self, g: PositionRecord) -> Any:
        """Return the abstraction of a position, with the lead instead of the score."""
        if self.rules.is_over(g):
            return g
        reduced = g.copy()
        self.rules.solver.drop_irrelevant(self.m, reduced)
        reduced.score = [points - min(g.score) for points in g.score]
        return reduced

    def _value(self, g: PositionRecord) -> Value:
        if self.rules.is_over(g):
            return Value.of_winner(winner(g))
        if not self.rules.questions[self.rules.question(self.m, g)].calls:
            return self._after(g, NO_CALL)
        return self.judge(g).value

    def judge(self, g: PositionRecord, before: PositionRecord | None = None) -> CallValues:
        calls = self.rules.legal_calls(self.m, g)
        values = {call: self._after(g, call) for call in calls}
        return CallValues(
            self.rules.team_to_act(self.m, g), values, dict.fromkeys(calls, 0.0), self.tie
        )

    def _after(self, g: PositionRecord, call: int) -> Value:
        outcomes = outlook(self.rules, self.m, g, call, "plain").outcomes
        values = [(outcome.chance, self.value(outcome.position)) for outcome in outcomes]
        return Value(
            sum(chance * value.home for chance, value in values),
            sum(chance * value.tie for chance, value in values),
            sum(chance * value.away for chance, value in values),
        )
