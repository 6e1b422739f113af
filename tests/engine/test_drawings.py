"""Drawings: marks, chart rows and team names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_args

import pytest

from hashmark.engine import registry
from hashmark.engine.drawings import (
    MARK_MEANINGS,
    Chart,
    ChartCell,
    ChartRow,
    Drawing,
    Mark,
    TextPart,
    make_drawing,
)
from hashmark.engine.game import Game, SeededDice


def test_every_mark_has_a_description() -> None:
    assert set(MARK_MEANINGS) == set(get_args(Mark))
    assert all(words for mark, words in MARK_MEANINGS.items() if mark)


def test_a_row_that_does_not_fit_the_headings_is_refused() -> None:
    with pytest.raises(ValueError, match="row 10 does not fit"):
        Chart("Draw", ["dice", "+0"], [ChartRow("10", [ChartCell("1"), ChartCell("2")])])


def test_a_drawing_uses_the_team_names_of_its_game() -> None:
    def draw(game: Any, viewer: int) -> Drawing:
        return Drawing(game.names[0], [TextPart(game.names[1])])

    rules = replace(
        registry.load("fourth-down"),
        presentation=replace(registry.load("fourth-down").presentation, make_drawing=draw),
    )
    game = Game(rules, {}, dice=SeededDice(1), names=("Otters", "Herons"))
    assert make_drawing(game, 0) == Drawing("Otters", [TextPart("Herons")])
    assert (
        make_drawing(
            Game(
                replace(rules, presentation=replace(rules.presentation, make_drawing=None)),
                {},
                dice=SeededDice(1),
            ),
            0,
        )
        is None
    )
