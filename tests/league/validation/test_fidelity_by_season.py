"""Several seasons side by side, simulated against real."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from hashmark.league.validation import fidelity_by_season as by_season
from hashmark.league.validation import verify
from hashmark.league.validation.verify import VerifyReport
from league.validation.test_verify import invent_simulation


@pytest.fixture(scope="module")
def season_reports() -> list[VerifyReport]:
    """Return reports of an accurate season and of one with too many points."""
    reports = []
    for season, bias in ((2008, 1.0), (2009, 1.3)):
        done, figures = invent_simulation(bias=bias)
        reports.append(verify.compare_with_real(season, done, figures, done.seasons, 0))
    return reports


def test_season_rows_have_a_row_for_each_season(season_reports: list[VerifyReport]) -> None:
    rows = by_season.season_rows(season_reports)
    assert [row[0] for row in rows] == ["2008", "2009"]
    assert {len(row) for row in rows} == {len(by_season.SEASON_HEAD)}
    label, _, error = rows[1][-1].rpartition(" +")
    assert label == "points per game"
    assert float(error.rstrip(" %")) == pytest.approx(30, abs=3)


def test_rate_rows_name_the_season_farthest_off(season_reports: list[VerifyReport]) -> None:
    points = by_season.rate_rows(season_reports)[0]
    assert points[0] == "points per game"
    assert points[-1] == "2009"
    assert float(points[3].rstrip("%")) == pytest.approx(15, abs=2)
    assert len(points) == len(by_season.RATE_HEAD)
    reordered = by_season.rate_rows([replace(season_reports[1], season=2007), season_reports[0]])[0]
    assert reordered[-1] == "2007"


def test_json_has_rates_and_correlations(season_reports: list[VerifyReport]) -> None:
    data = json.loads(json.dumps(by_season.to_json(season_reports)))
    assert data[0]["season"] == 2008
    assert data[0]["rates"]["points"]["real"] == pytest.approx(22)
    assert set(data[0]["correlation"]) == {"points_for", "points_against", "wins"}


def test_seasons_without_charts_are_skipped() -> None:
    assert by_season.verify_seasons([1950, 2017]) == []


@pytest.mark.heavy
def test_a_real_season_is_verified() -> None:
    messages: list[str] = []
    reports = by_season.verify_seasons(
        [2008], progress=lambda what, done, total: messages.append(what)
    )
    assert [report.season for report in reports] == [2008]
    assert messages == ["2008, whole season"]
    assert by_season.season_rows(reports)[0][1].endswith(" of 17")
