"""Selection of the best value source for a match.

The solved game if there is a solution, else the game's heuristic values, else rollouts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from hashmark.table.rules import RuleSet
from hashmark.values import solution
from hashmark.values.reckoned import Reckoned
from hashmark.values.value import GAMES, HALF, Judgement, Progress, Source, Value


def source_of(
    rules: RuleSet,
    options: Mapping[str, Any] | None = None,
    *,
    m: Any = None,
    tie: float = HALF,
    games: int = GAMES,
    seed: int = 0,
    threads: int | None = None,
    engine: str = "auto",
    tell_apart: bool = False,
    progress: Progress | None = None,
) -> Source:
    """Return the best source for a match, given by its options or as the match `m` itself.

    Parameters after `tie` apply to rollouts only.
    """
    match = rules.new_match(options) if m is None else m

    def make_rollouts() -> Source:
        from hashmark.values.rollouts import Rollouts

        return Rollouts(
            rules,
            match,
            tie=tie,
            games=games,
            seed=seed,
            threads=threads,
            engine=engine,
            tell_apart=tell_apart,
            progress=progress,
        )

    solved = solved_source(rules, match, tie)
    if solved is not None:
        return WhereSolved(solved, make_rollouts)
    if Reckoned.knows(rules, match):
        return Reckoned(rules, match, tie=tie)
    return make_rollouts()


class WhereSolved:
    """Exact values, with rollouts for positions that the solution does not contain."""

    def __init__(self, solved: Source, otherwise: Callable[[], Source]) -> None:
        self.solved, self._otherwise = solved, otherwise
        self.rules, self.m, self.tie, self.said = solved.rules, solved.m, solved.tie, solved.said

    @cached_property
    def otherwise(self) -> Source:
        return self._otherwise()

    def value(self, g: Any) -> Value:
        """Return the value of a position."""
        try:
            return self.solved.value(g)
        except solution.NotSolved:
            return self.otherwise.value(g)

    def judge(self, g: Any, before: Any = None) -> Judgement:
        """Return the value of every legal call of the team to act."""
        try:
            return self.solved.judge(g, before)
        except solution.NotSolved:
            return self.otherwise.judge(g, before)


def solved_source(rules: RuleSet, m: Any, tie: float = HALF) -> Source | None:
    """Return the solution of a match, or None if it has not been solved."""
    return solution.find(rules, m, tie)
