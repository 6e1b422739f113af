"""Selection of the best value source for a match.

The solved game if there is a solution, else the table of the pairing if there is one, else the
game's heuristic values, else rollouts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, TypedDict, TypeVar, Unpack

from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.values import pairing_source, solution
from hashmark.values.heuristic_values import HeuristicValues
from hashmark.values.pairing_source import PairingSource
from hashmark.values.value import (
    DEFAULT_TIE_VALUE,
    CallValues,
    RolloutProgress,
    Value,
    ValueSource,
)

Answer = TypeVar("Answer")


class RolloutSettings(TypedDict, total=False):
    """Settings of `Rollouts`, each with a default."""

    games: int
    seed: int
    threads: int | None
    engine: str
    stop_early: bool
    progress: RolloutProgress | None


def source_of(
    rules: RuleSet,
    options: Mapping[str, Any] | None = None,
    *,
    m: MatchRecord | None = None,
    tie: float = DEFAULT_TIE_VALUE,
    **settings: Unpack[RolloutSettings],
) -> ValueSource:
    """Return the best source for a match, given by its options or as the match `m` itself.

    The settings are those of `Rollouts` and apply to rollouts only.
    """
    match = rules.new_match(options) if m is None else m

    def make_rollouts() -> ValueSource:
        from hashmark.values.rollouts import Rollouts

        return Rollouts(rules, match, tie=tie, **settings)

    solved = solved_source(rules, match, tie)
    if solved is not None and not isinstance(solved, PairingSource):
        return SolvedOrRollouts(solved, make_rollouts)
    if solved is not None:
        return solved
    if HeuristicValues.is_available(rules, match):
        return HeuristicValues(rules, match, tie=tie)
    return make_rollouts()


class SolvedOrRollouts:
    """Exact values, with rollouts for positions that the solution does not contain."""

    def __init__(self, solved: ValueSource, make_fallback: Callable[[], ValueSource]) -> None:
        self.solved, self._make_fallback = solved, make_fallback
        self.rules, self.m = solved.rules, solved.m
        self.tie = solved.tie
        self._is_solved_used = False

    @cached_property
    def fallback(self) -> ValueSource:
        return self._make_fallback()

    @property
    def description(self) -> str:
        """The method of the values returned so far: exact, rollouts, or both."""
        if "fallback" not in self.__dict__:
            return self.solved.description
        if not self._is_solved_used:
            return self.fallback.description
        return f"{self.solved.description}; outside the solution, {self.fallback.description}"

    def value(self, g: PositionRecord) -> Value:
        """Return the value of a position."""
        return self._solved_or(lambda source: source.value(g))

    def judge(self, g: PositionRecord, before: PositionRecord | None = None) -> CallValues:
        """Return the value of every legal call of the team to act."""
        return self._solved_or(lambda source: source.judge(g, before))

    def _solved_or(self, ask: Callable[[ValueSource], Answer]) -> Answer:
        try:
            answer = ask(self.solved)
        except solution.NotSolved:
            return ask(self.fallback)
        self._is_solved_used = True
        return answer


def solved_source(
    rules: RuleSet, m: MatchRecord, tie: float = DEFAULT_TIE_VALUE
) -> ValueSource | None:
    """Return the solution of a match, or the table of its pairing; None if it is not solved."""
    return solution.find(rules, m, tie) or pairing_source.find(rules, m, tie)
