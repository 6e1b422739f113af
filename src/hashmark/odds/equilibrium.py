"""The zero-sum game of plays against formations: exact mixes by the simplex method.

A matrix holds what the row player gets. The tableau of a game of nine plays and six formations
is so small that a dependency for it would be larger than the method.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TINY = 1e-12
MOST_PIVOTS = 10_000


@dataclass(frozen=True)
class Equilibrium:
    """The value of a game and a mix of each side from which nobody gains by straying."""

    value: float
    rows: NDArray[np.float64]
    columns: NDArray[np.float64]


def solve(matrix: NDArray[np.float64]) -> Equilibrium:
    """The equilibrium of a matrix game, to the rounding of floating point.

    Shifted so that every entry is positive, the column player maximises the sum of y with
    A y <= 1; the slack variables' prices are the row player's mix.
    """
    import numpy as np

    given = np.asarray(matrix, float)
    if given.ndim != 2 or given.size == 0 or not np.isfinite(given).all():
        raise ValueError("a game is a matrix of finite numbers")
    lowest, highest = float(given.min()), float(given.max())
    scale = (highest - lowest) or 1.0
    tableau = _tableau((given - lowest) / scale + 1)
    basis = _optimise(tableau)
    height, width = given.shape
    y = np.zeros(width + height)
    y[basis] = tableau[:height, -1]
    x = tableau[height, width : width + height]
    columns, rows = np.clip(y[:width], 0, None), np.clip(x, 0, None)
    value = 1 / columns.sum()
    return Equilibrium(
        float((value - 1) * scale + lowest), rows / rows.sum(), columns / columns.sum()
    )


def _tableau(game: NDArray[np.float64]) -> NDArray[np.float64]:
    """A y + s = 1 above, and below it the sum of y that is to grow."""
    import numpy as np

    height, width = game.shape
    tableau = np.zeros((height + 1, width + height + 1))
    tableau[:height, :width] = game
    tableau[:height, width : width + height] = np.eye(height)
    tableau[:height, -1] = 1
    tableau[height, :width] = -1
    return tableau


def _optimise(tableau: NDArray[np.float64]) -> NDArray[np.int64]:
    """Pivot until no column would help; Bland's rule, so that it always ends."""
    import numpy as np

    height = tableau.shape[0] - 1
    width = tableau.shape[1] - 1 - height
    basis = np.arange(width, width + height)
    for _ in range(MOST_PIVOTS):
        helping = np.flatnonzero(tableau[height, :-1] < -TINY)
        if not len(helping):
            return basis
        enter = int(helping[0])
        column = tableau[:height, enter]
        usable = np.flatnonzero(column > TINY)
        ratios = tableau[usable, -1] / column[usable]
        tied = usable[ratios <= ratios.min() + TINY]
        leave = int(tied[np.argmin(basis[tied])])
        tableau[leave] /= tableau[leave, enter]
        for row in range(height + 1):
            if row != leave:
                tableau[row] -= tableau[row, enter] * tableau[leave]
        basis[leave] = enter
    raise ArithmeticError("the game was not solved: its entries differ too much in size")
