"""Sheets as PDF files: laid out (`layout`), then drawn with a pen."""

from __future__ import annotations

from hashmark.pages.letters import one_line
from hashmark.pages.measure import drawable, shortened, text_width
from hashmark.sheet.document import Document
from hashmark.sheet.drawing import Stroke
from hashmark.sheet.layout import paginated
from hashmark.sheet.paper import HEADER, MARGIN, Paper, paper_size
from hashmark.sheet.pen import Pen


def render(document: Document, paper: Paper = "a4") -> bytes:
    """Render the whole document as a PDF file."""
    sheets = [(page, sheet) for page in document.pages for sheet in paginated(page, paper)]
    pen = Pen(document.title)
    for number, (page, sheet) in enumerate(sheets, 1):
        width, height = paper_size(page, paper)
        pen.begin_page(width, height)
        _header(pen, document.title, page.heading, width)
        page_number = f"{number} / {len(sheets)}" if len(sheets) > 1 else ""
        pen.text(width - MARGIN, height - MARGIN, page_number, 2.4, anchor="end", tone="soft")
        y = MARGIN + HEADER
        for piece in sheet:
            piece.draw(pen, MARGIN, y)
            y += piece.height
        pen.end_page()
    return pen.finish()


def _header(pen: Pen, title: str, heading: str, width: float) -> None:
    """Draw the title on the left, the heading of the page on the right, and a line below both."""
    room = width - 2 * MARGIN
    name = shortened(drawable(one_line(title)), room * 0.6, 5, True)
    pen.text(MARGIN, MARGIN + 4, name, 5, bold=True)
    heading_room = room - text_width(name, 5, True) - 6
    text = shortened(drawable(one_line(heading)), heading_room, 4.2)
    pen.text(width - MARGIN, MARGIN + 4, text, 4.2, anchor="end")
    pen.draw(Stroke([(MARGIN, MARGIN + 5.8), (width - MARGIN, MARGIN + 5.8)], 0.4))
