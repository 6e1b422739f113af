"""Sheets as PDF files: laid out (`layout`), then drawn with a pen."""

from __future__ import annotations

from hashmark.reports.text_cleaning import one_line
from hashmark.reports.text_width import drawable, text_width, truncate_text
from hashmark.sheets.document import Document
from hashmark.sheets.field_drawing import Stroke
from hashmark.sheets.layout import paginate
from hashmark.sheets.paper_sizes import HEADER_MM, MARGIN_MM, Paper, paper_size
from hashmark.sheets.pen import Pen


def render(document: Document, paper: Paper = "a4") -> bytes:
    """Render the whole document as a PDF file."""
    sheets = [(page, sheet) for page in document.pages for sheet in paginate(page, paper)]
    pen = Pen(document.title)
    for number, (page, sheet) in enumerate(sheets, 1):
        width, height = paper_size(page, paper)
        pen.begin_page(width, height)
        _header(pen, document.title, page.heading, width)
        page_number = f"{number} / {len(sheets)}" if len(sheets) > 1 else ""
        pen.text(width - MARGIN_MM, height - MARGIN_MM, page_number, 2.4, anchor="end", tone="soft")
        y = MARGIN_MM + HEADER_MM
        for piece in sheet:
            piece.draw(pen, MARGIN_MM, y)
            y += piece.height
        pen.end_page()
    return pen.finish()


def _header(pen: Pen, title: str, heading: str, width: float) -> None:
    """Draw the title on the left, the heading of the page on the right, and a line below both."""
    room = width - 2 * MARGIN_MM
    name = truncate_text(drawable(one_line(title)), room * 0.6, 5, True)
    pen.text(MARGIN_MM, MARGIN_MM + 4, name, 5, bold=True)
    heading_room = room - text_width(name, 5, True) - 6
    text = truncate_text(drawable(one_line(heading)), heading_room, 4.2)
    pen.text(width - MARGIN_MM, MARGIN_MM + 4, text, 4.2, anchor="end")
    pen.draw(Stroke([(MARGIN_MM, MARGIN_MM + 5.8), (width - MARGIN_MM, MARGIN_MM + 5.8)], 0.4))
