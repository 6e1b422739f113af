"""The field in letters."""

from __future__ import annotations

import pytest

from hashmark.sheets.document import Arrow, Field, Mark
from hashmark.sheets.field_strip import render_field


@pytest.mark.parametrize(("width", "letters"), [(80, 63), (122, 63), (123, 123)])
def test_a_wide_page_has_a_letter_for_every_yard(width: int, letters: int) -> None:
    field = Field(marks=[Mark(25, style="line")], arrows=[Arrow(30, 60)])
    lines = render_field(field, width)
    rows = [line for line in lines if line.startswith("│")]
    assert {len(row) for row in rows} == {letters}
    column = 1 + (25 + 10) // (120 // (letters - 3))
    assert any(row[column] == "┃" or row[column + 1] == "┃" for row in rows)


def test_a_letter_that_is_two_cells_wide_does_not_shift_the_field() -> None:
    rows = [line for line in render_field(Field(left="東京"), 80) if line.startswith("│")]
    assert all(len(row) == 63 for row in rows)
    assert "東" not in "".join(rows)
