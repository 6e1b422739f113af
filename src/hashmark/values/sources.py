"""Which source knows the values of a match.

The solved table if there is one; what the game reckons itself, if it does; else games played out.
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
    """The best source for a match: of these options, or the match itself.

    What follows the worth of a tie is for rollouts only.
    """
    match = rules.new_match(options) if m is None else m

    def played_out() -> Source:
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
        return WhereSolved(solved, played_out)
    if Reckoned.knows(rules, match):
        return Reckoned(rules, match, tie=tie)
    return played_out()


class WhereSolved:
    """Exact values, but for positions that no game comes to: these are played out."""

    def __init__(self, solved: Source, otherwise: Callable[[], Source]) -> None:
        self.solved, self._otherwise = solved, otherwise
        self.rules, self.m, self.tie, self.said = solved.rules, solved.m, solved.tie, solved.said

    @cached_property
    def otherwise(self) -> Source:
        return self._otherwise()

    def value(self, g: Any) -> Value:
        """The value of a position."""
        try:
            return self.solved.value(g)
        except solution.NotSolved:
            return self.otherwise.value(g)

    def judge(self, g: Any, before: Any = None) -> Judgement:
        """The legal calls of the team that is asked in a position."""
        try:
            return self.solved.judge(g, before)
        except solution.NotSolved:
            return self.otherwise.judge(g, before)


def solved_source(rules: RuleSet, m: Any, tie: float = HALF) -> Source | None:
    """The solved table of this match, if somebody has solved it."""
    return solution.find(rules, m, tie)
