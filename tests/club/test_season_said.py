"""What the simulation says of a season, in short."""

from __future__ import annotations

from typing import Any

from hashmark.club.season_said import SHOWN, SeasonSaid


def result(teams: int) -> dict[str, Any]:
    return {
        "runs": 100,
        "answer": {"text": "nobody knows", "champion": "T31"},
        "teams": [
            {"team": f"T{at}", "title": {"mean": (32 - at) / 600, "low": 0.0, "high": 0.2}}
            for at in range(teams)
        ],
    }


def test_the_most_likely_are_shown_and_the_real_champion() -> None:
    said = SeasonSaid.of(result(32))
    assert said is not None
    assert [one.team for one in said.chances] == [*(f"T{at}" for at in range(SHOWN)), "T31"]
    chart = said.chart()
    assert "T31 0.2%" in chart.description
    assert said.to_json()["titles"][0]["team"] == "T0"


def test_without_a_season_nothing_is_said() -> None:
    assert SeasonSaid.of(result(0)) is None
