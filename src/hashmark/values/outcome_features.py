"""Features of the outcomes of a play, for the regression of their values.

Uses what every position has (possession, spot, score, phase, period) and, where a game has them,
down and yards to go; so it works for any rule set.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hashmark.engine.rule_set import RuleSet


def outcome_features(rules: RuleSet, m: Any, before: Any, positions: Sequence[Any]) -> Any:
    """Return a feature matrix: one row per position, a constant 1, then standardized features.

    Possession, phase, period, down and score are indicator features. Spot, its square, yards to go
    and time are numeric, the first three separately for each team's ball.
    """
    import numpy as np

    rows = [_numbers(rules, m, before, g) for g in positions]
    categories = [_category(g) for g in positions]
    switches = np.array(
        [
            [float(category == candidate) for candidate in _distinct(categories)]
            for category in categories
        ]
    )
    matrix = np.column_stack([switches, np.array(rows, float)])
    spread = matrix.std(axis=0)
    matrix = (matrix - matrix.mean(axis=0))[:, spread > 0] / spread[spread > 0]
    return np.column_stack([np.ones(len(matrix)), matrix])


def _distinct(categories: Sequence[Any]) -> list[Any]:
    return sorted(set(categories))


def _category(g: Any) -> tuple[int, ...]:
    """Return the categorical features of a position."""
    return (g.phase, g.period, g.possession, *g.score, getattr(g, "down", 0))


def _numbers(rules: RuleSet, m: Any, before: Any, g: Any) -> list[float]:
    """Return the numeric features of a position."""
    to_go = getattr(g, "to_go", 0)
    time = rules.solver.progress(m, g) - rules.solver.progress(m, before)
    ours = float(g.possession == before.possession)
    numbers: list[float] = [time]
    for side in (ours, 1 - ours):
        numbers += [side * g.spot, side * g.spot**2, side * to_go]
    return numbers
