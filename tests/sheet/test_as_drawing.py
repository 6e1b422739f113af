"""Boxes of a sheet as a drawing."""

from __future__ import annotations

from typing import get_args

from hashmark.sheet.as_drawing import MARKS, drawn
from hashmark.sheet.document import Box, Boxes, BoxRow, BoxStyle
from hashmark.table import drawings
from hashmark.table.drawings import Line, Sheet


def test_every_style_has_a_mark() -> None:
    assert set(MARKS) == set(get_args(BoxStyle))
    assert set(MARKS.values()) <= set(drawings.MARKS)


def test_rows_are_broken_where_the_sheet_breaks_them() -> None:
    boxes = Boxes(
        [BoxRow("Clock", [Box("1", "crossed"), Box("2", "current"), Box("3")], per_row=2)]
    )
    assert drawn(boxes, "Sheet") == Sheet(
        "Sheet",
        [
            Line("Clock", [drawings.Box("1", "crossed"), drawings.Box("2", "current")]),
            Line("", [drawings.Box("3")]),
        ],
    )


def test_a_short_row_is_not_broken_and_an_empty_one_is_left_out() -> None:
    boxes = Boxes([BoxRow("Downs", [Box("1")]), BoxRow("None", [])])
    assert drawn(boxes, "Sheet").lines == [Line("Downs", [drawings.Box("1")])]
