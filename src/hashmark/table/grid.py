"""Printed tables of a rulebook: whole numbers in one or two dimensions.

Plain Python reads a tuple, compiled code a constant array; the rule that says
`YARDS[style, row]` does not know which.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class Grid:
    """A constant table of integers, indexed by one or two numbers from 0."""

    __slots__ = ("cells", "name", "shape", "width")

    def __init__(self, name: str, rows: Sequence[int] | Sequence[Sequence[int]]) -> None:
        self.name = name
        first = rows[0]
        if isinstance(first, int):
            self.cells: tuple[Any, ...] = tuple(rows)
            self.width = 0
            self.shape: tuple[int, ...] = (len(rows),)
        else:
            self.width = len(first)
            if any(len(row) != self.width for row in rows):  # type: ignore[arg-type]
                raise ValueError(f"table {name}: its rows are not equally long")
            self.cells = tuple(cell for row in rows for cell in row)  # type: ignore[union-attr]
            self.shape = (len(rows), self.width)

    def __getitem__(self, at: Any) -> int:
        width = self.width
        if width:
            row, column = at
            place = row * width + column
            there = 0 <= column < width and 0 <= place < len(self.cells)
        else:
            place, there = at, 0 <= at < len(self.cells)
        if not there:
            raise IndexError(f"table {self.name} has no cell {at}")
        return self.cells[place]  # type: ignore[no-any-return]

    def __len__(self) -> int:
        return self.shape[0]
