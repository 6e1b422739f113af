"""Games with known equilibria, and what a solution must have in any game."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hashmark.odds.equilibrium import solve

KNOWN = {
    "matching pennies": ([[1, -1], [-1, 1]], 0, [0.5, 0.5], [0.5, 0.5]),
    "rock, paper, scissors": (
        [[0, -1, 1], [1, 0, -1], [-1, 1, 0]],
        0,
        [1 / 3, 1 / 3, 1 / 3],
        [1 / 3, 1 / 3, 1 / 3],
    ),
    "a saddle point": ([[3, 1, 4], [2, 0, -1]], 1, [1, 0], [0, 1, 0]),
    "two by two": ([[2, 5], [6, 3]], 4, [0.5, 0.5], [1 / 3, 2 / 3]),
    "run and pass": ([[-1, 4], [3, -2]], 1.0, [0.5, 0.5], [0.6, 0.4]),
    "one entry": ([[7]], 7, [1], [1]),
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_games(name: str) -> None:
    matrix, value, rows, columns = KNOWN[name]
    found = solve(np.array(matrix, float))
    assert found.value == pytest.approx(value, abs=1e-9)
    assert found.rows == pytest.approx(rows, abs=1e-9)
    assert found.columns == pytest.approx(columns, abs=1e-9)


def test_a_game_larger_than_wide_and_wider_than_large() -> None:
    matrix = np.array([[0.0, 2], [1, 1], [2, 0], [0.5, 0.5]])
    assert solve(matrix).value == pytest.approx(1)
    assert solve(-matrix.T).value == pytest.approx(-1)


games = arrays(float, (9, 6), elements=st.floats(-7, 7).map(lambda n: round(n, 3)))


@given(games)
def test_nobody_gains_by_straying(matrix: np.ndarray) -> None:
    found = solve(matrix)
    for mix in (found.rows, found.columns):
        assert (mix >= 0).all()
        assert mix.sum() == pytest.approx(1)
    assert (matrix @ found.columns).max() == pytest.approx(found.value, abs=1e-7)
    assert (found.rows @ matrix).min() == pytest.approx(found.value, abs=1e-7)


@given(games, st.floats(0.1, 10), st.floats(-5, 5))
def test_scale_and_shift(matrix: np.ndarray, scale: float, shift: float) -> None:
    assert solve(matrix * scale + shift).value == pytest.approx(
        solve(matrix).value * scale + shift, abs=1e-6
    )


def test_what_is_no_game() -> None:
    for matrix in (np.zeros((0, 3)), np.array([1.0]), np.array([[np.nan]])):
        with pytest.raises(ValueError, match="finite numbers"):
            solve(matrix)
