"""Compiled search: the rules of a `SearchSpec` on records, with the table as an array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba.extending import register_jitable
from numpy.typing import NDArray

from hashmark.compiler import dispatch
from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.odds.arrays import Records
from hashmark.values.search import spec_of


class SearchPolicy(NamedTuple):
    """A search in place of a coach's number: its work space and its table.

    The records of the work space can enumerate dice, of which the rules need to know; a search
    knows its rolls, so that the path of outcomes stays short.
    """

    work: Records
    table: NDArray[np.int32]

    @staticmethod
    def choose_function(rules: RuleSet) -> Any:
        """Return the compiled function that makes this coach's calls."""
        best_answer: Any = spec_of(rules).best_answer

        @register_jitable(forceinline=False)  # inlined at every call it would take minutes
        def search(m: MatchRecord, g: PositionRecord, policy: SearchPolicy) -> Any:
            for index in range(len(policy.work)):
                policy.work[index]._depth = 0
                policy.work[index]._known = 0
            return best_answer(m, g, policy.work, policy.table)

        @register_jitable
        def choose(m: MatchRecord, g: PositionRecord, policy: SearchPolicy) -> Any:
            return search(m, g, policy)

        return choose


def policy_factory(rules: RuleSet) -> Callable[[], SearchPolicy]:
    """Return a function that gives each thread the search with its own work space."""
    spec = spec_of(rules)
    table = np.array(spec.load_table(), np.int32)
    dtype = rules.position.dtype(dispatch.enumerating_fields(rules))
    return lambda: SearchPolicy(np.zeros(spec.work_size, dtype), table)
