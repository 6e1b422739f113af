"""Which source knows the values of a match.

The solved table if there is one; what the game reckons itself, if it does; else games played out.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module, util
from typing import Any

from hashmark.table.rules import RuleSet
from hashmark.values.reckoned import Reckoned
from hashmark.values.rollouts import GAMES, Progress, Rollouts
from hashmark.values.value import HALF, Source

SOLUTION = "hashmark.values.solution"  # offers find(rules, m, tie): a source, or None


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
    solved = solved_source(rules, match, tie)
    if solved is not None:
        return solved
    if Reckoned.knows(rules, match):
        return Reckoned(rules, match, tie=tie)
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


def solved_source(rules: RuleSet, m: Any, tie: float = HALF) -> Source | None:
    """The solved table of this match, if somebody has solved it."""
    if util.find_spec(SOLUTION) is None:
        return None
    found: Source | None = import_module(SOLUTION).find(rules, m, tie)
    return found
