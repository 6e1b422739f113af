"""Report: one page with a title, the answer, and sections of charts, tables and paragraphs.

    Report(
        "Season 2008",
        "10,000 seasons",
        [ReportSection("Titles", [draw_bar_chart(...), ReportTable("By team", ...)])],
    ).html()

The page is one self-contained file that follows the reader's light or dark theme, and prints. It
is complete without its script, which sorts tables and shows chart values under the pointer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hashmark.reports.rendering import render
from hashmark.reports.shapes import Chart


@dataclass(frozen=True)
class ReportCell:
    """Cell with an explicit sort value, where the number it begins with is not the right one."""

    text: str
    value: float | None


@dataclass(frozen=True)
class ReportTable:
    """Table; the first cell of a row is its heading, the first `left` columns are left-aligned."""

    caption: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str | ReportCell]]
    left: int = 1

    def cells(self) -> list[list[ReportCell]]:
        """Return all cells with their sort values; row headings are sorted as text."""
        return [[_cell(cell, index > 0) for index, cell in enumerate(row)] for row in self.rows]


@dataclass(frozen=True)
class Paragraph:
    """Plain paragraph."""

    text: str


@dataclass(frozen=True)
class HeadedPiece:
    """Piece with a small heading of its own."""

    heading: str
    piece: ReportPiece


@dataclass(frozen=True)
class SideBySide:
    """Pieces next to each other where there is room, else below each other."""

    pieces: Sequence[ReportPiece]


@dataclass(frozen=True)
class SmallCharts:
    """Many small charts."""

    charts: Sequence[Chart]


ReportPiece = Chart | ReportTable | Paragraph | HeadedPiece | SideBySide | SmallCharts


@dataclass(frozen=True)
class ReportSection:
    """Section of the page: its heading, a sentence about it, and its pieces."""

    title: str
    pieces: Sequence[ReportPiece]
    text: str = ""


@dataclass(frozen=True)
class Report:
    """The whole page."""

    title: str
    lead: str
    sections: Sequence[ReportSection]
    answer: str = ""
    foot: str = ""

    def html(self) -> str:
        return render("report.html", report=self, title=self.title)

    def charts(self) -> list[Chart]:
        """Return every chart of the page."""
        return [chart for section in self.sections for chart in _charts(section.pieces)]


def _charts(pieces: Sequence[ReportPiece]) -> list[Chart]:
    charts: list[Chart] = []
    for piece in pieces:
        match piece:
            case Chart():
                charts.append(piece)
            case HeadedPiece():
                charts += _charts([piece.piece])
            case SideBySide():
                charts += _charts(piece.pieces)
            case SmallCharts():
                charts += piece.charts
    return charts


_NUMBER = re.compile(r"[+-]?(?:\d[\d,]*\.?\d*|\.\d+)")


def _cell(cell: str | ReportCell, is_numeric: bool) -> ReportCell:
    if isinstance(cell, ReportCell):
        return cell
    match = _NUMBER.match(cell) if is_numeric else None
    return ReportCell(cell, float(match[0].replace(",", "")) if match else None)
