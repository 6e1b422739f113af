"""What the columns of a season have to come to."""

from __future__ import annotations

import numpy as np
import pytest

from hashmark.games.data_driven.tables import PASSES, PLAYS
from hashmark.league.charts import gains, targets
from hashmark.league.charts.gains import VALUES
from hashmark.league.charts.overlay import Rates


def test_trapped_rates_come_out_over_all_dropbacks() -> None:
    attempts = np.array([[10.0, 40.0, 30.0, 10.0, 10.0], [0.0, 10.0, 10.0, 60.0, 20.0]])
    rate = np.array([0.05, 0.12])
    each = targets.trapped_rates(attempts, rate)
    calls = attempts / (1 - each)
    assert (calls * each).sum(1) / calls.sum(1) == pytest.approx(rate, abs=1e-6)
    long, screen = PASSES.index("long-pass"), PASSES.index("screen")
    assert (each[:, long] > each[:, screen]).all()


def side(teams: int, incomplete: list[float], yards: list[float]) -> targets.Targets:
    """Teams that throw as often as each other, and miss and gain as given."""
    shape = (teams, len(PLAYS))
    gained = gains.tilt(np.ones((*shape, len(VALUES))), np.tile(np.array(yards)[:, None], (1, 9)))
    rates = Rates(
        np.full(shape, 0.02),
        np.full(shape, 0.01),
        np.full(shape, 0.05),
        np.tile(np.array(incomplete)[:, None], (1, 9)),
    )
    return targets.Targets(rates, gained, np.ones(shape), np.full(teams, 0.05), np.full(teams, 0.6))


def test_what_all_teams_do_is_what_was_done() -> None:
    """However the teams are drawn, the league's rates and yards are kept."""
    league = side(1, [0.3], [8.0])
    own = side(2, [0.2, 0.5], [7.0, 11.0])
    levelled = targets._levelled(own, league, dict.fromkeys(targets.EVENTS, 0.5))
    assert levelled.rates.inc.mean(0) == pytest.approx(league.rates.inc[0])
    assert levelled.rates.inc[0, 0] < levelled.rates.inc[1, 0]
    held = levelled.rates.gain / levelled.rates.gain.sum(0)
    assert (held * levelled.yards).sum(0) == pytest.approx(league.yards[0], abs=1e-3)
    assert levelled.yards[0, 0] < levelled.yards[1, 0]


def test_factors_move_teams_and_not_the_league() -> None:
    league, own = side(1, [0.3], [8.0]), side(2, [0.3, 0.3], [8.0, 8.0])
    moved = targets._scaled(own, league, np.array([1.1, 0.9]))
    assert moved.yards.mean(0) == pytest.approx(league.yards[0], abs=1e-3)
    assert moved.yards[0] / moved.yards[1] == pytest.approx(1.1 / 0.9, abs=1e-3)
