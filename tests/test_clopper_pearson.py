"""Confidence bounds of `benchmarks/clopper_pearson.py` against known results."""

from __future__ import annotations

import math
import runpy
from pathlib import Path

import pytest

PROGRAM = runpy.run_path(str(Path(__file__).parents[1] / "benchmarks" / "clopper_pearson.py"))
failures_cdf, lower_bound = PROGRAM["failures_cdf"], PROGRAM["lower_bound"]


@pytest.mark.parametrize("games", [1, 10, 1000, 100_000])
def test_without_a_loss_the_bound_is_a_root_of_the_error_level(games: int) -> None:
    assert lower_bound(games, games) == pytest.approx(0.05 ** (1 / games), abs=1e-9)


def test_bounds_match_published_tables() -> None:
    """Printed tables of one-sided 95 % bounds."""
    assert lower_bound(9, 10) == pytest.approx(0.6058, abs=1e-4)
    assert lower_bound(5, 10) == pytest.approx(0.2224, abs=1e-4)
    assert lower_bound(0, 10) == 0


def test_the_chance_of_failures_is_the_binomial_sum() -> None:
    for most in range(5):
        known = sum(math.comb(4, k) * 0.3**k * 0.7 ** (4 - k) for k in range(most + 1))
        assert failures_cdf(most, 4, 0.7) == pytest.approx(known)
    assert failures_cdf(0, 4, 1.0) == 1
    assert failures_cdf(3, 4, 0.0) == 0


def test_higher_confidence_gives_a_lower_bound() -> None:
    assert lower_bound(95, 100, 0.99) < lower_bound(95, 100, 0.95) < 0.95
