"""Drawing of the printed tables of 4th Down! with the cells that were hit."""

from __future__ import annotations

from drawing_parts import drawn, game_of, marked, parts
from hashmark.table.drawings import Chart
from hashmark.table.game import ListedDice
from hashmark.table.record import HOME


class TestTables:
    """Cells that are marked as hit."""

    def test_the_cell_of_the_drive_is_marked(self) -> None:
        start = {"phase": "drive", "possession": "home", "spot": 30}
        game = game_of("fourth-down", start, ListedDice([[7, 20, 3], []]))
        game.play("run-first")
        drive, attempts = parts(drawn(game, HOME), Chart)
        assert marked(drive) == [("7", "run-first", "8, 12")]
        assert not marked(attempts)

    def test_the_cell_of_the_kick_is_marked(self) -> None:
        start = {"phase": "fourth-down", "possession": "home", "spot": 75, "to_go": 4}
        game = game_of("fourth-down", start, ListedDice([[13], []]))
        game.play("field-goal")
        charts = parts(drawn(game, HOME), Chart)
        assert [cell for chart in charts for cell in marked(chart)] == [
            ("13", "kick good from", "40")
        ]
