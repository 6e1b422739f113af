"""Shapes of a chart in the units of its drawing, y downwards. Values only.

A template draws them; the kind of a shape is its class in the style sheet. Every text has its
place and size here, so a test can check that no two overlap.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from hashmark.reports.text_width import text_width, truncate_text

Anchor = Literal["start", "middle", "end"]
ANCHOR_SHARES: dict[Anchor, float] = {"start": 0.0, "middle": 0.5, "end": 1.0}  # before the point
Frame = tuple[float, float, float, float]  # left, top, right, bottom

FONT_SIZE = 12.0  # of letters, the same as in the style sheet
ASCENT, DESCENT = 0.74, 0.22  # above and below the baseline, as fractions of the size


@dataclass(frozen=True)
class TextShape:
    """Text; the point is on its baseline. A turned text reads upwards."""

    x: float
    y: float
    text: str
    anchor: Anchor = "start"
    kind: str = ""
    turned: bool = False

    @property
    def frame(self) -> Frame:
        """Return the room that the text takes."""
        width = chart_text_width(self.text, bold=self.kind == "strong")
        offset = ANCHOR_SHARES[self.anchor] * width
        up, down = ASCENT * FONT_SIZE, DESCENT * FONT_SIZE
        if self.turned:
            return self.x - up, self.y + offset - width, self.x + down, self.y + offset
        return self.x - offset, self.y - up, self.x - offset + width, self.y + down


@dataclass(frozen=True)
class Bar:
    """Filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    kind: str


@dataclass(frozen=True)
class Path:
    """Lines in SVG path syntax."""

    d: str
    kind: str


@dataclass(frozen=True)
class Dot:
    """Filled circle."""

    x: float
    y: float
    kind: str
    radius: float = 4


@dataclass(frozen=True)
class Datum:
    """Shapes that represent one value, with a tooltip."""

    tooltip: str
    shapes: Sequence[Shape]


Shape = TextShape | Bar | Path | Dot | Datum


@dataclass(frozen=True)
class LegendEntry:
    """Entry of a chart's legend: what a kind of shape means; without a kind, a remark."""

    kind: str
    text: str


@dataclass(frozen=True)
class Chart:
    """Drawing with its title and a description of what it shows."""

    title: str
    description: str
    width: float
    height: float
    shapes: Sequence[Shape]
    key: Sequence[LegendEntry] = ()
    wide: bool = False  # as wide as its page

    def texts(self) -> Iterator[TextShape]:
        """Yield every text in the drawing."""
        return _texts(self.shapes)


def _texts(shapes: Sequence[Shape]) -> Iterator[TextShape]:
    for shape in shapes:
        if isinstance(shape, TextShape):
            yield shape
        elif isinstance(shape, Datum):
            yield from _texts(shape.shapes)


def chart_text_width(text: str, bold: bool = False) -> float:
    """Return the width of a text in a chart."""
    return text_width(text, FONT_SIZE, bold)


def fit_text(text: str, room: float, bold: bool = False) -> str:
    """Return the text, cut if it is longer than its room."""
    return truncate_text(text, room, FONT_SIZE, bold)


def max_text_width(texts: Sequence[str]) -> float:
    return max(map(chart_text_width, texts), default=0.0)


def draw_mark(x: float, top: float, bottom: float) -> list[Path]:
    """Return a vertical mark; a wider line in the paper's color below it sets it off from a bar."""
    line = f"M{x:.1f} {top:.1f}V{bottom:.1f}"
    return [Path(line, "halo"), Path(line, "mark")]


def frames_overlap(one: Frame, other: Frame) -> bool:
    """Return whether two frames overlap."""
    apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    return not apart
