"""The coach `best`: makes the best call in every game that can be solved completely."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from hashmark.table import registry
from hashmark.table.errors import HashmarkError
from hashmark.table.rules import OWN_COACH, Coach, RuleSet
from hashmark.values import solution

if TYPE_CHECKING:
    from hashmark.values.solved import Solved

NAME = "best"
SENTENCE = "The best call of every position, from the solved game (`hashmark solve {}`)."


@cache
def coach_of(rules: RuleSet) -> Coach | None:
    """Return the coach `best` for a rule set that can be solved, or None."""
    if rules.solving is None:
        return None
    call, compiled = partial(_call, rules), partial(_compiled, rules)
    return Coach(NAME, SENTENCE.format(rules.name), call, compiled, partial(_ready, rules))


def _call(rules: RuleSet, m: Any, g: Any) -> int:
    """Return the best call, for games at the table and plain games."""
    return _solved(rules, tuple(m.flat())).best_call(g)


def _ready(rules: RuleSet, m: Any) -> None:
    """Raise an error before the game begins if the match is not solved."""
    _solved(rules, tuple(m.flat()))


def _compiled(rules: RuleSet, m: Any, g: Any) -> Callable[[], Any]:
    """Return a factory of the compiled coach for games that begin in a position."""
    from hashmark.values import playing

    solved = _solved(rules, tuple(m.flat()))
    if not rules.is_over(g):
        solved.best_call(g)  # if the solution has this position, it has all that follow
    library = playing.open_library(solved)
    return lambda: playing.own_room(library)


@cache
def _solved(rules: RuleSet, options: tuple[int, ...]) -> Solved:
    base_rules = registry.load(rules.name.partition(OWN_COACH)[0]) if rules.custom else rules
    solved = solution.find(base_rules, rules.match.from_flat(list(options)))
    if solved is None:
        raise HashmarkError(
            f"coach {NAME}: the game is not solved with these options; `hashmark solve "
            f"{rules.name}` does it, with the same -o"
        )
    return solved
