"""The coach `best` of a game with a `SearchSpec`.

Plain games search on plain positions, compiled games on records; both run the same rules.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import Coach, RuleSet
from hashmark.engine.search_work import plain_work
from hashmark.engine.solver_spec import SearchSpec
from hashmark.errors import HashmarkError


def spec_of(rules: RuleSet) -> SearchSpec:
    """Return what a game's search needs, or raise an error if it has none."""
    if rules.solver.search is None:
        raise HashmarkError(f"{rules.name} has no search")
    return rules.solver.search


def search_coach(rules: RuleSet, name: str) -> Coach:
    """Return the coach that makes the best call of the search."""
    spec = spec_of(rules)
    return Coach(
        name, spec.description, partial(_call, rules), partial(_compiled, rules), level="All-Pro"
    )


def _call(rules: RuleSet, m: MatchRecord, g: PositionRecord) -> int:
    """Return the best call, for games at the table and plain games."""
    spec = spec_of(rules)
    return spec.best_answer(m, g, plain_work(rules.position, spec.work_size), spec.load_table())


def _compiled(rules: RuleSet, m: MatchRecord, g: PositionRecord) -> Callable[[], Any]:
    """Return a factory of the compiled coach."""
    from hashmark.values import compiled_search

    return compiled_search.policy_factory(rules)
