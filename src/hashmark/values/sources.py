"""Which source knows the values of a match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hashmark.table.errors import HashmarkError
from hashmark.table.rules import RuleSet
from hashmark.values.value import HALF, Source


def source_of(
    rules: RuleSet,
    options: Mapping[str, Any] | None = None,
    *,
    m: Any = None,
    tie: float = HALF,
) -> Source:
    """The best source for a match: of these options, or the match itself."""
    match = rules.new_match(options) if m is None else m
    solved = solved_source(rules, match, tie)
    if solved is None:
        raise HashmarkError(f"nobody knows the values of {rules.name} yet")
    return solved


def solved_source(rules: RuleSet, m: Any, tie: float = HALF) -> Source | None:
    """The solved table of this match, if somebody has solved it."""
    return None
