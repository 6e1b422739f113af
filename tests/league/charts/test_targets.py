"""Targets of the columns of a season."""

from __future__ import annotations

import numpy as np
import pytest

from hashmark.games.data_driven.tables import PASSES, PLAYS
from hashmark.league.charts import gain_distributions, targets
from hashmark.league.charts.gain_distributions import BIN_YARDS
from hashmark.league.charts.overlay import ResultRates


def test_trapped_rates_average_to_the_rate_per_dropback() -> None:
    attempts = np.array([[10.0, 40.0, 30.0, 10.0, 10.0], [0.0, 10.0, 10.0, 60.0, 20.0]])
    rate = np.array([0.05, 0.12])
    rates = targets.trapped_rates(attempts, rate)
    calls = attempts / (1 - rates)
    assert (calls * rates).sum(1) / calls.sum(1) == pytest.approx(rate, abs=1e-6)
    long, screen = PASSES.index("long-pass"), PASSES.index("screen")
    assert (rates[:, long] > rates[:, screen]).all()


def side(teams: int, incomplete: list[float], yards: list[float]) -> targets.SideTargets:
    """Return teams that throw equally often, with these incompletion rates and yards."""
    shape = (teams, len(PLAYS))
    gained = gain_distributions.tilt_to_mean(
        np.ones((*shape, len(BIN_YARDS))), np.tile(np.array(yards)[:, None], (1, 9))
    )
    rates = ResultRates(
        np.full(shape, 0.02),
        np.full(shape, 0.01),
        np.full(shape, 0.05),
        np.tile(np.array(incomplete)[:, None], (1, 9)),
    )
    return targets.SideTargets(
        rates, gained, np.ones(shape), np.full(teams, 0.05), np.full(teams, 0.6)
    )


def test_team_targets_average_to_the_league() -> None:
    """The league's rates and yards are preserved for any distribution of teams."""
    league = side(1, [0.3], [8.0])
    teams = side(2, [0.2, 0.5], [7.0, 11.0])
    matched = targets._match_league_rates(teams, league, dict.fromkeys(targets.EVENTS, 0.5))
    assert matched.rates.inc.mean(0) == pytest.approx(league.rates.inc[0])
    assert matched.rates.inc[0, 0] < matched.rates.inc[1, 0]
    weights = matched.rates.gain / matched.rates.gain.sum(0)
    assert (weights * matched.yards).sum(0) == pytest.approx(league.yards[0], abs=1e-3)
    assert matched.yards[0, 0] < matched.yards[1, 0]


def test_factors_change_teams_but_not_the_league() -> None:
    league, teams = side(1, [0.3], [8.0]), side(2, [0.3, 0.3], [8.0, 8.0])
    scaled = targets._scale_gains(teams, league, np.array([1.1, 0.9]))
    assert scaled.yards.mean(0) == pytest.approx(league.yards[0], abs=1e-3)
    assert scaled.yards[0] / scaled.yards[1] == pytest.approx(1.1 / 0.9, abs=1e-3)
