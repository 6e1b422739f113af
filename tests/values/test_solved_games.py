"""The games that are solved whole, proved on the whole of them: minutes each, so only when asked.

A solution in the user's folder is used if there is one; else it is made there first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hashmark.sim import simulate
from hashmark.table import registry
from hashmark.values import solution
from hashmark.values.job import solve
from hashmark.values.solved import Solved

from .proving import BEST, CALLS, CHANCE, KEPT, by_the_rules, sampled

SOLVED = ("fourth-down", "roll-for-yardage")
SAMPLES = {"fourth-down": 100_000, "roll-for-yardage": 20_000}  # a minute, and ten
CLOSE = 1e-12
GAMES = 10_000_000

pytestmark = pytest.mark.long


@pytest.fixture(scope="module", params=SOLVED)
def solved(request: pytest.FixtureRequest) -> Any:
    rules = registry.load(request.param)
    m = rules.new_match()
    if solution.find(rules, m) is None:
        solve(solution.Task(rules, m))
    return solution.find(rules, m)


def test_a_value_is_the_mean_of_the_values_after_and_no_call_beats_the_best(
    solved: Solved,
) -> None:
    found = by_the_rules(solved, sampled(solved, SAMPLES[solved.rules.name], seed=1))
    assert found[:, KEPT].min() >= 0
    assert found[:, KEPT].max() <= 1 + CLOSE
    assert found[:, CALLS].min() >= 1
    assert np.abs(found[:, CHANCE] - 1).max() < CLOSE
    assert np.abs(found[:, BEST] - found[:, KEPT]).max() < CLOSE


def test_more_points_are_never_worse(solved: Solved) -> None:
    for block in solved.blocks.values():
        if block.has_values and block.width >= 0:
            values = solved.file.array(f"values/{block.number}")
            worth = values[:, 0] * (1 - solved.tie) - values[:, 1] * solved.tie
            assert np.diff(worth, axis=1).min(initial=0) > -CLOSE


def test_best_against_best_comes_out_as_the_value_says(solved: Solved) -> None:
    name = solved.rules.name
    played = simulate(name, GAMES, home="best", away="best", seed=2026)
    value = solved.value(solved.rules.new_position(solved.m))
    for won, chance in zip(played.totals.wins, (value.home, value.away), strict=True):
        error = (chance * (1 - chance) / GAMES) ** 0.5
        assert abs(won / GAMES - chance) < 3 * error
