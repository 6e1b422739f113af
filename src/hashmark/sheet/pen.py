"""A pen on PDF paper: millimetres from the top left corner, the fonts that every reader has.

Only this file knows reportlab, and only what makes a PDF loads it. No font is embedded: Latin
letters come from Helvetica, arrows and signs from the Symbol and Dingbats fonts that belong to
every PDF reader.
"""

from __future__ import annotations

from io import BytesIO

from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped]

from hashmark.pages.letters import one_line
from hashmark.pages.measure import drawable, text_width
from hashmark.sheet.drawing import Anchor, Area, Label, Shape, Stroke, Tone
from hashmark.table.drawings import Ground

POINTS = 72 / 25.4  # to a millimetre
PLAIN, BOLD = "Helvetica", "Helvetica-Bold"
GREYS: dict[Tone, float] = {
    "ink": 0.1,
    "soft": 0.42,
    "faint": 0.72,
    "ground": 0.92,
    "band": 0.97,
    "paper": 1.0,
}
COLOURS: dict[Ground, tuple[float, float, float]] = {
    "green": (0.80, 0.93, 0.80),
    "red": (0.97, 0.80, 0.79),
    "yellow": (1.0, 0.94, 0.64),
    "black": (0.2, 0.2, 0.2),
}


class Pen:
    """Draws pages; the finished file is in `finish`."""

    def __init__(self, title: str) -> None:
        self._file = BytesIO()
        self._canvas = Canvas(self._file, pageCompression=1, invariant=1)
        self._canvas.setTitle(one_line(title))
        self._canvas.setCreator("Hashmark")
        self._height = 0.0

    def begin_page(self, width: float, height: float) -> None:
        self._height = height
        self._canvas.setPageSize((width * POINTS, height * POINTS))

    def end_page(self) -> None:
        self._canvas.showPage()

    def finish(self) -> bytes:
        self._canvas.save()
        return self._file.getvalue()

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return x * POINTS, (self._height - y) * POINTS

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
        """Drawable text with its base line at y."""
        self._canvas.setFillGray(GREYS[tone])
        self._canvas.setFont(BOLD if bold else PLAIN, size * POINTS)
        shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * text_width(text, size, bold)
        self._canvas.drawString(*self._at(x - shift, y), text)

    def colour(self, x: float, y: float, width: float, height: float, ground: Ground) -> None:
        """A coloured ground with its top left corner here."""
        self._canvas.setFillColorRGB(*COLOURS[ground])
        corner = self._at(x, y + height)
        self._canvas.rect(*corner, width * POINTS, height * POINTS, stroke=0, fill=1)

    def draw(self, shape: Shape, x: float = 0, y: float = 0) -> None:
        """A shape, moved to this place."""
        if isinstance(shape, Label):
            self._label(shape, x, y)
            return
        path = self._canvas.beginPath()
        for number, (px, py) in enumerate(shape.points):
            place = self._at(x + px, y + py)
            if number:
                path.lineTo(*place)
            else:
                path.moveTo(*place)
        if isinstance(shape, Area):
            path.close()
            self._canvas.setFillGray(GREYS[shape.tone])
            self._canvas.drawPath(path, stroke=0, fill=1)
            return
        self._stroke(shape)
        self._canvas.drawPath(path, stroke=1, fill=0)

    def _stroke(self, shape: Stroke) -> None:
        self._canvas.setStrokeGray(GREYS[shape.tone])
        self._canvas.setLineWidth(shape.weight * POINTS)
        self._canvas.setDash([long * POINTS for long in shape.dashes or ()])

    def _label(self, label: Label, x: float, y: float) -> None:
        text = drawable(label.text)
        low = 0.35 * label.size  # from the middle line down to the base line
        x, y = x + label.at[0], y + label.at[1]
        if label.turned:
            self._canvas.saveState()
            self._canvas.translate(*self._at(x, y))
            self._canvas.rotate(90)
            self._canvas.setFillGray(GREYS[label.tone])
            self._canvas.setFont(BOLD if label.bold else PLAIN, label.size * POINTS)
            self._canvas.drawCentredString(0, -low * POINTS, text)
            self._canvas.restoreState()
            return
        if label.backed:
            self._back(label, text, x, y)
        self.text(
            x, y + low, text, label.size, bold=label.bold, anchor=label.anchor, tone=label.tone
        )

    def _back(self, label: Label, text: str, x: float, y: float) -> None:
        """White paper behind a label."""
        wide = text_width(text, label.size, label.bold) + 0.6
        left = x - {"start": 0.0, "middle": 0.5, "end": 1.0}[label.anchor] * wide
        self._canvas.setFillGray(1)
        corner = self._at(left, y + label.size / 2)
        self._canvas.rect(*corner, wide * POINTS, label.size * POINTS, stroke=0, fill=1)
