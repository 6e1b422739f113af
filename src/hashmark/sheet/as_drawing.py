"""Boxes of a sheet as part of a drawing: what is printed and what lies on a screen are one."""

from __future__ import annotations

from collections.abc import Iterator

from hashmark.sheet.document import Box, Boxes, BoxRow, BoxStyle
from hashmark.table import drawings
from hashmark.table.drawings import Line, Mark, Sheet

MARKS: dict[BoxStyle, Mark] = {
    "open": "",
    "crossed": "crossed",
    "ticked": "hit",
    "current": "current",
    "shaded": "shaded",
}


def drawn(boxes: Boxes, title: str) -> Sheet:
    """The same rows; a long one is broken where the sheet breaks it."""
    return Sheet(title, [line for row in boxes.rows for line in _lines(row)])


def _lines(row: BoxRow) -> Iterator[Line]:
    each = row.per_row or max(len(row.boxes), 1)
    for at in range(0, len(row.boxes), each):
        part = row.boxes[at : at + each]
        yield Line(row.label if at == 0 else "", [_box(box) for box in part])


def _box(box: Box) -> drawings.Box:
    return drawings.Box(box.text, MARKS[box.style])
