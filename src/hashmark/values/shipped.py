"""Values of the value function that a game ships: instant, in plain Python, with a measured error.

A position is looked up; a call is the mean over its dice of the positions after it. So the calls of
a decision are compared with one step of the exact rules.
"""

from __future__ import annotations

from collections.abc import Iterable

from hashmark.engine.record import HOME, MatchRecord, PositionRecord, winner
from hashmark.engine.rule_set import NO_CALL, RuleSet
from hashmark.engine.value_function import Chances, ValueFunction
from hashmark.errors import HashmarkError
from hashmark.values.value import DEFAULT_TIE_VALUE, CallValues, Method, NoValue, Value

MAX_LEAVES = 20_000  # ways that the dice of a call can fall; more take too long in plain Python


class ShippedSource:
    """Source of values from the value function of a game."""

    tie = DEFAULT_TIE_VALUE  # what a tie is worth in every value function

    def __init__(self, rules: RuleSet, m: MatchRecord, function: ValueFunction) -> None:
        self.rules, self.m, self.function = rules, m, function

    @classmethod
    def find(cls, rules: RuleSet, m: MatchRecord, tie: float) -> ShippedSource | None:
        """Return the source of a game that ships a value function for this match, or None."""
        shipped = rules.solver.value_function
        if shipped is None or tie != DEFAULT_TIE_VALUE or not shipped.supports(rules, m):
            return None
        return cls(rules, m, shipped.load(rules, m))

    @property
    def description(self) -> str:
        """The method with its measured error."""
        error = self.function.error
        play = "best play by both teams, " if self.function.is_best_play else ""
        return (
            f"value function shipped with the game, {play}within {100 * error.mean:.1f} percentage "
            f"points of {error.reference} on average and {100 * error.p99:.1f} in 99 % of "
            f"{error.positions:,} positions"
        )

    def value(self, g: PositionRecord) -> Value:
        """Return the value of a position, one step ahead where the function does not cover it."""
        if self.rules.is_over(g):
            return Value.of_winner(winner(g))
        return self._value(self._chances(g))

    def judge(self, g: PositionRecord, before: PositionRecord | None = None) -> CallValues:
        """Return the value of every legal call of best play; secret calls are not covered."""
        if not self.function.is_best_play:
            raise NoValue(f"{self.rules.name}: the value function is not that of best play")
        question = self.rules.questions[self.rules.question(self.m, g)]
        legal = self.rules.legal_calls(self.m, g)
        if not question.calls:
            raise HashmarkError("no call is pending in this position")
        if before is not None or set(question.secret_calls) & set(legal):
            raise NoValue(f"{self.rules.name}: the value function does not cover secret calls")
        team = self.rules.team_to_act(self.m, g)
        calls = {call: self._value(self._chances_of_call(g, call)) for call in legal}
        best = max(calls, key=lambda call: calls[call].worth(team, self.tie))
        errors = {call: 0.0 if call == best else self.function.error.calls for call in calls}
        return CallValues(team, calls, errors, self.tie)

    def _value(self, chances: Chances) -> Value:
        home, tie, away = chances
        error = self.function.error.at(home + self.tie * tie)
        return Value(home, tie, away, error, Method.FITTED)

    def _chances(self, g: PositionRecord) -> Chances:
        """Return the chances of a position."""
        if self.rules.is_over(g):
            value = Value.of_winner(winner(g))
            return value.home, value.tie, value.away
        found = self.function.chances(self.m, g)
        if found is not None:
            return found
        if not self.rules.questions[self.rules.question(self.m, g)].calls:
            return self._chances_of_call(g, NO_CALL)
        team, legal = self.rules.team_to_act(self.m, g), self.rules.legal_calls(self.m, g)
        return max(
            (self._chances_of_call(g, call) for call in legal),
            key=lambda chances: chances[0 if team == HOME else 2] + self.tie * chances[1],
        )

    def _chances_of_call(self, g: PositionRecord, call: int) -> Chances:
        """Return the mean over the dice of a call."""
        from hashmark.odds import enumeration  # not needed to look a position up

        weights: dict[tuple[int, ...], float] = {}
        positions: dict[tuple[int, ...], PositionRecord] = {}
        leaves = enumeration.enumerate_step(self.rules, self.m, g, call)
        for number, (chance, after, _) in enumerate(leaves):
            if number == MAX_LEAVES:
                raise NoValue(f"{self.rules.name}: a call has too many outcomes to follow")
            key = tuple(after.flat())
            weights[key] = weights.get(key, 0.0) + float(chance)
            positions[key] = after
        return _mean((weights[key], self._chances(positions[key])) for key in weights)


def _mean(outcomes: Iterable[tuple[float, Chances]]) -> Chances:
    home = tie = away = 0.0
    for weight, chances in outcomes:
        home += weight * chances[0]
        tie += weight * chances[1]
        away += weight * chances[2]
    return home, tie, away
