"""The coach `best`: makes the best call in every game that can be solved completely.

It reads the solution that the user has computed, or the table of the pairing. Until there is one,
it reads the value function that the game ships, at the table and in plain games; compiled games
need the solution.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from hashmark.engine import registry
from hashmark.engine.coaches import LEVELS
from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import COACH_SEPARATOR, Coach, RuleSet
from hashmark.errors import HashmarkError
from hashmark.values import solution
from hashmark.values.pairing_coach import pairing_coach
from hashmark.values.search import search_coach
from hashmark.values.value import DEFAULT_TIE_VALUE

if TYPE_CHECKING:
    from hashmark.values.shipped import ShippedSource
    from hashmark.values.solved import SolvedGame

COACH_NAME = "best"
DESCRIPTION = (
    "The best call of every position: from the solved game (`hashmark solve {}`), else from the "
    "game's value function."
)


@cache
def best_coach(rules: RuleSet) -> Coach | None:
    """Return the coach `best` for a rule set that can be solved or searched, or None."""
    if rules.solver.search is not None:
        return search_coach(rules, COACH_NAME)
    if rules.solver.spec is None:
        return pairing_coach(COACH_NAME, rules)
    call, compiled = partial(_call, rules), partial(_compiled, rules)
    ready = partial(_ready, rules)
    return Coach(COACH_NAME, DESCRIPTION.format(rules.name), call, compiled, ready, LEVELS[-1])


def _call(rules: RuleSet, m: MatchRecord, g: PositionRecord) -> int:
    """Return the best call, for games at the table and plain games."""
    options = tuple(m.flat())
    shipped = _shipped(rules, options)
    return _solved(rules, options).best_call(g) if shipped is None else shipped.judge(g).best


def _ready(rules: RuleSet, m: MatchRecord) -> None:
    """Raise an error before the game begins if the match has no values."""
    options = tuple(m.flat())
    if _shipped(rules, options) is None:
        _solved(rules, options)


def _compiled(rules: RuleSet, m: MatchRecord, g: PositionRecord) -> Callable[[], Any]:
    """Return a factory of the compiled coach for games that begin in a position."""
    from hashmark.values import compiled_policy

    solved = _solved(rules, tuple(m.flat()))
    if not rules.is_over(g):
        solved.best_call(g)  # if the solution has this position, it has all that follow
    policy = compiled_policy.load_policy(solved)
    return lambda: compiled_policy.with_own_workspace(policy)


def _base(rules: RuleSet) -> RuleSet:
    """Return the rule set without a coach made at run time."""
    return registry.load(rules.name.partition(COACH_SEPARATOR)[0]) if rules.is_custom else rules


@cache
def _shipped(rules: RuleSet, options: tuple[int, ...]) -> ShippedSource | None:
    """Return the value function of a match that is not solved, or None."""
    from hashmark.values.shipped import ShippedSource

    base, m = _base(rules), rules.match.from_flat(list(options))
    is_solved = solution.find(base, m) is not None
    return None if is_solved else ShippedSource.find(base, m, DEFAULT_TIE_VALUE)


@cache
def _solved(rules: RuleSet, options: tuple[int, ...]) -> SolvedGame:
    solved = solution.find(_base(rules), rules.match.from_flat(list(options)))
    if solved is None:
        raise HashmarkError(
            f"coach {COACH_NAME}: the game is not solved with these options; run `hashmark "
            f"solve {rules.name}` with the same -o"
        )
    return solved
