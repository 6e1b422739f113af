"""Values of positions from the table of a pairing: a model of the game, not the game itself."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from hashmark.engine.record import HOME, MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.number_text import percent
from hashmark.values import pairing_table
from hashmark.values.value import DEFAULT_TIE_VALUE, CallValues, Method, MixedStrategy, Value


class PairingSource:
    """Values of a match whose pairing is solved; ties count half."""

    tie = DEFAULT_TIE_VALUE

    def __init__(self, rules: RuleSet, m: MatchRecord) -> None:
        self.rules, self.m = rules, m
        self._model = pairing_table.model_of(rules)

    @property
    def description(self) -> str:
        """The method, with the error of its values."""
        return (
            "value table of this pairing, drive-time model, error "
            f"± {percent(self._model.VALUE_ERROR)}"
        )

    @cached_property
    def _policy(self) -> Any:
        return self._model.make_policy(self.m, pairing_table.require(self.rules, self.m))

    @cached_property
    def _gap(self) -> float:
        """Mean of what the solver's mixes give away, as the error of differences."""
        return pairing_table.solver_gap(self.rules, self.m)

    def value(self, g: PositionRecord) -> Value:
        """Return the value of a position."""
        if self.rules.is_over(g):
            return Value.of_winner(self._model.winner_of(g))
        return self._value(float(self._model.worth_to_home(self.m, g, self._policy)))

    def judge(self, g: PositionRecord, before: PositionRecord | None = None) -> CallValues:
        """Return the value of every legal call.

        Hidden calls are judged against the equilibrium mix of the other team, so that a call of
        that team, which `g` may hold, does not matter. Calls that the model leaves out, such as
        whether to return a kick, are all worth the same.
        """
        team = self.rules.team_to_act(self.m, g)
        policy = self._policy
        self._model.judge_calls(self.m, g, policy)
        worths = {code: float(policy.worths[code]) for code in self.rules.legal_calls(self.m, g)}
        if min(worths.values()) < 0:
            position = self.value(g)
            return CallValues(team, dict.fromkeys(worths, position), dict.fromkeys(worths, 0.0))
        values = {
            code: self._value(worth if team == HOME else 1 - worth)
            for code, worth in worths.items()
        }
        return CallValues(team, values, dict.fromkeys(worths, self._gap))

    def _value(self, home: float) -> Value:
        home = min(max(home, 0.0), 1.0)
        return Value(home, 0.0, 1 - home, self._model.VALUE_ERROR, Method.TABLE)

    def mixes(self, g: PositionRecord) -> tuple[MixedStrategy, ...]:
        """Return the equilibrium mix of both teams' hidden calls."""
        found = self._model.hidden_mixes(self.m, g, self._policy)
        return tuple(
            MixedStrategy(
                team,
                {call: (share, worth, self._gap) for call, (share, worth) in calls.items()},
                worth,
                self._model.VALUE_ERROR,
                "from the value table of this pairing",
            )
            for team, calls, worth in found
        )


def find(rules: RuleSet, m: MatchRecord, tie: float) -> PairingSource | None:
    """Return the source of a match whose pairing is solved, or None."""
    if tie != DEFAULT_TIE_VALUE or pairing_table.find(rules, m) is None:
        return None
    return PairingSource(rules, m)
