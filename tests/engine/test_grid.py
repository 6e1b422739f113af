"""Printed tables: cells by one or two indices, and none beyond the edges."""

from __future__ import annotations

import pytest

from hashmark.engine.grid import Grid

LINE = Grid("line", [4, 5, 6])
SHEET = Grid("sheet", [[1, 2, 3], [4, 5, 6]])


def test_cells_are_found_by_one_or_two_indices() -> None:
    assert [LINE[at] for at in range(3)] == [4, 5, 6] == list(LINE)
    assert [[SHEET[row, at] for at in range(3)] for row in range(2)] == [[1, 2, 3], [4, 5, 6]]
    assert (len(LINE), len(SHEET), SHEET.shape) == (3, 2, (2, 3))


@pytest.mark.parametrize("at", [-1, 3])
def test_an_index_beyond_a_line_is_an_error(at: int) -> None:
    with pytest.raises(IndexError, match=f"table line has no cell {at}"):
        LINE[at]


@pytest.mark.parametrize("at", [(-1, 0), (2, 0), (0, -1), (0, 3), (1, 3)])
def test_an_index_beyond_a_sheet_is_an_error(at: tuple[int, int]) -> None:
    with pytest.raises(IndexError, match="table sheet has no cell"):
        SHEET[at]


def test_rows_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="rows are not equally long"):
        Grid("torn", [[1, 2], [3]])


def test_a_table_is_equal_to_itself_only() -> None:
    assert Grid("line", [4, 5, 6]) != LINE
    assert len({LINE, SHEET, LINE}) == 2
