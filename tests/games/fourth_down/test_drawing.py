"""Drawing of the printed tables of 4th Down! with the cells that were hit."""

from __future__ import annotations

from drawing_parts import drawing_for, marked_cells, new_game, parts_of_type
from hashmark.engine.drawings import Chart
from hashmark.engine.game import ListedDice
from hashmark.engine.record import HOME


class TestTables:
    """Cells that are marked as hit."""

    def test_the_cell_of_the_drive_is_marked(self) -> None:
        start = {"phase": "drive", "possession": "home", "spot": 30}
        game = new_game("fourth-down", start, ListedDice([[7, 20, 3], []]))
        game.play_named("run-first")
        drive, attempts = parts_of_type(drawing_for(game, HOME), Chart)
        assert marked_cells(drive) == [("7", "run-first", "8, 12")]
        assert not marked_cells(attempts)

    def test_the_cell_of_the_kick_is_marked(self) -> None:
        start = {"phase": "fourth-down", "possession": "home", "spot": 75, "to_go": 4}
        game = new_game("fourth-down", start, ListedDice([[13], []]))
        game.play_named("field-goal")
        charts = parts_of_type(drawing_for(game, HOME), Chart)
        assert [cell for chart in charts for cell in marked_cells(chart)] == [
            ("13", "longest good kick", "40")
        ]
