"""Kick and return charts: counts, shrunk rates, and charts that match their means."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from hashmark.games.data_driven.charts import cells as c
from hashmark.games.data_driven.dice import DEFENSE_WEIGHTS, OFFENSE_WEIGHTS
from hashmark.league.charts import kicking
from hashmark.league.charts.penalties import PENALTY_KINDS
from hashmark.league.charts.tallies import LOWEST_GAIN, YARDS


def test_rates_are_shrunk_to_the_league() -> None:
    total, number = np.array([8.0, 0.0]), np.array([10.0, 10.0])
    assert kicking.shrink(total, number, 0.0) == pytest.approx([0.8, 0.0])
    shrunk = kicking.shrink(total, number, 10.0)
    assert shrunk == pytest.approx([0.6, 0.2])
    assert kicking.shrink(total, number, 1e9) == pytest.approx([0.4, 0.4])


def test_returns_are_counted_by_how_they_ended() -> None:
    rows = pl.DataFrame(
        {
            "team": ["A", "A", "A", "B", "C"],
            "yards": [20.0, 99.0, 7.0, 300.0, 5.0],
            "touchdown": [0, 1, 0, 0, 0],
            "td_team": [None, "A", None, None, None],
            "fumble": [0, 0, 1, 0, 0],
            "fumbled_1_team": [None, None, "A", None, None],
        }
    )
    returns = kicking.count_returns(
        rows, ["A", "B"], "team", pl.col("yards"), np.zeros(len(PENALTY_KINDS))
    )
    assert list(returns.total) == [3, 1]
    assert list(returns.touchdowns) == [1, 0]
    assert (list(returns.fumbles), returns.spots) == ([1, 0], [7])
    assert (returns.yards @ YARDS) / returns.yards.sum(1) == pytest.approx([20, YARDS[-1]])
    assert returns.yards[0, 20 - LOWEST_GAIN] == 1


@pytest.mark.parametrize("deviation", [-3.4, -0.5, 0.0, 0.7, 2.25])
def test_coverage_has_the_deviation_as_its_mean(deviation: float) -> None:
    cells = kicking.build_coverage_chart(deviation, 20)
    numbers = [
        (c.number_of(cell), ways)
        for cell, ways in zip(cells, DEFENSE_WEIGHTS, strict=True)
        if c.is_number(cell)
    ]
    mean = sum(number * ways for number, ways in numbers) / sum(ways for _, ways in numbers)
    assert mean == pytest.approx(deviation, abs=0.2)
    assert cells.count(c.cell_of(c.PAREN, 20)) == 1
    cover = kicking.combine_coverage([cells])
    assert cover.mean_shift == pytest.approx(mean)
    assert sum(cover.parens.values()) + cover.number_rate == pytest.approx(1)


def test_a_kick_chart_has_its_mean_and_its_events() -> None:
    lengths = np.zeros(len(YARDS))
    lengths[60 - LOWEST_GAIN], lengths[70 - LOWEST_GAIN] = 1.0, 1.0
    out_of_bounds = c.cell_of(c.OFF_40, 0)
    cells = kicking.build_kick_chart(lengths, 64.0, {out_of_bounds: 9 / 216})
    ways = dict.fromkeys(set(cells), 0)
    for cell, weight in zip(cells, OFFENSE_WEIGHTS, strict=True):
        ways[cell] += weight
    assert ways[out_of_bounds] == 9
    kicked = [(c.number_of(cell), n) for cell, n in ways.items() if c.is_number(cell)]
    mean = sum(number * n for number, n in kicked) / sum(n for _, n in kicked)
    assert mean == pytest.approx(64.0, abs=0.3)


def test_field_goal_chances_decrease_with_distance() -> None:
    good = np.clip(1.0 - np.arange(101) / 60, 0, 1)
    cells = kicking.build_field_goal_chart(good, 0.02, 50, {})
    made = [
        sum(
            weight
            for cell, weight in zip(cells, OFFENSE_WEIGHTS, strict=True)
            if c.is_number(cell) and c.number_of(cell) >= line
        )
        / 216
        for line in (1, 15, 30, 45)
    ]
    assert made == sorted(made, reverse=True)
    for line, share in zip((15, 30, 45), made[1:], strict=True):
        assert share == pytest.approx(good[line], abs=0.05)
    assert max(c.number_of(cell) for cell in cells if c.is_number(cell)) <= 50


def test_a_return_chart_has_its_mean_under_its_cover() -> None:
    yards = np.zeros(len(YARDS))
    yards[15 - LOWEST_GAIN], yards[30 - LOWEST_GAIN] = 3.0, 1.0
    cover = kicking.combine_coverage([kicking.build_coverage_chart(1.0, 18)])
    cells = kicking.build_return_chart(
        yards, 18.0, 4 / 216, 6 / 216, [12], np.zeros(len(PENALTY_KINDS)), cover, caught=0.25
    )
    ways = dict.fromkeys(range(len(c.KINDS)), 0)
    for cell, weight in zip(cells, OFFENSE_WEIGHTS, strict=True):
        ways[c.kind_of(cell)] += weight
    assert ways[c.FAIR_CATCH] == 54
    assert ways[c.FUMBLE] == pytest.approx(6 * 0.75, abs=1)
    assert c.cell_of(c.FUMBLE, 12) in cells
    numbers = [
        (c.number_of(cell), weight)
        for cell, weight in zip(cells, OFFENSE_WEIGHTS, strict=True)
        if c.is_number(cell)
    ]
    own = sum(number * weight for number, weight in numbers) / ways[c.NUMBER]
    under = (own + cover.mean_shift) * cover.number_rate + sum(
        to * n for to, n in cover.parens.items()
    )
    assert under == pytest.approx(18.0, abs=0.3)
