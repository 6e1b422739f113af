"""Regret matching against the exact equilibrium of the simplex method."""

from __future__ import annotations

import random

import numpy as np
import pytest

from hashmark.games.data_driven.pairing_arrays import (
    COLD_SHARES,
    make_memory,
    make_work,
    regret_rates,
)
from hashmark.games.data_driven.pairing_mix import (
    FORMATION_COUNT,
    PLAY_COUNT,
    bound_value,
    refine_mixes,
)
from hashmark.odds.equilibrium import solve_matrix_game


@pytest.mark.parametrize("seed", range(4))
def test_the_mixes_are_close_to_the_equilibrium(seed: int) -> None:
    rng = random.Random(seed)
    work, memory = make_work(1), make_memory(1, 1)
    banned = rng.randrange(PLAY_COUNT)
    work.legal[banned] = 0
    for play in range(PLAY_COUNT):
        for formation in range(FORMATION_COUNT):
            work.matrix[play, formation, 0] = 0.5 + 0.05 * rng.random()
    refine_mixes(memory, 0, work.matrix, 1, work, len(COLD_SHARES), COLD_SHARES, regret_rates(1.0))
    bound_value(memory, 0, work.matrix, 1, work, work.low, work.high)
    exact = solve_matrix_game(np.delete(work.matrix[:, :, 0], banned, axis=0))
    assert work.low[0] - 1e-6 <= exact.value <= work.high[0] + 1e-6
    assert work.high[0] - work.low[0] < 0.0015  # of entries that differ by up to 0.05
    assert work.row_mix[banned, 0] == 0
    assert work.row_mix[:, 0].sum() == pytest.approx(1, abs=1e-5)
