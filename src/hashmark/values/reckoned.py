"""Values that a game reckons itself: a table of what positions are worth, looked ahead from.

`RuleSet.reckon` gives the chance to win by each call, or of the dice where nobody is asked.
"""

from __future__ import annotations

import math
from typing import Any

from hashmark.table.errors import HashmarkError
from hashmark.table.record import HOME, winner
from hashmark.table.rules import RuleSet
from hashmark.values.value import HALF, Judgement, Value

# How far such a table is off, in standard deviations of one game: measured for the two-minute drill
# against the searching coach (docs/values.md). Calls are not told apart more surely than that.
OFF = 0.12
LEAST = 0.001  # a chance that no table tells from 0, nor its complement from 1


class Reckoned:
    """What the game itself says of positions of one match."""

    said = "estimated by the game's own table of what positions are worth, looked ahead from"

    def __init__(self, rules: RuleSet, m: Any, *, tie: float = HALF) -> None:
        if rules.reckon is None:
            raise HashmarkError(f"{rules.name} does not say what its positions are worth")
        self.rules, self.m, self.tie = rules, m, tie
        self._reckon = rules.reckon

    @classmethod
    def knows(cls, rules: RuleSet, m: Any) -> bool:
        """Whether the game has a table, and it is that of this match: of the usual options."""
        return rules.reckon is not None and bool(m.flat() == rules.new_match().flat())

    def value(self, g: Any) -> Value:
        """The value of a position: of its best call, or of the dice."""
        if self.rules.is_over(g):
            return Value.of_winner(winner(g))
        return _value(self.rules.asked(self.m, g), max(self._chances(g).values()))

    def judge(self, g: Any, before: Any = None) -> Judgement:
        """Every legal call; no call is secret in a game with such a table."""
        if not self.rules.questions[self.rules.question(self.m, g)].calls:
            raise HashmarkError("nobody is asked in this position")
        team, chances = self.rules.asked(self.m, g), self._chances(g)
        legal = self.rules.legal_calls(self.m, g)
        calls = {call: _value(team, chances[call]) for call in legal if call in chances}
        best = max(calls, key=lambda call: calls[call].worth(team, self.tie))
        errors = {
            call: 0.0 if call == best else max(value.error, calls[best].error)
            for call, value in calls.items()
        }
        return Judgement(team, calls, errors, self.tie)

    def _chances(self, g: Any) -> dict[int, float]:
        """The chance to win of the team that is asked, by each call."""
        return {call: min(max(one, 0.0), 1.0) for call, one in self._reckon(self.m, g).items()}


def _value(team: int, chance: float) -> Value:
    """A chance to win as a value, with the error of the table."""
    home = chance if team == HOME else 1 - chance
    near = min(max(chance, LEAST), 1 - LEAST)
    return Value(home, 0.0, 1 - home, OFF * math.sqrt(near * (1 - near)))
