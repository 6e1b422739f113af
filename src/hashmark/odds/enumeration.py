"""Exact enumeration of a step in plain Python, with fractions.

The step runs repeatedly, each time along another path of dice outcomes: at its end the path is
extended with first outcomes, then it is advanced like an odometer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from hashmark.engine.dice import Pool
from hashmark.engine.effects import EffectHandler
from hashmark.engine.events import EventKind, Values
from hashmark.engine.record import MatchRecord, PositionRecord, PositionT
from hashmark.engine.rule_set import NO_CALL, RuleSet
from hashmark.errors import HashmarkError

BOOK_CALL = -2  # as a call: the window's default, or the book coach's call


Leaf = tuple[Fraction, Any, list[list[int]]]
"""One way that dice can fall: its chance, the position after it, and the statistics by team."""


class DicePath(EffectHandler):
    """Effect handler that follows one path of dice outcomes and multiplies their chances."""

    def __init__(self, rules: RuleSet, draws: bool = False) -> None:
        """Start at the first path; with `draws`, also follow the draws of mixing coaches."""
        self.statistics, self.follows_draws = rules.statistics, draws
        self.columns: dict[tuple[int, int, int], list[tuple[int, Fraction]]] = {}
        self.checks: dict[tuple[int, int], tuple[tuple[int, Fraction], ...]] = {}
        self.choices: list[int] = []
        self.sizes: list[int] = []
        self.restart()

    def restart(self) -> None:
        """Return to the start of the path."""
        self.depth = 0
        self.numerator = self.denominator = 1
        self.counts = self.statistics.empty_counts()

    @property
    def chance(self) -> Fraction:
        """Chance of the path so far; kept as two integers and reduced only here."""
        return Fraction(self.numerator, self.denominator)

    def advance(self) -> bool:
        """Advance to the next path; return False after the last."""
        while self.choices and self.choices[-1] + 1 == self.sizes[-1]:
            self.choices.pop()
            self.sizes.pop()
        if not self.choices:
            return False
        self.choices[-1] += 1
        return True

    def _outcome(self, size: int) -> int:
        if self.depth == len(self.choices):
            self.choices.append(0)
            self.sizes.append(size)
        self.depth += 1
        return self.choices[self.depth - 1]

    def _take(self, pool: Pool, column: Sequence[tuple[int, Fraction]]) -> int:
        """Return the outcome of a roll on this path, from all outcomes with their chances."""
        depth, digits = self.depth, self.choices
        if depth == len(digits):
            digits.append(0)
            self.sizes.append(len(column))
        self.depth = depth + 1
        value, chance = column[digits[depth]]
        top, bottom = chance.as_integer_ratio()
        self.numerator *= top
        self.denominator *= bottom
        return value

    def roll(self, g: PositionRecord, pool: Pool, team: int) -> int:
        return self._take(pool, pool.odds)

    def check(self, g: PositionRecord, pool: Pool, at_most: int, team: int) -> bool:
        column = self.checks.get((id(pool), at_most))
        if column is None:
            chance = pool.chance(at_most)
            outcomes = ((1, chance), (0, 1 - chance))
            column = tuple(outcome for outcome in outcomes if outcome[1])
            self.checks[id(pool), at_most] = column
        if len(column) == 1:
            return bool(column[0][0])
        return bool(self._take(pool, column))

    def roll_within(self, g: PositionRecord, pool: Pool, low: int, high: int, team: int) -> int:
        return self._take_merged((id(pool), low, high), pool, lambda v: max(low, min(high, v)))

    def look_up(
        self, g: PositionRecord, pool: Pool, cells: Sequence[int], first: int, team: int
    ) -> int:
        key = (id(pool), id(cells), first)
        column = self.columns.get(key)
        if column is not None:
            return self._take(pool, column)
        return self._take_merged(key, pool, lambda value: cells[first + value - pool.lowest])

    def _take_merged(
        self, key: tuple[int, int, int], pool: Pool, meaning: Callable[[int], int]
    ) -> int:
        """Return the meaning of a roll; outcomes with equal meaning are merged."""
        if key not in self.columns:
            chances: dict[int, Fraction] = {}
            for value, chance in sorted(pool.odds):
                meant = meaning(value)
                chances[meant] = chances.get(meant, Fraction(0)) + chance
            self.columns[key] = list(chances.items())
        return self._take(pool, self.columns[key])

    def emit(self, event: EventKind, team: int, values: Values) -> None:
        self.statistics.add(self.counts, event, team, values)

    def draw(self, n: int) -> int:
        if not self.follows_draws:
            raise HashmarkError("a rule must not draw: only coaches do")
        self.denominator *= n
        return self._outcome(n)


def enumerate_outcomes(
    rules: RuleSet, g: PositionT, act: Callable[[PositionT], None], draws: bool = False
) -> Iterator[Leaf]:
    """Yield every way that rules can act on a position: chance, position after, statistics."""
    path = DicePath(rules, draws)
    while True:
        path.restart()
        after = g.copy()
        after.handler = path
        act(after)
        yield path.chance, after, path.counts
        if not path.advance():
            return


def enumerate_step(
    rules: RuleSet, m: MatchRecord, g: PositionRecord, call: int, through: bool = False
) -> Iterator[Leaf]:
    """Yield every way that a step can go: chance, position after, statistics.

    With `through`, windows take their defaults up to the next call that must be made. The call
    BOOK_CALL stands for the window's default or the book coach's call.
    """

    def act(after: PositionRecord) -> None:
        code = book_call(rules, m, after) if call == BOOK_CALL else call
        rules.step(m, after, code)
        while through and rules.questions[rules.question(m, after)].is_window:
            rules.step(m, after, rules.questions[rules.question(m, after)].default)

    return enumerate_outcomes(rules, g, act, draws=call == BOOK_CALL)


def book_call(rules: RuleSet, m: MatchRecord, g: PositionRecord) -> int:
    """Return the call made in the middle of a play."""
    question = rules.questions[rules.question(m, g)]
    if not question.calls:
        return NO_CALL
    if question.is_window and not rules.book_in_windows:
        return question.default
    with rules.redacted(m, g, rules.team_to_act(m, g), g.handler):
        return rules.decide(rules.coach("book"), m, g)
