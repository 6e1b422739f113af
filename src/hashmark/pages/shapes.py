"""Shapes of a chart in the units of its drawing, y downwards. Values only.

A template draws them; the kind of a shape is its class in the style sheet. Every text has its
place and size here, so a test can check that no two overlap.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from hashmark.pages.measure import shortened, text_width

Anchor = Literal["start", "middle", "end"]
Frame = tuple[float, float, float, float]  # left, top, right, bottom

SIZE = 12.0  # of letters, the same as in the style sheet
ASCENT, DESCENT = 0.74, 0.22  # above and below the baseline, as fractions of the size


@dataclass(frozen=True)
class Words:
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
        width = width_of(self.text, bold=self.kind == "strong")
        offset = {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        up, down = ASCENT * SIZE, DESCENT * SIZE
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

    said: str
    shapes: Sequence[Shape]


Shape = Words | Bar | Path | Dot | Datum


@dataclass(frozen=True)
class Sign:
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
    key: Sequence[Sign] = ()
    wide: bool = False  # as wide as its page

    def words(self) -> Iterator[Words]:
        """Yield every text in the drawing."""
        return _texts(self.shapes)


def _texts(shapes: Sequence[Shape]) -> Iterator[Words]:
    for shape in shapes:
        if isinstance(shape, Words):
            yield shape
        elif isinstance(shape, Datum):
            yield from _texts(shape.shapes)


def width_of(text: str, bold: bool = False) -> float:
    """Return the width of a text in a chart."""
    return text_width(text, SIZE, bold)


def fitted(text: str, room: float, bold: bool = False) -> str:
    """Return the text, cut if it is longer than its room."""
    return shortened(text, room, SIZE, bold)


def widest(texts: Sequence[str]) -> float:
    return max(map(width_of, texts), default=0.0)


def marked(x: float, top: float, bottom: float) -> list[Path]:
    """Return a vertical mark; a wider line in the paper's color below it sets it off from a bar."""
    line = f"M{x:.1f} {top:.1f}V{bottom:.1f}"
    return [Path(line, "halo"), Path(line, "mark")]


def meet(one: Frame, other: Frame) -> bool:
    """Return whether two frames overlap."""
    apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    return not apart
