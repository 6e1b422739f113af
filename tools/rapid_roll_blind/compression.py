"""Compression of the solved blind game into the few components of `blind_table`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from rapid_roll_blind.solver import BlindGame

from hashmark.games.rapid_roll import blind_table as bt
from hashmark.games.rapid_roll.blind_states import SCRIMMAGE_ROWS

SEED = 1
SPECIAL_WEIGHT = 30.0  # of kickoffs and tries against other states: every game comes by them

Matrix = NDArray[np.float32]


def _matrix(game: BlindGame, group: bt.Group) -> Matrix:
    """Return the values of a group: states by times and leads."""
    tables = (game[part][group.first : group.last + 1] for part in group.parts)
    return np.concatenate([table.transpose(1, 0, 2).reshape(bt.ROWS, -1) for table in tables], 1)


def _factors(matrix: Matrix, rank: int) -> tuple[Matrix, Matrix]:
    """Return factors of states and columns whose product is close to the matrix.

    The components are found by random projection, with two power iterations.
    """
    weights = np.ones((len(matrix), 1), np.float32)
    weights[SCRIMMAGE_ROWS:] = SPECIAL_WEIGHT
    weighted = matrix * weights
    sketch = np.random.default_rng(SEED).standard_normal((matrix.shape[1], rank + 8))
    basis, _ = np.linalg.qr(weighted @ sketch.astype(np.float32))
    for _ in range(2):
        basis, _ = np.linalg.qr(weighted @ (weighted.T @ basis))
    left, sizes, right = np.linalg.svd(basis.T @ weighted, full_matrices=False)
    scale = np.sqrt(matrix.shape[1])
    states = (basis @ left)[:, :rank] * sizes[:rank] / scale / weights
    return states, (right[:rank] * scale).T


def compress(game: BlindGame) -> list[int]:
    """Return the whole table of integers."""
    table: list[int] = []
    for group in bt.GROUPS:
        states, columns = _factors(_matrix(game, group), group.rank)
        table += np.rint(states * (1 << bt.STATE_BITS)).astype(np.int64).ravel().tolist()
        table += np.rint(columns * (1 << bt.TIME_BITS)).astype(np.int64).ravel().tolist()
    return table


def errors(game: BlindGame, table: Any) -> list[tuple[bt.Group, float, float, float]]:
    """Return for each group the mean, 99th percentile and largest error of the table."""
    found = []
    numbers = np.array(table, np.float64)
    for group in bt.GROUPS:
        part = group.parts[0]
        start = bt.ROW_START[part, group.first]
        matrix = _matrix(game, group)
        end = start + bt.ROWS * group.rank
        states = numbers[start:end].reshape(bt.ROWS, group.rank)
        columns = numbers[end : end + matrix.shape[1] * group.rank].reshape(-1, group.rank)
        error = np.abs(np.clip(states @ columns.T / bt.WHOLE, 0, 1) - matrix)
        found.append((group, error.mean(), np.quantile(error, 0.99), error.max()))
    return found
