"""Sheet documents: blank rows, lanes of arrows, boxes as a drawing, and rejected values."""

from __future__ import annotations

import subprocess
import sys
from typing import get_args

import pytest

from hashmark.engine import drawings
from hashmark.engine.drawings import BoxLine, BoxSheet
from hashmark.reports.text_cleaning import one_line, printable, split_words
from hashmark.sheets.document import (
    MARK_BY_STYLE,
    Arrow,
    Box,
    Boxes,
    BoxRow,
    BoxStyle,
    Cell,
    Column,
    Columns,
    Field,
    Note,
    Table,
    boxes_to_drawing,
    field_yards,
)


def test_table_fills_up_with_blank_rows() -> None:
    table = Table([Column("a"), Column("b")], [["x"], [Cell("y", "strong"), "z"]], fill=4)
    assert table.filled() == [
        [Cell("x"), Cell("")],
        [Cell("y", "strong"), Cell("z")],
        [Cell(""), Cell("")],
        [Cell(""), Cell("")],
    ]


def test_a_table_is_for_the_pencil_if_rows_or_most_cells_are_blank() -> None:
    columns = [Column("a"), Column("b"), Column("c")]
    assert Table(columns, [["x", "y", "z"]], fill=2).is_for_pencil
    assert Table(columns, [["home"], ["away"]]).is_for_pencil
    assert not Table(columns, [["home", "7"], ["away", "0"]], fill=2).is_for_pencil


def test_impossible_values_are_rejected() -> None:
    with pytest.raises(ValueError, match="row 2 has 2 cells for 1 columns"):
        Table([Column("a")], [["x"], ["x", "y"]])
    with pytest.raises(ValueError, match="a width must be positive"):
        Column("a", 0)
    with pytest.raises(ValueError, match="a width must be positive"):
        Box(width=float("nan"))
    with pytest.raises(ValueError, match="1 shares for 2 columns"):
        Columns([[Note("a")], [Note("b")]], [1])


def test_arrows_without_a_place_share_the_width() -> None:
    field = Field(arrows=[Arrow(0, 1), Arrow(0, 1, across=0.9), Arrow(0, 1), Arrow(0, 1)])
    assert [place for _, place in field.lanes()] == [0.25, 0.9, 0.5, 0.75]


def test_home_plays_from_left_to_right() -> None:
    assert field_yards(0, 35) == 35
    assert field_yards(1, 35) == 65


def test_control_characters_are_removed() -> None:
    assert printable("a\x1b[31mb\r\nc\td\u202e\x00") == "a[31mb\nc d"
    assert one_line("  a \n b  ") == "a b"
    assert split_words("←\u00a0\u00a0→ x") == ["←\u00a0\u00a0→", "x"]


def test_documents_need_no_heavy_library() -> None:
    """Check that a game's sheet is described without the libraries that draw it."""
    code = (
        "import sys, hashmark.sheets.document, hashmark.sheets.shared_blocks\n"
        "print([m for m in ('reportlab', 'numpy', 'numba', 'rich') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# --- Boxes as a drawing ---------------------------------------------------------------------


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
