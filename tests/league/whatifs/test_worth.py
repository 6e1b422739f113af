"""Expected points: they rise towards the goal, and can be made again from play-by-play."""

from __future__ import annotations

from pathlib import Path

import pytest

from hashmark.league.whatifs import worth
from hashmark.table.errors import HashmarkError
from league.real_seasons import REAL, needs_plays


def test_expected_points_rise_towards_the_goal_and_fall_with_the_downs() -> None:
    value = worth.load()
    firsts = [value.first_down(spot) for spot in range(5, 96, 5)]
    assert firsts == sorted(firsts)
    for spot in range(10, 91, 10):
        downs = [value.at(down, 10, spot) for down in (1, 2, 3, 4)]
        assert downs == sorted(downs, reverse=True)
        distances = [value.at(3, to_go, spot) for to_go in (1, 3, 5, 8, 10)]
        assert distances == sorted(distances, reverse=True)
    assert value.after(1, 10, 95, 5) == worth.TOUCHDOWN
    assert value.after(1, 10, 3, -3) == worth.SAFETY
    assert value.after(4, 5, 50, 2) == -value.first_down(48)
    assert value.after(2, 5, 50, 2) == value.at(3, 3, 52)


@needs_plays
def test_the_table_of_expected_points_can_be_made_again(tmp_path: Path) -> None:
    sources = sorted(REAL.glob("pbp_*.parquet"))
    made = tmp_path / "expected-points.csv"
    worth.write_table(sources, made)
    assert made.read_text(encoding="utf-8") == worth.TABLE.read_text(encoding="utf-8")


def test_expected_points_need_a_season() -> None:
    with pytest.raises(HashmarkError, match="at least one season"):
        worth.build([])
