"""What outcomes differ in, as numbers of one scale."""

from __future__ import annotations

import numpy as np

from hashmark.table import registry
from hashmark.values.surface import features


def test_a_one_then_what_differs_each_of_spread_one() -> None:
    rules = registry.load("data-driven")
    m = rules.new_match()
    before = rules.new_position(m, {"phase": "scrimmage", "possession": "home", "spot": 30})
    ends = []
    for spot, down, possession in ((32, 2, 0), (45, 1, 0), (60, 1, 1), (30, 2, 0)):
        g = before.copy()
        g.spot, g.down, g.possession, g.clock = spot, down, possession, g.clock - spot
        ends.append(g)
    made = features(rules, m, before, ends)
    assert made.shape[0] == 4
    assert (made[:, 0] == 1).all()
    assert np.allclose(made[:, 1:].mean(axis=0), 0)
    assert np.allclose(made[:, 1:].std(axis=0), 1)
    assert len({tuple(row) for row in made.round(9).tolist()}) == 4


def test_outcomes_that_do_not_differ_have_nothing_but_the_one() -> None:
    rules = registry.load("fourth-down")
    m = rules.new_match()
    g = rules.new_position(m)
    assert features(rules, m, g, [g, g]).tolist() == [[1.0], [1.0]]
