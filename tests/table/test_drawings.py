"""Drawings: marks, chart rows and team names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import pytest

from hashmark.table import registry
from hashmark.table.drawings import MARKS, Cell, Chart, Drawing, Mark, Row, Text, drawing_of
from hashmark.table.game import Game, SeededDice
from hashmark.table.names import NAMES


def test_every_mark_has_a_description() -> None:
    assert set(MARKS) == set(get_args(Mark))
    assert all(words for mark, words in MARKS.items() if mark)


def test_a_row_that_does_not_fit_the_headings_is_refused() -> None:
    with pytest.raises(ValueError, match="row 10 does not fit"):
        Chart("Draw", ["dice", "+0"], [Row("10", [Cell("1"), Cell("2")])])


def test_a_drawing_uses_the_team_names_of_its_game() -> None:
    def draw(game: Any, viewer: int) -> Drawing:
        return Drawing(NAMES[0], [Text(NAMES[1])])

    rules = replace(registry.load("fourth-down"), drawing=draw)
    game = Game(rules, {}, dice=SeededDice(1), names=("Otters", "Herons"))
    assert drawing_of(game, 0) == Drawing("Otters", [Text("Herons")])
    assert drawing_of(Game(replace(rules, drawing=None), {}, dice=SeededDice(1)), 0) is None
