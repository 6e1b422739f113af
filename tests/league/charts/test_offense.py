"""One offense column: matches its target."""

from __future__ import annotations

import numpy as np
import pytest

from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.dice import OFFENSE_WEIGHTS
from hashmark.league.charts.gain_distributions import BIN_YARDS
from hashmark.league.charts.offense import (
    ColumnTarget,
    RoundingCarry,
    build_column,
    solve_own_gains,
)
from hashmark.league.charts.overlay import CoverRates, ResultRates
from hashmark.league.charts.penalties import DEF_15, OFF_10, PENALTY_KINDS
from hashmark.league.data.arrays import Floats


def make_target(**given: float) -> ColumnTarget:
    gains = np.zeros(len(BIN_YARDS))
    gains[[int(np.flatnonzero(yards == BIN_YARDS)[0]) for yards in (4, 8, 15)]] = 0.5, 0.3, 0.2
    flags = np.zeros(len(PENALTY_KINDS))
    flags[OFF_10], flags[DEF_15] = 6 / 216, 3 / 216
    rates = ResultRates(*(np.asarray(given.get(name, 0.0)) for name in ("int", "f", "qt", "inc")))
    return ColumnTarget(rates, gains, 0.2, flags, [], [], [12], [3])


def gains_without_defense(target: ColumnTarget) -> Floats:
    """Return the gains of the column without any defense."""
    return np.asarray(solve_own_gains([target], CoverRates())[0])


def ways(cells: list[int], kind: int) -> int:
    return sum(w for cell, w in zip(cells, OFFENSE_WEIGHTS, strict=True) if c.kind_of(cell) == kind)


def test_a_column_has_the_target_events_flags_and_yards() -> None:
    target = make_target(int=0.03, qt=0.06, inc=0.35)
    cells = build_column(
        "short-pass",
        target,
        CoverRates(),
        gains_without_defense(target),
        30.0,
        100.0,
        RoundingCarry({}),
    )
    body = 216 - 9
    assert ways(cells, c.OFF_10) == pytest.approx(6, abs=1)
    assert ways(cells, c.DEF_15) == pytest.approx(3, abs=1)
    assert ways(cells, c.INT) / body == pytest.approx(0.03, abs=0.006)
    assert ways(cells, c.TRAPPED) / body == pytest.approx(0.06, abs=0.006)
    assert ways(cells, c.INC) / body == pytest.approx(0.35, abs=0.006)
    assert c.cell_of(c.INT, 12) in cells
    gained = [
        (c.number_of(cell), w)
        for cell, w in zip(cells, OFFENSE_WEIGHTS, strict=True)
        if c.is_number(cell)
    ]
    mean = sum(n * w for n, w in gained) / sum(w for _, w in gained)
    assert mean == pytest.approx(7.4, abs=0.4)


def test_rounding_error_of_rare_events_is_carried_to_the_next_column() -> None:
    carry = RoundingCarry({})
    target = make_target(f=1.4 / 207)
    given = ("draw", target, CoverRates(), gains_without_defense(target), 30.0, 50.0, carry)
    seen = [ways(build_column(*given), c.FUMBLE) for _ in range(6)]
    assert sum(seen) / 6 == pytest.approx(1.4, abs=0.35)
    assert len(set(seen)) > 1
