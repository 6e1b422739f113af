"""Conversion of the boxes of a sheet to a drawing, so that print and screen share one source."""

from __future__ import annotations

from collections.abc import Iterator

from hashmark.engine import drawings
from hashmark.engine.drawings import BoxLine, BoxSheet, Mark
from hashmark.sheets.document import Box, Boxes, BoxRow, BoxStyle

MARK_BY_STYLE: dict[BoxStyle, Mark] = {
    "open": "",
    "crossed": "crossed",
    "ticked": "hit",
    "current": "current",
    "shaded": "shaded",
}


def boxes_to_drawing(boxes: Boxes, title: str) -> BoxSheet:
    """Return the same rows as a drawing; a long row is broken where the sheet breaks it."""
    return BoxSheet(title, [line for row in boxes.rows for line in _lines(row)])


def _lines(row: BoxRow) -> Iterator[BoxLine]:
    per_line = row.per_row or max(len(row.boxes), 1)
    for start in range(0, len(row.boxes), per_line):
        line_boxes = row.boxes[start : start + per_line]
        yield BoxLine(row.label if start == 0 else "", [_box(box) for box in line_boxes])


def _box(box: Box) -> drawings.Box:
    return drawings.Box(box.text, MARK_BY_STYLE[box.style])
