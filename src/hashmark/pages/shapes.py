"""What a chart is made of: shapes in the units of its drawing, y downwards. Values only.

A template draws them; the kind of a shape is its class in the style sheet. Since every text is
here with its place and size, a test can see whether two of them overlap.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from hashmark.pages.measure import shortened, text_width

Anchor = Literal["start", "middle", "end"]
Frame = tuple[float, float, float, float]  # left, top, right, bottom

SIZE = 12.0  # of letters; the style sheet has the same
ASCENT, DESCENT = 0.74, 0.22  # of the size, over and under the line of writing


@dataclass(frozen=True)
class Words:
    """A text; the point is on its line of writing. A turned one reads upwards."""

    x: float
    y: float
    text: str
    anchor: Anchor = "start"
    kind: str = ""
    turned: bool = False

    @property
    def frame(self) -> Frame:
        """The room that it takes."""
        wide = width_of(self.text, bold=self.kind == "strong")
        before = {"start": 0.0, "middle": wide / 2, "end": wide}[self.anchor]
        up, down = ASCENT * SIZE, DESCENT * SIZE
        if self.turned:
            return self.x - up, self.y + before - wide, self.x + down, self.y + before
        return self.x - before, self.y - up, self.x - before + wide, self.y + down


@dataclass(frozen=True)
class Bar:
    """A filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    kind: str


@dataclass(frozen=True)
class Path:
    """Lines, as SVG writes them."""

    d: str
    kind: str


@dataclass(frozen=True)
class Dot:
    """A filled circle."""

    x: float
    y: float
    kind: str
    radius: float = 4


@dataclass(frozen=True)
class Datum:
    """Shapes that stand for one value; what it is can be read by pointing at them."""

    said: str
    shapes: Sequence[Shape]


Shape = Words | Bar | Path | Dot | Datum


@dataclass(frozen=True)
class Sign:
    """A line of a chart's key: what a kind of shape means; without a kind, a remark."""

    kind: str
    text: str


@dataclass(frozen=True)
class Chart:
    """A drawing with its title, and in words what it shows."""

    title: str
    description: str
    width: float
    height: float
    shapes: Sequence[Shape]
    key: Sequence[Sign] = ()
    wide: bool = False  # as wide as its page

    def words(self) -> Iterator[Words]:
        """Every text in the drawing."""
        return _words(self.shapes)


def _words(shapes: Sequence[Shape]) -> Iterator[Words]:
    for shape in shapes:
        if isinstance(shape, Words):
            yield shape
        elif isinstance(shape, Datum):
            yield from _words(shape.shapes)


def width_of(text: str, bold: bool = False) -> float:
    """How long a text in a chart is."""
    return text_width(text, SIZE, bold)


def fitted(text: str, room: float, bold: bool = False) -> str:
    """The text, cut if it is longer than its room."""
    return shortened(text, room, SIZE, bold)


def widest(texts: Sequence[str]) -> float:
    return max(map(width_of, texts), default=0.0)


def marked(x: float, top: float, bottom: float) -> list[Path]:
    """An upright mark; a wider line of the paper's colour under it sets it off from a bar."""
    line = f"M{x:.1f} {top:.1f}V{bottom:.1f}"
    return [Path(line, "halo"), Path(line, "mark")]


def meet(one: Frame, other: Frame) -> bool:
    """Whether two frames overlap."""
    apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    return not apart
