"""Short-field charts: how far the season fell short of the charts of its teams."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from hashmark.games.data_driven import position as p
from hashmark.games.data_driven import short_field as rules
from hashmark.games.data_driven.charts import cells as c
from hashmark.league.charts import short_field
from hashmark.league.charts.short_field import MAX_SHORT_YARDS, ShortFieldGap


def test_situations_are_those_of_the_rules() -> None:
    places = [
        (down, to_go, goal)
        for down in range(1, 5)
        for goal in range(1, 100)
        for to_go in (1, 2, 3, 6, 7, 10, 11, 20)
    ]
    places = [place for place in places if place[1] <= place[2]]
    frame = pl.DataFrame(places, schema=["down", "ydstogo", "yardline_100"], orient="row")
    indices = frame.select(short_field.situation_index()).to_series().to_list()
    for (down, to_go, goal), index in zip(places, indices, strict=True):
        g = p.Position()
        g.down, g.to_go, g.spot = down, to_go, 100 - goal
        assert rules.chart_situation(g) == (rules.OPEN_FIELD if index is None else index)


def make_gap(**changed: object) -> ShortFieldGap:
    given: dict[str, object] = {
        "to_gain": False,
        "held_to": 2,
        "caught": 0.5,
        "reached": 0.2,
        "charts_caught": 0.625,
        "charts_reached": 0.4,
        "yards": 2.0,
        "charts_yards": 3.0,
        "charts_beyond": 1.0,
        "short": np.eye(1, MAX_SHORT_YARDS)[0] * 0.1,
        "charts_short": np.zeros(MAX_SHORT_YARDS),
    }
    return ShortFieldGap(**{**given, **changed})  # type: ignore[arg-type]


def test_excess_results_are_removed() -> None:
    gap = make_gap()
    assert gap.broken_up == pytest.approx(0.2)
    assert gap.stopped == pytest.approx(0.3)
    assert gap.shortfalls == [1] * 100
    assert gap.held == pytest.approx(0.8 * 3.0 - 0.4 * 0.3 - 2.0)


def test_at_the_line_to_gain_only_excess_conversions_are_removed() -> None:
    gap = make_gap(to_gain=True, reached=0.36)
    assert gap.broken_up == pytest.approx(0.1)
    assert gap.stopped == pytest.approx(0.0)
    assert gap.held == 0.0


def test_a_shortage_is_never_added() -> None:
    gap = make_gap(caught=0.7, reached=0.5, yards=4.0)
    assert (gap.broken_up, gap.stopped, gap.held) == (0.0, 0.0, 0.0)


def test_a_column_has_the_rates_of_its_gap() -> None:
    columns = short_field.build_columns(
        {"short-field.goal-5-pass": make_gap()}, {"short-field.chains-run": 0.5}
    )
    column = columns["short-field.goal-5-pass"]
    from hashmark.games.data_driven.dice import OFFENSE_WEIGHTS

    def ways(kind: int) -> int:
        return sum(
            way
            for cell, way in zip(column, OFFENSE_WEIGHTS, strict=True)
            if c.kind_of(cell) == kind and cell != c.BLANK
        )

    assert ways(c.INC) == pytest.approx(43.2, abs=1)
    assert ways(c.NUMBER) == pytest.approx(64.8, abs=1)
    assert ways(c.PAREN) == pytest.approx(216 * 0.28, abs=1)
    assert sum(
        way
        for cell, way in zip(columns["short-field.chains-run"], OFFENSE_WEIGHTS, strict=True)
        if c.number_of(cell) == -1
    ) == pytest.approx(108, abs=1)
