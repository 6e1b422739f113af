"""Equilibrium of a zero-sum matrix game, by the simplex method.

A matrix holds the payoffs of the row player. The tableau of nine plays against six formations is so
small that a dependency would be larger than the method.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TOLERANCE = 1e-12
MAX_PIVOTS = 10_000


@dataclass(frozen=True)
class Equilibrium:
    """Value of a matrix game and a mixed strategy of each player; neither gains by deviating."""

    value: float
    row_mix: NDArray[np.float64]
    column_mix: NDArray[np.float64]


def solve_matrix_game(matrix: NDArray[np.float64]) -> Equilibrium:
    """Return the equilibrium of a matrix game, exact up to floating-point rounding.

    With the matrix shifted to positive entries, the column player maximizes the sum of y subject to
    A y <= 1; the dual prices of the slack variables are the row player's mix.
    """
    import numpy as np

    payoffs = np.asarray(matrix, float)
    if payoffs.ndim != 2 or payoffs.size == 0 or not np.isfinite(payoffs).all():
        raise ValueError("the payoff matrix must hold finite numbers")
    lowest, highest = float(payoffs.min()), float(payoffs.max())
    scale = (highest - lowest) or 1.0
    tableau = _tableau((payoffs - lowest) / scale + 1)
    basis = _optimize(tableau)
    height, width = payoffs.shape
    y = np.zeros(width + height)
    y[basis] = tableau[:height, -1]
    x = tableau[height, width : width + height]
    columns, rows = np.clip(y[:width], 0, None), np.clip(x, 0, None)
    value = 1 / columns.sum()
    return Equilibrium(
        float((value - 1) * scale + lowest), rows / rows.sum(), columns / columns.sum()
    )


def _tableau(game: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the tableau: A y + s = 1 above, and the objective below."""
    import numpy as np

    height, width = game.shape
    tableau = np.zeros((height + 1, width + height + 1))
    tableau[:height, :width] = game
    tableau[:height, width : width + height] = np.eye(height)
    tableau[:height, -1] = 1
    tableau[height, :width] = -1
    return tableau


def _optimize(tableau: NDArray[np.float64]) -> NDArray[np.int64]:
    """Pivot until no column improves the objective; Bland's rule guarantees termination."""
    import numpy as np

    height = tableau.shape[0] - 1
    width = tableau.shape[1] - 1 - height
    basis = np.arange(width, width + height)
    for _ in range(MAX_PIVOTS):
        improving = np.flatnonzero(tableau[height, :-1] < -TOLERANCE)
        if not len(improving):
            return basis
        enter = int(improving[0])
        column = tableau[:height, enter]
        usable = np.flatnonzero(column > TOLERANCE)
        ratios = tableau[usable, -1] / column[usable]
        tied = usable[ratios <= ratios.min() + TOLERANCE]
        leave = int(tied[np.argmin(basis[tied])])
        tableau[leave] /= tableau[leave, enter]
        for row in range(height + 1):
            if row != leave:
                tableau[row] -= tableau[row, enter] * tableau[leave]
        basis[leave] = enter
    raise ArithmeticError("the matrix game cannot be solved: its entries differ too much in size")
