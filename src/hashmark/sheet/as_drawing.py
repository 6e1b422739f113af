"""Conversion of the boxes of a sheet to a drawing, so that print and screen share one source."""

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
    """Return the same rows as a drawing; a long row is broken where the sheet breaks it."""
    return Sheet(title, [line for row in boxes.rows for line in _lines(row)])


def _lines(row: BoxRow) -> Iterator[Line]:
    per_line = row.per_row or max(len(row.boxes), 1)
    for start in range(0, len(row.boxes), per_line):
        line_boxes = row.boxes[start : start + per_line]
        yield Line(row.label if start == 0 else "", [_box(box) for box in line_boxes])


def _box(box: Box) -> drawings.Box:
    return drawings.Box(box.text, MARKS[box.style])
