"""Runs of seasons from the request to the report."""

from __future__ import annotations

from pathlib import Path

from hashmark.league.seasons.season_run import SeasonRequest, run_season
from league.invented_league import SEASON


def test_an_interrupted_run_has_json_and_no_report(league: Path, tmp_path: Path) -> None:
    request = SeasonRequest(SEASON, 4, plan="book")
    result = run_season(request, resume=tmp_path / "run.json", interrupted=lambda: True)
    assert not result.is_complete
    assert result.report() is None
    assert result.to_json()["runs"] == 0


def test_a_run_says_why_it_has_no_certainty(league: Path) -> None:
    result = run_season(SeasonRequest(SEASON, 2))
    assert result.is_complete
    assert result.outcome.certainty is None
    assert result.outcome.unsure.startswith("its bootstrap was made from different charts")
    assert result.report() is not None
