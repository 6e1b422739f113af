"""Expected points: they rise toward the goal, and can be rebuilt from play-by-play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hashmark.engine import registry
from hashmark.errors import HashmarkError
from hashmark.games.data_driven.charts import files as chart_files
from hashmark.league.whatifs import expected_points
from league.real_seasons import PLAYS_FOLDER, needs_plays


def test_expected_points_rise_toward_the_goal_and_fall_by_down() -> None:
    expected = expected_points.load()
    firsts = [expected.first_down_value(spot) for spot in range(5, 96, 5)]
    assert firsts == sorted(firsts)
    for spot in range(10, 91, 10):
        downs = [expected.value_at(down, 10, spot) for down in (1, 2, 3, 4)]
        assert downs == sorted(downs, reverse=True)
        distances = [expected.value_at(3, to_go, spot) for to_go in (1, 3, 5, 8, 10)]
        assert distances == sorted(distances, reverse=True)
    assert expected.value_after(1, 10, 95, 5) == expected_points.TOUCHDOWN_POINTS
    assert expected.value_after(1, 10, 3, -3) == expected_points.SAFETY_POINTS
    assert expected.value_after(4, 5, 50, 2) == -expected.first_down_value(48)
    assert expected.value_after(2, 5, 50, 2) == expected.value_at(3, 3, 52)


def test_next_score_ep_is_known_before_snaps_the_table_covers() -> None:
    rules = registry.load("data-driven")
    m = rules.new_match()

    def ep(**changed: Any) -> float | None:
        given = {"phase": "scrimmage", "possession": "away", "spot": 60, "down": 3, "to_go": 4}
        return expected_points.next_score_ep(rules.new_position(m, {**given, **changed}))

    expected = expected_points.load()
    assert ep() == expected.value_at(3, 4, 60)
    assert ep(period=2, clock=121) == ep()
    assert ep(period=2, clock=120) is None  # the table leaves out the end of a half
    assert ep(period=3, clock=120) == ep()
    assert ep(period=5) is None
    assert (
        expected_points.next_score_ep(
            rules.new_position(m, {"phase": "kickoff", "possession": "home"})
        )
        is None
    )


@needs_plays
def test_shipped_table_can_be_rebuilt(tmp_path: Path) -> None:
    """The table is made of the seasons whose charts are shipped; the data may hold others."""
    seasons = [name for name in chart_files.list_names() if name.isdigit()]
    sources = [PLAYS_FOLDER / f"pbp_{season}.parquet" for season in seasons]
    path = tmp_path / "expected-points.csv"
    expected_points.write_table(sources, path)
    assert path.read_text(encoding="utf-8") == expected_points.TABLE_PATH.read_text(
        encoding="utf-8"
    )


def test_building_without_a_season_is_rejected() -> None:
    with pytest.raises(HashmarkError, match="at least one season"):
        expected_points.fit_table([])
