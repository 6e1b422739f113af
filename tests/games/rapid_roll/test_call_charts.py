"""Charts of the calls of a Rapid Roll decision: the printed columns of the legal plays."""

from __future__ import annotations

from typing import Any

from drawing_parts import marked_cells, new_game
from hashmark.engine.drawings import Chart, draw_call_charts
from hashmark.games.rapid_roll.tables import CELLS, SUMS


def chart_at(**more: Any) -> Chart:
    start = {"phase": "scrimmage", "possession": "home", "spot": 40, "down": 1, "to_go": 10}
    drawing = draw_call_charts(new_game("rapid-roll", {**start, **more}))
    assert drawing is not None
    [chart] = drawing.parts
    assert isinstance(chart, Chart)
    return chart


def test_the_columns_of_all_legal_plays_are_shown_as_printed() -> None:
    chart = chart_at()
    assert chart.headings[:3] == ["sum", "line run", "end run"]
    assert "long pass" in chart.headings
    index = chart.headings.index("medium pass") - 1
    assert [row.cells[index].text for row in chart.rows] == CELLS["medium-pass"]
    assert [row.label for row in chart.rows][:2] == ["2 (3 %)", "3 (6 %)"]
    assert len(chart.rows) == len(SUMS)


def test_a_punt_from_the_opponents_side_uses_the_short_column() -> None:
    assert "punt" in chart_at(down=4).headings
    assert "short punt" in chart_at(down=4, spot=60).headings
    assert "punt" not in chart_at(down=4, spot=60).headings


def test_cells_are_shaded_where_shading_counts() -> None:
    assert not marked_cells(chart_at(), "shaded")
    assert ("6 (14 %)", "line run", "2") in marked_cells(chart_at(down=3, to_go=1), "shaded")
    assert len(marked_cells(chart_at(spot=96, to_go=4), "shaded")) == 6


def test_decisions_without_a_play_have_no_chart() -> None:
    game = new_game("rapid-roll", {"phase": "coin-toss"})
    assert draw_call_charts(game) is None
    game.play()
    assert game.question.name == "toss"
    assert draw_call_charts(game) is None
