"""Drawing of the clock line: numbers written, numbers read, and possible rewinds."""

from __future__ import annotations

from typing import Any

from drawing_parts import drawing_for, marked_cells, new_game, parts_of_type
from hashmark.engine.drawings import Box, BoxSheet, Chart
from hashmark.engine.game import Game, ListedDice
from hashmark.session.redaction import SPECTATOR


class TestRapidRoll:
    """The clock line of a Rapid Roll game."""

    LOG = (12, 23, 34, 45, 56, 61, 16, 25, 36, 14)

    def at(self, dice: Any = None, **more: Any) -> Game:
        start = {"phase": "scrimmage", "possession": "home", "spot": 40, "down": 1, "to_go": 10}
        return new_game("rapid-roll", {**start, "log": list(self.LOG), **more}, dice)

    def line(self, game: Game) -> list[Box]:
        [sheet] = parts_of_type(drawing_for(game, SPECTATOR), BoxSheet)
        return list(sheet.lines[0].boxes)

    def test_the_line_shows_its_numbers_and_the_next_box(self) -> None:
        boxes = self.line(self.at())
        assert [box.text for box in boxes[:10]] == [str(number) for number in self.LOG]
        assert boxes[10] == Box("", "current")

    def test_the_chart_shows_what_each_rewind_would_read(self) -> None:
        chart = parts_of_type(drawing_for(self.at(), SPECTATOR), Chart)[0]
        rows = {row.label: [cell.text for cell in row.cells] for row in chart.rows}
        assert rows["1"] == ["14", "36", "25", "16"]
        assert rows["4"] == ["16", "34", "-", "-"]
        assert rows["doubles"] == ["56", "-", "-", "-"]
        assert not marked_cells(chart) + marked_cells(chart, "next")

    def test_numbers_read_by_the_last_play_are_marked(self) -> None:
        game = self.at(ListedDice([[4, 5], []]))  # line-run 9 is (1): one number, one step back
        game.play_named("line-run")
        rewinds = [event for event in game.turns[-1].events if event.name == "rewinds"]
        assert [event.number for event in rewinds] == [14]
        boxes = self.line(game)
        assert [(i, box.text) for i, box in enumerate(boxes) if box.mark == "hit"] == [(9, "14")]
        charts = parts_of_type(drawing_for(game, SPECTATOR), Chart)
        assert marked_cells(charts[1]) == [("9", "line run", "(1)")]

    def test_in_the_middle_of_a_play_the_next_number_is_marked(self) -> None:
        game = self.at(ListedDice([[4, 5], []]))
        game.play_named("line-run")
        assert game.position.roll == 45
        chart = parts_of_type(drawing_for(game, SPECTATOR), Chart)[0]
        assert marked_cells(chart) == [("1", "1st", "14")]
        assert marked_cells(chart, "next") == [("1", "2nd", "36")]
        boxes = self.line(game)
        assert [box.text for box in boxes if box.mark == "next"] == ["36"]
        assert Box("45", "current") in boxes
