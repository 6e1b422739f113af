"""Printed tables of a rulebook: integers in one or two dimensions.

Plain Python looks up a cell and compiled code reads a constant array; a rule that uses
`YARDS[style, row]` works with both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NoReturn


class Grid(dict[Any, int]):
    """A constant table of integers, indexed by one or two numbers from 0.

    Coaches that search read millions of cells. A dictionary finds a cell without running any Python
    code, and raises an error for a cell beyond the edges.
    """

    __slots__ = ("cells", "name", "shape", "width")

    def __init__(self, name: str, rows: Sequence[int] | Sequence[Sequence[int]]) -> None:
        self.name = name
        first = rows[0]
        if isinstance(first, int):
            self.cells: tuple[Any, ...] = tuple(rows)
            self.width = 0
            self.shape: tuple[int, ...] = (len(rows),)
            super().__init__(enumerate(self.cells))
        else:
            self.width = width = len(first)
            if any(len(row) != width for row in rows):  # type: ignore[arg-type]
                raise ValueError(f"table {name}: its rows are not equally long")
            self.cells = tuple(cell for row in rows for cell in row)  # type: ignore[union-attr]
            self.shape = (len(rows), width)
            super().__init__((divmod(at, width), cell) for at, cell in enumerate(self.cells))

    @classmethod
    def of_steps(cls, name: str, steps: Sequence[tuple[int, int]], size: int, beyond: int) -> Grid:
        """Make a line from (last index, value) pairs; cells after the last pair hold `beyond`.

        >>> list(Grid.of_steps("limit", [(1, 7), (2, 9)], 5, 0))
        [7, 7, 9, 0, 0]
        """
        return cls(
            name,
            [next((value for last, value in steps if at <= last), beyond) for at in range(size)],
        )

    def __missing__(self, at: object) -> NoReturn:
        raise IndexError(f"table {self.name} has no cell {at}")

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.cells)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    __hash__ = object.__hash__  # type: ignore[assignment]
