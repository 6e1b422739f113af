"""Access to the parts of a drawing, for tests of the games that make it."""

from __future__ import annotations

from typing import Any, TypeVar

from hashmark.engine.drawings import Chart, Drawing, make_drawing
from hashmark.engine.game import Game, SeededDice
from hashmark.session.redaction import view_for

Part = TypeVar("Part")


def parts_of_type(drawing: Drawing | None, kind: type[Part]) -> list[Part]:
    return [part for part in (drawing.parts if drawing else ()) if isinstance(part, kind)]


def drawing_for(game: Game, viewer: int) -> Drawing | None:
    return make_drawing(view_for(game, viewer), viewer)


def marked_cells(chart: Chart, mark: str = "hit") -> list[tuple[str, str, str]]:
    """Return row, column and text of the cells with a mark."""
    return [
        (row.label, chart.headings[1 + index], cell.text)
        for row in chart.rows
        for index, cell in enumerate(row.cells)
        if cell.mark == mark
    ]


def new_game(
    rules: str, start: dict[str, Any] | None = None, dice: Any = None, **options: Any
) -> Game:
    return Game(rules, options, dice=dice or SeededDice(1), start=start)
