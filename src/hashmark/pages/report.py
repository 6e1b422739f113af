"""A report: one page of a title, the answer, and sections of charts, tables and paragraphs.

    Report(
        "Season 2008",
        "10,000 seasons",
        [Section("Titles", [rows(...), Table("By team", ("team", "titles"), lines)])],
    ).html()

The page is one file that loads nothing, follows the reader's light or dark, and prints. It is
whole without its script, which sorts tables and shows a value where one points at a chart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hashmark.pages.environment import render
from hashmark.pages.shapes import Chart


@dataclass(frozen=True)
class Cell:
    """A cell that is sorted by another number than the one it begins with."""

    text: str
    value: float | None


@dataclass(frozen=True)
class Table:
    """A table; the first cell of a row is its heading, the first columns are flush left."""

    caption: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str | Cell]]
    left: int = 1

    def cells(self) -> list[list[Cell]]:
        """All cells with what they are sorted by; row headings are sorted as text."""
        return [[_cell(one, at > 0) for at, one in enumerate(row)] for row in self.rows]


@dataclass(frozen=True)
class Note:
    """A plain paragraph."""

    text: str


@dataclass(frozen=True)
class Headed:
    """A piece with a small heading of its own."""

    heading: str
    piece: Piece


@dataclass(frozen=True)
class Beside:
    """Pieces next to each other where there is room, else one below the other."""

    pieces: Sequence[Piece]


@dataclass(frozen=True)
class Small:
    """Many small charts."""

    charts: Sequence[Chart]


Piece = Chart | Table | Note | Headed | Beside | Small


@dataclass(frozen=True)
class Section:
    """A card of the page: its heading, a sentence about it, and what it holds."""

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
        """Every chart of the page."""
        return [chart for section in self.sections for chart in _charts(section.pieces)]


def _charts(pieces: Sequence[Piece]) -> list[Chart]:
    found: list[Chart] = []
    for piece in pieces:
        match piece:
            case Chart():
                found.append(piece)
            case Headed():
                found += _charts([piece.piece])
            case Beside():
                found += _charts(piece.pieces)
            case Small():
                found += piece.charts
    return found


_NUMBER = re.compile(r"[+-]?(?:\d[\d,]*\.?\d*|\.\d+)")


def _cell(one: str | Cell, counts: bool) -> Cell:
    if isinstance(one, Cell):
        return one
    found = _NUMBER.match(one) if counts else None
    return Cell(one, float(found[0].replace(",", "")) if found else None)
