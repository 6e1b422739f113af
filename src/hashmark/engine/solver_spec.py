"""What a game declares so that it can be solved; the conformance kit checks it.

A solver works backward in time over *layers*: all positions with the same period, clock and
`carried_fields`. The rest of a position, without its score, is its *key*. Both teams must be alike:
a position with home and away swapped leads to the same outcomes, swapped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class SolverSpec:
    """Rules of one game that a solver needs beyond those that are played.

    `steady_layer(m, g)` is above 0 where the next step reads neither period nor clock nor carried
    fields, and only advances them: all layers with the same number take the same steps, apart from
    their starting time. `is_instant(m, g)`: no call here rolls dice, and there are at most two
    calls; such positions are too many to store and are decided where they occur. `keeps_lead(m,
    g)`: only few leads can occur here, so the lead is part of the key (an overtime). Elsewhere a
    step that reads the score (`SolverHooks.score_matters`) only reads who leads after its points.
    """

    steady_layer: Callable[[Any, Any], int]
    is_instant: Callable[[Any, Any], bool]
    keeps_lead: Callable[[Any, Any], bool]
    carried_fields: tuple[str, ...] = ()
    max_lead: int = 48  # the largest lead that is stored; a larger one counts as a win


@dataclass(frozen=True)
class SearchSpec:
    """The coach `best` of a game that is too large to be solved: a rule that looks ahead.

    `best_answer(m, g, work, table)` returns the best call, plain and compiled. It may change the
    `work_size` positions of the work space and nothing else. `load_table` returns the table of
    values that it reads.
    """

    best_answer: Callable[[Any, Any, Sequence[Any], Sequence[int]], int]
    work_size: int
    load_table: Callable[[], Sequence[int]]
    description: str
