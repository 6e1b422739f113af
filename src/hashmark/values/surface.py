"""In what the outcomes of a play differ: the numbers through which a surface is laid.

Read from what every position has (possession, spot, score, phase, period) and, where a game has
them, from down and yards to go; so it serves any rule set.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hashmark.table.rules import RuleSet


def features(rules: RuleSet, m: Any, before: Any, positions: Sequence[Any]) -> Any:
    """A row for each position: a 1, then what tells it from the others, each of spread 1.

    Spots are those of the ball as home sees them. Who has the ball, the phase, the half, the down
    and points scored are switches; spot, its square, yards to go and time are numbers, the first
    three apart for each team's ball.
    """
    import numpy as np

    rows = [_numbers(rules, m, before, g) for g in positions]
    kinds = [_kind(g) for g in positions]
    switches = np.array([[float(kind == one) for one in _names(kinds)] for kind in kinds])
    made = np.column_stack([switches, np.array(rows, float)])
    spread = made.std(axis=0)
    made = (made - made.mean(axis=0))[:, spread > 0] / spread[spread > 0]
    return np.column_stack([np.ones(len(made)), made])


def _names(kinds: Sequence[Any]) -> list[Any]:
    return sorted(set(kinds))


def _kind(g: Any) -> tuple[int, ...]:
    """What is as it is or another thing altogether."""
    return (g.phase, g.period, g.possession, *g.score, getattr(g, "down", 0))


def _numbers(rules: RuleSet, m: Any, before: Any, g: Any) -> list[float]:
    """What is more or less."""
    to_go = getattr(g, "to_go", 0)
    time = rules.progress(m, g) - rules.progress(m, before)
    ours = float(g.possession == before.possession)
    made: list[float] = [time]
    for side in (ours, 1 - ours):
        made += [side * g.spot, side * g.spot**2, side * to_go]
    return made
