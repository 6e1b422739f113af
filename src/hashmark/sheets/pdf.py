"""Sheets as PDF files: pieces on pages, drawn with a pen.

The pen counts millimeters from the top left corner and writes in the standard PDF fonts. This is
the only module that imports reportlab. No font is embedded: Latin letters come from Helvetica,
arrows and signs from the Symbol and Dingbats fonts that every PDF reader has.
"""

from __future__ import annotations

from io import BytesIO

from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped]

from hashmark.engine.drawings import CellColor
from hashmark.reports.shapes import ANCHOR_SHARES, Anchor
from hashmark.reports.text_cleaning import one_line
from hashmark.reports.text_width import drawable, text_width, truncate_text
from hashmark.sheets.document import Document
from hashmark.sheets.field_drawing import Area, Label, Shape, Stroke, Tone
from hashmark.sheets.pagination import paginate
from hashmark.sheets.paper_sizes import HEADER_MM, MARGIN_MM, Paper, paper_size

POINTS_PER_MM = 72 / 25.4  # per millimeter
PLAIN_FONT, BOLD_FONT = "Helvetica", "Helvetica-Bold"
GRAYS: dict[Tone, float] = {
    "ink": 0.1,
    "soft": 0.42,
    "faint": 0.72,
    "ground": 0.92,
    "band": 0.97,
    "paper": 1.0,
}
COLORS: dict[CellColor, tuple[float, float, float]] = {
    "green": (0.80, 0.93, 0.80),
    "red": (0.97, 0.80, 0.79),
    "yellow": (1.0, 0.94, 0.64),
    "black": (0.2, 0.2, 0.2),
}


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


class Pen:
    """Draws pages; `finish` returns the file."""

    def __init__(self, title: str) -> None:
        self._file = BytesIO()
        self._canvas = Canvas(self._file, pageCompression=1, invariant=1)
        self._canvas.setTitle(one_line(title))
        self._canvas.setCreator("Hashmark")
        self._height = 0.0

    def begin_page(self, width: float, height: float) -> None:
        self._height = height
        self._canvas.setPageSize((width * POINTS_PER_MM, height * POINTS_PER_MM))

    def end_page(self) -> None:
        self._canvas.showPage()

    def finish(self) -> bytes:
        self._canvas.save()
        return self._file.getvalue()

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return x * POINTS_PER_MM, (self._height - y) * POINTS_PER_MM

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        bold: bool = False,
        anchor: Anchor = "start",
        tone: Tone = "ink",
    ) -> None:
        """Draw text of drawable letters with its baseline at y."""
        self._set_font(size, bold, tone)
        shift = ANCHOR_SHARES[anchor] * text_width(text, size, bold)
        self._canvas.drawString(*self._at(x - shift, y), text)

    def _set_font(self, size: float, bold: bool, tone: Tone) -> None:
        self._canvas.setFillGray(GRAYS[tone])
        self._canvas.setFont(BOLD_FONT if bold else PLAIN_FONT, size * POINTS_PER_MM)

    def fill_color(
        self, x: float, y: float, width: float, height: float, ground: CellColor
    ) -> None:
        """Fill a colored ground with its top left corner here."""
        self._canvas.setFillColorRGB(*COLORS[ground])
        self._fill_rectangle(x, y + height, width, height)

    def draw(self, shape: Shape, x: float = 0, y: float = 0) -> None:
        """Draw a shape, moved to this place."""
        if isinstance(shape, Label):
            self._label(shape, x, y)
            return
        path = self._canvas.beginPath()
        for number, (px, py) in enumerate(shape.points):
            point = self._at(x + px, y + py)
            if number:
                path.lineTo(*point)
            else:
                path.moveTo(*point)
        if isinstance(shape, Area):
            path.close()
            self._canvas.setFillGray(GRAYS[shape.tone])
            self._canvas.drawPath(path, stroke=0, fill=1)
            return
        self._stroke(shape)
        self._canvas.drawPath(path, stroke=1, fill=0)

    def _stroke(self, shape: Stroke) -> None:
        self._canvas.setStrokeGray(GRAYS[shape.tone])
        self._canvas.setLineWidth(shape.weight * POINTS_PER_MM)
        self._canvas.setDash([length * POINTS_PER_MM for length in shape.dashes or ()])

    def _label(self, label: Label, x: float, y: float) -> None:
        text = drawable(label.text)
        descent = 0.35 * label.size  # from the middle line down to the baseline
        x, y = x + label.at[0], y + label.at[1]
        if label.turned:
            self._canvas.saveState()
            self._canvas.translate(*self._at(x, y))
            self._canvas.rotate(90)
            self._set_font(label.size, label.bold, label.tone)
            self._canvas.drawCentredString(0, -descent * POINTS_PER_MM, text)
            self._canvas.restoreState()
            return
        if label.backed:
            self._back(label, text, x, y)
        self.text(
            x, y + descent, text, label.size, bold=label.bold, anchor=label.anchor, tone=label.tone
        )

    def _back(self, label: Label, text: str, x: float, y: float) -> None:
        """Draw white paper behind a label."""
        wide = text_width(text, label.size, label.bold) + 0.6
        left = x - ANCHOR_SHARES[label.anchor] * wide
        self._canvas.setFillGray(1)
        self._fill_rectangle(left, y + label.size / 2, wide, label.size)

    def _fill_rectangle(self, x: float, bottom: float, width: float, height: float) -> None:
        corner = self._at(x, bottom)
        self._canvas.rect(*corner, width * POINTS_PER_MM, height * POINTS_PER_MM, stroke=0, fill=1)
