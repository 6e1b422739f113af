"""Features of outcomes: standardized numbers."""

from __future__ import annotations

import numpy as np

from hashmark.engine import registry
from hashmark.values.outcome_features import outcome_features


def test_features_are_a_constant_and_standardized_columns() -> None:
    rules = registry.load("data-driven")
    m = rules.new_match()
    before = rules.new_position(m, {"phase": "scrimmage", "possession": "home", "spot": 30})
    outcomes = []
    for spot, down, possession in ((32, 2, 0), (45, 1, 0), (60, 1, 1), (30, 2, 0)):
        g = before.copy()
        g.spot, g.down, g.possession, g.clock = spot, down, possession, g.clock - spot
        outcomes.append(g)
    matrix = outcome_features(rules, m, before, outcomes)
    assert matrix.shape[0] == 4
    assert (matrix[:, 0] == 1).all()
    assert np.allclose(matrix[:, 1:].mean(axis=0), 0)
    assert np.allclose(matrix[:, 1:].std(axis=0), 1)
    assert len({tuple(row) for row in matrix.round(9).tolist()}) == 4


def test_equal_outcomes_have_only_the_constant() -> None:
    rules = registry.load("fourth-down")
    m = rules.new_match()
    g = rules.new_position(m)
    assert outcome_features(rules, m, g, [g, g]).tolist() == [[1.0], [1.0]]
