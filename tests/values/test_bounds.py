"""Confidence bounds against known results."""

from __future__ import annotations

import math

import pytest

from hashmark.values.bounds import at_least, chance_of_failures


@pytest.mark.parametrize("games", [1, 10, 1000, 100_000])
def test_without_a_loss_the_bound_is_a_root_of_the_error_level(games: int) -> None:
    assert at_least(games, games) == pytest.approx(0.05 ** (1 / games), abs=1e-9)


def test_bounds_match_published_tables() -> None:
    """Printed tables of one-sided 95 % bounds."""
    assert at_least(9, 10) == pytest.approx(0.6058, abs=1e-4)
    assert at_least(5, 10) == pytest.approx(0.2224, abs=1e-4)
    assert at_least(0, 10) == 0


def test_the_chance_of_failures_is_the_binomial_sum() -> None:
    for most in range(5):
        known = sum(math.comb(4, k) * 0.3**k * 0.7 ** (4 - k) for k in range(most + 1))
        assert chance_of_failures(most, 4, 0.7) == pytest.approx(known)
    assert chance_of_failures(0, 4, 1.0) == 1
    assert chance_of_failures(3, 4, 0.0) == 0


def test_higher_confidence_gives_a_lower_bound() -> None:
    assert at_least(95, 100, 0.99) < at_least(95, 100, 0.95) < 0.95
