"""The coach `best` of a game with a `SearchSpec`, and the values that it plays by.

Plain games search on plain positions, compiled games on records; both run the same rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from hashmark.engine.dice import Pool
from hashmark.engine.effects import EffectHandler
from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import Coach, RuleSet
from hashmark.engine.solver_spec import SearchSpec
from hashmark.errors import HashmarkError


class SearchHandler(EffectHandler):
    """Effect handler of a work space: a search knows its dice, and nobody hears its events.

    Dice that it does not know come up as their first outcome, as they do in compiled searches.
    """

    def roll(self, g: PositionRecord, pool: Pool, team: int) -> int:
        return pool.odds[0][0]


def spec_of(rules: RuleSet) -> SearchSpec:
    """Return what a game's search needs, or raise an error if it has none."""
    if rules.solver.search is None:
        raise HashmarkError(f"{rules.name} has no search")
    return rules.solver.search


def plain_work(rules: RuleSet) -> Sequence[PositionRecord]:
    """Return a work space of plain positions."""
    work = [rules.position() for _ in range(spec_of(rules).work_size)]
    for position in work:
        position.handler = SearchHandler()
    return work


def search_coach(rules: RuleSet, name: str) -> Coach:
    """Return the coach that makes the best call of the search."""
    spec = spec_of(rules)
    return Coach(name, spec.description, partial(_call, rules), partial(_compiled, rules))


def _call(rules: RuleSet, m: MatchRecord, g: PositionRecord) -> int:
    """Return the best call, for games at the table and plain games."""
    spec = spec_of(rules)
    return spec.best_answer(m, g, plain_work(rules), spec.load_table())


def _compiled(rules: RuleSet, m: MatchRecord, g: PositionRecord) -> Callable[[], Any]:
    """Return a factory of the compiled coach."""
    from hashmark.values import compiled_search

    return compiled_search.policy_factory(rules)
