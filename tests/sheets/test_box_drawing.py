"""Boxes of a sheet as a drawing."""

from __future__ import annotations

from typing import get_args

from hashmark.engine import drawings
from hashmark.engine.drawings import BoxLine, BoxSheet
from hashmark.sheets.box_drawing import MARK_BY_STYLE, boxes_to_drawing
from hashmark.sheets.document import Box, Boxes, BoxRow, BoxStyle


def test_every_style_has_a_mark() -> None:
    assert set(MARK_BY_STYLE) == set(get_args(BoxStyle))
    assert set(MARK_BY_STYLE.values()) <= set(drawings.MARK_MEANINGS)


def test_rows_are_broken_where_the_sheet_breaks_them() -> None:
    boxes = Boxes(
        [BoxRow("Clock", [Box("1", "crossed"), Box("2", "current"), Box("3")], per_row=2)]
    )
    assert boxes_to_drawing(boxes, "Sheet") == BoxSheet(
        "Sheet",
        [
            BoxLine("Clock", [drawings.Box("1", "crossed"), drawings.Box("2", "current")]),
            BoxLine("", [drawings.Box("3")]),
        ],
    )


def test_a_short_row_is_not_broken_and_an_empty_one_is_left_out() -> None:
    boxes = Boxes([BoxRow("Downs", [Box("1")]), BoxRow("None", [])])
    assert boxes_to_drawing(boxes, "Sheet").lines == [BoxLine("Downs", [drawings.Box("1")])]
