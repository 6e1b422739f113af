"""Drawing of the last rows of the sheet of Roll For Yardage!."""

from __future__ import annotations

from collections.abc import Iterator

from drawing_parts import drawing_for, new_game, parts_of_type
from hashmark.engine.drawings import Chart, ChartCell
from hashmark.engine.game import Game, SeededDice
from hashmark.engine.record import HOME


class TestRows:
    """Rows of the drawing."""

    def test_the_last_six_rows_of_the_sheet_are_shown(self) -> None:
        game = new_game("roll-for-yardage", dice=SeededDice(2))
        assert drawing_for(game, HOME) is None
        for _ in self.play_turns(game, 60):
            pass
        [chart] = parts_of_type(drawing_for(game, HOME), Chart)
        assert len(chart.rows) == 6
        assert [row.current for row in chart.rows] == [False] * 5 + [True]
        assert all(isinstance(cell, ChartCell) for row in chart.rows for cell in row.cells)

    def play_turns(self, game: Game, count: int) -> Iterator[None]:
        coach = game.rules.coach("book")
        for _ in range(count):
            game.play(game.decide(coach))
            yield
