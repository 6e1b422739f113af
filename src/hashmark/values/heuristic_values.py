"""Heuristic values: win probabilities from a game's own value table with lookahead.

`SolverHooks.heuristic_value` returns the win probability of each call, or of the dice if no team is
to call.
"""

from __future__ import annotations

import math

from hashmark.engine.record import HOME, MatchRecord, PositionRecord, winner
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import HashmarkError
from hashmark.values.value import DEFAULT_TIE_VALUE, CallValues, Method, Value

MIN_CHANCE = 0.001  # chances below this cannot be told from 0, nor their complements from 1


class HeuristicValues:
    """Heuristic values of one match's positions, from the game's own table.

    Calls cannot be separated more precisely than by the measured error of the values.
    """

    def __init__(self, rules: RuleSet, m: MatchRecord, *, tie: float = DEFAULT_TIE_VALUE) -> None:
        if rules.solver.heuristic_value is None:
            raise HashmarkError(f"{rules.name} has no heuristic values")
        self.rules, self.m, self.tie = rules, m, tie
        self._heuristic_value = rules.solver.heuristic_value
        self.description = rules.solver.heuristic_method

    @classmethod
    def is_available(cls, rules: RuleSet, m: MatchRecord) -> bool:
        """Return whether the game has a table and this match uses the default options it covers."""
        return rules.solver.heuristic_value is not None and bool(
            m.flat() == rules.new_match().flat()
        )

    def value(self, g: PositionRecord) -> Value:
        """Return the value of a position: that of its best call, or of the dice."""
        if self.rules.is_over(g):
            return Value.of_winner(winner(g))
        return self._value(self.rules.team_to_act(self.m, g), max(self._chances(g).values()))

    def judge(self, g: PositionRecord, before: PositionRecord | None = None) -> CallValues:
        """Return the value of every legal call; games with such a table have no secret calls."""
        if not self.rules.questions[self.rules.question(self.m, g)].calls:
            raise HashmarkError("no call is pending in this position")
        team, chances = self.rules.team_to_act(self.m, g), self._chances(g)
        legal = self.rules.legal_calls(self.m, g)
        calls = {call: self._value(team, chances[call]) for call in legal if call in chances}
        best = max(calls, key=lambda call: calls[call].worth(team, self.tie))
        hooks = self.rules.solver
        ratio = hooks.heuristic_call_error / hooks.heuristic_error
        errors = {
            call: 0.0 if call == best else ratio * max(value.error, calls[best].error)
            for call, value in calls.items()
        }
        return CallValues(team, calls, errors, self.tie)

    def _chances(self, g: PositionRecord) -> dict[int, float]:
        """Return the win probability of the team to act, by call."""
        return {
            call: min(max(chance, 0.0), 1.0)
            for call, chance in self._heuristic_value(self.m, g).items()
        }

    def _value(self, team: int, chance: float) -> Value:
        """Return a win probability as a value, with the error of the table."""
        home = chance if team == HOME else 1 - chance
        clipped = min(max(chance, MIN_CHANCE), 1 - MIN_CHANCE)
        error = self.rules.solver.heuristic_error * math.sqrt(clipped * (1 - clipped))
        return Value(home, 0.0, 1 - home, error, Method.HEURISTIC)
