"""Printed tables: cells by one or two numbers, and none beyond the edges."""

from __future__ import annotations

import pytest

from hashmark.table.grid import Grid

LINE = Grid("line", [4, 5, 6])
SHEET = Grid("sheet", [[1, 2, 3], [4, 5, 6]])


def test_cells() -> None:
    assert [LINE[at] for at in range(3)] == [4, 5, 6] == list(LINE)
    assert [[SHEET[row, at] for at in range(3)] for row in range(2)] == [[1, 2, 3], [4, 5, 6]]
    assert (len(LINE), len(SHEET), SHEET.shape) == (3, 2, (2, 3))


@pytest.mark.parametrize("at", [-1, 3])
def test_a_line_has_two_ends(at: int) -> None:
    with pytest.raises(IndexError, match=f"table line has no cell {at}"):
        LINE[at]


@pytest.mark.parametrize("at", [(-1, 0), (2, 0), (0, -1), (0, 3), (1, 3)])
def test_a_sheet_has_four_sides(at: tuple[int, int]) -> None:
    with pytest.raises(IndexError, match="table sheet has no cell"):
        SHEET[at]


def test_rows_are_equally_long() -> None:
    with pytest.raises(ValueError, match="rows are not equally long"):
        Grid("torn", [[1, 2], [3]])


def test_a_table_is_only_itself() -> None:
    assert Grid("line", [4, 5, 6]) != LINE
    assert len({LINE, SHEET, LINE}) == 2
