"""Poster of Data-Driven Football for the lobby."""

from __future__ import annotations

from hashmark.engine.drawings import Chart, ChartCell, ChartRow, DrawnDie, Poster
from hashmark.games.data_driven.charts.cells import GROUNDS, color, parse

_CELLS = (
    ("6", "INC", "12", "4", "QT"),
    ("-2", "9", "INC", "17*", "3"),
    ("TD", "5", "8", "INT 11", "INC"),
    ("7", "OFF 10", "2", "21", "F 3"),
)
_HIT = (1, 3)


def _cell(text: str, hit: bool) -> ChartCell:
    return ChartCell(text, GROUNDS[color(parse(text))], "hit" if hit else "")


POSTER = Poster(
    (
        "Nine plays against six formations, called in secret and revealed together, on charts "
        "made from the plays of real seasons.",
        "Pick any two teams of a season: their strengths are in the cells, and the Priority Chart "
        "decides whose result counts.",
        "Penalties, returns, the clock and game plans are all included. Play for an evening, or "
        "simulate whole seasons.",
    ),
    dice=(
        DrawnDie("black die", 2),
        DrawnDie("yellow die", 3),
        DrawnDie("white die", 4),
        DrawnDie("red die", 1),
    ),
    paper=Chart(
        "Offense: medium pass",
        ["", "+0", "+1", "+2", "+3", "+4"],
        [
            ChartRow(str(10 * (i + 1)), [_cell(text, (i, n) == _HIT) for n, text in enumerate(row)])
            for i, row in enumerate(_CELLS)
        ],
    ),
)
