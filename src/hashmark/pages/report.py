"""Report: one page with a title, the answer, and sections of charts, tables and paragraphs.

    Report(
        "Season 2008",
        "10,000 seasons",
        [Section("Titles", [rows(...), Table("By team", ("team", "titles"), lines)])],
    ).html()

The page is one self-contained file that follows the reader's light or dark theme, and prints. It
is complete without its script, which sorts tables and shows chart values under the pointer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hashmark.pages.environment import render
from hashmark.pages.shapes import Chart


@dataclass(frozen=True)
class Cell:
    """Cell with an explicit sort value, where the number it begins with is not the right one."""

    text: str
    value: float | None


@dataclass(frozen=True)
class Table:
    """Table; the first cell of a row is its heading, the first `left` columns are left-aligned."""

    caption: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str | Cell]]
    left: int = 1

    def cells(self) -> list[list[Cell]]:
        """Return all cells with their sort values; row headings are sorted as text."""
        return [[_cell(cell, index > 0) for index, cell in enumerate(row)] for row in self.rows]


@dataclass(frozen=True)
class Note:
    """Plain paragraph."""

    text: str


@dataclass(frozen=True)
class Headed:
    """Piece with a small heading of its own."""

    heading: str
    piece: Piece


@dataclass(frozen=True)
class Beside:
    """Pieces next to each other where there is room, else below each other."""

    pieces: Sequence[Piece]


@dataclass(frozen=True)
class Small:
    """Many small charts."""

    charts: Sequence[Chart]


Piece = Chart | Table | Note | Headed | Beside | Small


@dataclass(frozen=True)
class Section:
    """Section of the page: its heading, a sentence about it, and its pieces."""

    title: str
    pieces: Sequence[Piece]
    text: str = ""


@dataclass(frozen=True)
class Report:
    """The whole page."""

    title: str
    lead: str
    sections: Sequence[Section]
    answer: str = ""
    foot: str = ""

    def html(self) -> str:
        return render("report.html", report=self, title=self.title)

    def charts(self) -> list[Chart]:
        """Return every chart of the page."""
        return [chart for section in self.sections for chart in _charts(section.pieces)]


def _charts(pieces: Sequence[Piece]) -> list[Chart]:
    charts: list[Chart] = []
    for piece in pieces:
        match piece:
            case Chart():
                charts.append(piece)
            case Headed():
                charts += _charts([piece.piece])
            case Beside():
                charts += _charts(piece.pieces)
            case Small():
                charts += piece.charts
    return charts


_NUMBER = re.compile(r"[+-]?(?:\d[\d,]*\.?\d*|\.\d+)")


def _cell(cell: str | Cell, is_numeric: bool) -> Cell:
    if isinstance(cell, Cell):
        return cell
    match = _NUMBER.match(cell) if is_numeric else None
    return Cell(cell, float(match[0].replace(",", "")) if match else None)
