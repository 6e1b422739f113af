"""Seasons side by side, simulated against real."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from hashmark.league.checks import fidelity_by_season as by_season
from hashmark.league.checks import verify
from hashmark.league.checks.verify import Report
from league.checks.test_verify import played


@pytest.fixture(scope="module")
def made() -> list[Report]:
    """A season that was simulated as it was, and one with too many points."""
    reports = []
    for season, bias in ((2008, 1.0), (2009, 1.3)):
        done, figures = played(bias=bias)
        reports.append(verify.compare(season, done, figures, done.seasons, 0))
    return reports


def test_a_line_for_each_season(made: list[Report]) -> None:
    rows = by_season.season_rows(made)
    assert [row[0] for row in rows] == ["2008", "2009"]
    assert {len(row) for row in rows} == {len(by_season.SEASON_HEAD)}
    assert rows[1][3] == "points a game"
    assert float(rows[1][4].rstrip("%")) == pytest.approx(30, abs=3)


def test_a_line_for_each_rate_with_the_season_that_is_farthest_off(made: list[Report]) -> None:
    points = by_season.rate_rows(made)[0]
    assert points[0] == "points a game"
    assert points[-1] == "2009"
    assert float(points[3].rstrip("%")) == pytest.approx(15, abs=2)
    assert len(points) == len(by_season.RATE_HEAD)
    turned = by_season.rate_rows([replace(made[1], season=2007), made[0]])[0]
    assert turned[-1] == "2007"


def test_json(made: list[Report]) -> None:
    said = json.loads(json.dumps(by_season.to_json(made)))
    assert said[0]["season"] == 2008
    assert said[0]["rates"]["points"]["real"] == pytest.approx(22)
    assert set(said[0]["correlation"]) == {"points_for", "points_against", "wins"}


def test_seasons_without_charts_are_left_out() -> None:
    assert by_season.reports([1950, 2017]) == []


@pytest.mark.heavy
def test_a_real_season() -> None:
    heard: list[str] = []
    found = by_season.reports([2008], progress=lambda what, done, total: heard.append(what))
    assert [one.season for one in found] == [2008]
    assert heard == ["2008, whole"]
    assert by_season.season_rows(found)[0][1].endswith(" of 17")
