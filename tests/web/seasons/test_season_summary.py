"""Summaries of simulated seasons."""

from __future__ import annotations

from typing import Any

from hashmark.web.seasons.season_summary import TEAMS_SHOWN, SeasonSummary


def result(teams: int) -> dict[str, Any]:
    return {
        "runs": 100,
        "answer": {"text": "nobody knows", "champion": "T31"},
        "teams": [
            {"team": f"T{index}", "title": {"mean": (32 - index) / 600, "low": 0.0, "high": 0.2}}
            for index in range(teams)
        ],
    }


def test_the_most_likely_champions_and_the_real_one_are_shown() -> None:
    summary = SeasonSummary.from_result(result(32))
    assert summary is not None
    assert [chance.team for chance in summary.chances] == [
        *(f"T{index}" for index in range(TEAMS_SHOWN)),
        "T31",
    ]
    chart = summary.chart()
    assert "T31 0.2 %" in chart.description
    assert summary.to_json()["titles"][0]["team"] == "T0"


def test_there_is_no_summary_without_seasons() -> None:
    assert SeasonSummary.from_result(result(0)) is None
