"""Simulated seasons from Python."""

from __future__ import annotations

from pathlib import Path

import pytest
from matplotlib.patches import Rectangle

import hashmark as hm
from api.looks import check_looks
from hashmark.api.seasons import TEAM_COLUMNS, team_rows
from league.conftest import league, league_folder  # noqa: F401  (fixtures)
from league.invented_league import SEASON

RUNS = 20


@pytest.fixture
def season(league: Path) -> hm.Season:  # noqa: F811
    return hm.season(SEASON, runs=RUNS, plan="book")


@pytest.mark.heavy
def test_a_season_has_a_row_for_each_team(season: hm.Season) -> None:
    table = season.table()
    assert table.height == 32
    assert table["wins"].is_sorted(descending=True)
    assert table["wins"].sum() == pytest.approx(256, abs=1e-6)
    assert table["win_title"].sum() == pytest.approx(1)
    assert table["make_playoffs"].sum() == pytest.approx(12)
    assert table.columns == list(TEAM_COLUMNS)
    assert team_rows(season._result.outcome) == table.to_dicts()
    assert season.runs == RUNS
    assert "title" in season.answer


@pytest.mark.heavy
def test_a_season_is_shown_and_drawn(season: hm.Season) -> None:
    check_looks(season)
    assert repr(season) == f"<Season {SEASON}: {RUNS} simulations, seed 0>"
    assert season.to_html().startswith("<!DOCTYPE html>")
    patches = season.plot("Cardinals").patches
    bars = [one.get_height() for one in patches if isinstance(one, Rectangle)]
    assert len(bars) == 17
    assert sum(bars) == pytest.approx(100)
    assert season.team("STL").code == "STL"
    with pytest.raises(hm.HashmarkError, match="unknown team 'STX'"):
        season.team("STX")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"runs": 0}, "runs"),
        ({"plan": "bok"}, "no game plan 'bok'.*did you mean 'book'"),
        ({"options": {"hfa": 1}}, "hfa"),
    ],
)
def test_wrong_requests_are_refused_at_once(given: dict[str, object], message: str) -> None:
    with pytest.raises(hm.HashmarkError, match=message):
        hm.season(2008, **given)  # type: ignore[arg-type]
