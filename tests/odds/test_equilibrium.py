"""Matrix games with known equilibria, and properties of every solution."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hashmark.odds.equilibrium import solve_matrix_game

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
def test_known_games_have_their_known_equilibria(name: str) -> None:
    matrix, value, rows, columns = KNOWN[name]
    equilibrium = solve_matrix_game(np.array(matrix, float))
    assert equilibrium.value == pytest.approx(value, abs=1e-9)
    assert equilibrium.row_mix == pytest.approx(rows, abs=1e-9)
    assert equilibrium.column_mix == pytest.approx(columns, abs=1e-9)


def test_games_need_not_be_square() -> None:
    matrix = np.array([[0.0, 2], [1, 1], [2, 0], [0.5, 0.5]])
    assert solve_matrix_game(matrix).value == pytest.approx(1)
    assert solve_matrix_game(-matrix.T).value == pytest.approx(-1)


games = arrays(float, (9, 6), elements=st.floats(-7, 7).map(lambda n: round(n, 3)))


@given(games)
def test_no_player_gains_by_deviating(matrix: np.ndarray) -> None:
    equilibrium = solve_matrix_game(matrix)
    for mix in (equilibrium.row_mix, equilibrium.column_mix):
        assert (mix >= 0).all()
        assert mix.sum() == pytest.approx(1)
    assert (matrix @ equilibrium.column_mix).max() == pytest.approx(equilibrium.value, abs=1e-7)
    assert (equilibrium.row_mix @ matrix).min() == pytest.approx(equilibrium.value, abs=1e-7)


@given(games, st.floats(0.1, 10), st.floats(-5, 5))
def test_scaling_and_shifting_payoffs_scales_and_shifts_the_value(
    matrix: np.ndarray, scale: float, shift: float
) -> None:
    assert solve_matrix_game(matrix * scale + shift).value == pytest.approx(
        solve_matrix_game(matrix).value * scale + shift, abs=1e-6
    )


def test_a_matrix_that_is_no_game_is_refused() -> None:
    for matrix in (np.zeros((0, 3)), np.array([1.0]), np.array([[np.nan]])):
        with pytest.raises(ValueError, match="finite numbers"):
            solve_matrix_game(matrix)
