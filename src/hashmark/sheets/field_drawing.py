"""Shapes in millimeters, y downwards, and the field drawn with them; HTML and PDF share both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Literal

from hashmark.reports.shapes import Anchor
from hashmark.reports.text_cleaning import one_line
from hashmark.sheets.document import Arrow, Field, Mark

Tone = Literal["ink", "soft", "faint", "ground", "band", "paper"]
Point = tuple[float, float]


@dataclass(frozen=True)
class Stroke:
    """Line through some points."""

    points: Sequence[Point]
    weight: float = 0.2
    tone: Tone = "ink"
    dashes: tuple[float, float] | None = None


@dataclass(frozen=True)
class Area:
    """Filled shape."""

    points: Sequence[Point]
    tone: Tone = "ink"


@dataclass(frozen=True)
class Label:
    """Short text; the point is on its middle line. A turned label reads upwards."""

    at: Point
    text: str
    size: float = 2.6
    anchor: Anchor = "middle"
    bold: bool = False
    turned: bool = False
    tone: Tone = "ink"
    backed: bool = False  # with the color of the paper behind it


Shape = Stroke | Area | Label

NUMBER_BAND_MM = 3.6  # mm beside the field, for the yard numbers
STRIP_HEIGHT_MM = 19.0  # mm: height of a horizontal field without drives
LANE_HEIGHT_MM = 4.4  # mm: height of a drive in a drive chart


def rectangle(x: float, y: float, width: float, height: float) -> list[Point]:
    """Return the corners of a rectangle, the first one again at the end."""
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]


def field_height(field: Field, width: float, max_height: float) -> float:
    """Return how tall a field of this width is drawn: a strip, or upright in its true shape."""
    if field.upright:
        return min((width - 2 * NUMBER_BAND_MM) * 120 / 53.3, max_height)
    lanes_height = max(STRIP_HEIGHT_MM, LANE_HEIGHT_MM * (field.stacked + 0.6))
    has_labels = any(one_line(mark.text) for mark in field.marks)
    return NUMBER_BAND_MM + lanes_height + (NUMBER_BAND_MM if has_labels else 0)


def draw_field(field: Field, width: float, height: float) -> list[Shape]:
    """Draw the whole field in a frame of this size."""
    geometry = _FieldGeometry(field, width, height)
    return [
        *geometry.turf(),
        *geometry.yard_lines(),
        *geometry.ticks(),
        *(geometry.hashes() if field.hashes else []),
        *geometry.numbers(),
        *geometry.names(),
        *(shape for mark in field.marks for shape in geometry.mark(mark)),
        *(shape for arrow, across in field.lanes() for shape in geometry.arrow(arrow, across)),
    ]


class _FieldGeometry:
    """Geometry of a drawn field, horizontal or upright: converts yards to paper coordinates."""

    def __init__(self, field: Field, width: float, height: float) -> None:
        self.field, self.upright = field, field.upright
        has_labels = any(one_line(mark.text) for mark in field.marks)
        if self.upright:
            self.x, self.y = NUMBER_BAND_MM, 0.0
            self.wide, self.tall = width - 2 * NUMBER_BAND_MM, height
        else:
            self.x, self.y = 0.0, NUMBER_BAND_MM
            self.wide = width
            self.tall = height - NUMBER_BAND_MM - (NUMBER_BAND_MM if has_labels else 0)
        self.length = self.tall if self.upright else self.wide
        self.breadth = self.wide if self.upright else self.tall

    def at(self, yards: float, across: float) -> Point:
        """Return the point of the paper at these yards; spots outside move to the edge."""
        fraction = (max(-10.0, min(110.0, yards)) + 10) / 120
        across = max(0.0, min(1.0, across))
        if self.upright:
            return self.x + across * self.wide, self.y + (1 - fraction) * self.tall
        return self.x + fraction * self.wide, self.y + across * self.tall

    def across(self, yards: float, start: float, end: float) -> list[Point]:
        return [self.at(yards, start), self.at(yards, end)]

    def turf(self) -> list[Shape]:
        shapes: list[Shape] = []
        for start, end in ((-10, 0), (100, 110)):
            corners = [(start, 0), (end, 0), (end, 1), (start, 1), (start, 0)]
            shapes.append(Area([self.at(*corner) for corner in corners], "ground"))
        return shapes

    def yard_lines(self) -> list[Shape]:
        shapes: list[Shape] = []
        for yards in range(5, 100, 5):
            tone: Tone = "soft" if yards == 50 else "faint"
            shapes.append(Stroke(self.across(yards, 0, 1), 0.2 if yards % 10 else 0.3, tone))
        shapes += [Stroke(self.across(yards, 0, 1), 0.5) for yards in (0, 100)]
        return [*shapes, Stroke(rectangle(self.x, self.y, self.wide, self.tall), 0.35)]

    def ticks(self) -> list[Shape]:
        """Return small yard marks at both sidelines, and at the hash marks if there are any."""
        if self.field.ticks <= 0:
            return []
        length = 1.3 / self.breadth
        spans = [(0, length), (1 - length, 1)]
        if self.field.hashes:
            spans += [
                (1 / 3 - length / 2, 1 / 3 + length / 2),
                (2 / 3 - length / 2, 2 / 3 + length / 2),
            ]
        return [
            Stroke(self.across(yards, *span), 0.15, "soft")
            for yards in range(self.field.ticks, 100, self.field.ticks)
            for span in spans
        ]

    def hashes(self) -> list[Shape]:
        return [
            Stroke([self.at(0, across), self.at(100, across)], 0.2, "soft", (0.5, 0.9))
            for across in (1 / 3, 2 / 3)
        ]

    def numbers(self) -> list[Shape]:
        shapes: list[Shape] = []
        for yards in range(10, 100, 10):
            text = str(min(yards, 100 - yards))
            x, y = self.at(yards, 0)
            if self.upright:
                shapes.append(Label((x - 0.8, y), text, anchor="end", tone="soft"))
                shapes.append(Label((x + self.wide + 0.8, y), text, anchor="start", tone="soft"))
            else:
                shapes.append(Label((x, y - NUMBER_BAND_MM / 2), text, tone="soft"))
        return shapes

    def names(self) -> list[Shape]:
        """Return the names in the end zones, as large as they fit."""
        shapes: list[Shape] = []
        for name, yards in ((self.field.left, -5), (self.field.right, 105)):
            text = one_line(name)
            room = min(self.length / 12 * 0.5, 4.5)
            size = min(room, 1.4 * self.breadth * 0.9 / max(1, len(text)))
            if text:
                turned = not self.upright
                place = self.at(yards, 0.5)
                shapes.append(Label(place, text, size, bold=True, turned=turned, tone="soft"))
        return shapes

    def mark(self, mark: Mark) -> list[Shape]:
        text = one_line(mark.text)
        x, y = self.at(mark.at, mark.across)
        if mark.style == "ball":
            shape: Shape = Area(_circle(x, y, 1.1, 24))
        elif mark.style == "star":
            shape = Area(_star(x, y, 1.9))
        else:
            dashes = (1.2, 0.8) if mark.style == "gain" else None
            shape = Stroke(self.across(mark.at, 0, 1), 0.6, dashes=dashes)
        if not text:
            return [shape]
        if self.upright:
            return [shape, *self._beside(x, y, mark.at, text)]
        return [shape, self._under(x, text)]

    def _under(self, x: float, text: str) -> Label:
        """Return a mark's text below a horizontal field, inside its ends."""
        half = 0.26 * 2.6 * len(text)
        x = max(min(half, self.wide / 2), min(self.wide - half, x))
        return Label((x, self.y + self.tall + NUMBER_BAND_MM / 2), text)

    def _beside(self, x: float, y: float, yards: float, text: str) -> list[Shape]:
        on_right = x < self.x + self.wide * 0.6
        anchor: Anchor = "start" if on_right else "end"
        return [Label((x + (2.2 if on_right else -2.2), y), text, anchor=anchor, backed=True)]

    def arrow(self, arrow: Arrow, across: float) -> list[Shape]:
        """Return a line with a bar at its start, a head at its end, and its text at the head."""
        (x0, y0), (x1, y1) = self.at(arrow.start, across), self.at(arrow.end, across)
        ux, uy = _direction(x0, y0, x1, y1)
        head = 1.9 if abs(x1 - x0) + abs(y1 - y0) > 2 else 1.2
        neck = (x1 - ux * head, y1 - uy * head)
        wing = head * 0.42
        shapes: list[Shape] = [
            Stroke([(x0, y0), neck], 0.45, dashes=(1.1, 0.7) if arrow.dashed else None),
            Stroke([(x0 - uy * wing, y0 - ux * wing), (x0 + uy * wing, y0 + ux * wing)], 0.45),
            Area(
                [
                    (x1, y1),
                    (neck[0] - uy * wing, neck[1] + ux * wing),
                    (neck[0] + uy * wing, neck[1] - ux * wing),
                ]
            ),
        ]
        text = one_line(arrow.text)
        return [*shapes, self._arrow_text(text, (x0, y0), (x1, y1))] if text else shapes

    def _arrow_text(self, text: str, start: Point, end: Point) -> Label:
        """Return the text ahead of the arrow if there is room, else behind it, else on it."""
        if self.upright:
            middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
            on_right = middle[0] < self.x + self.wide * 0.6
            x = middle[0] + (1.4 if on_right else -1.4)
            return Label((x, middle[1]), text, anchor="start" if on_right else "end", backed=True)
        room = 0.55 * 2.6 * len(text) + 1.5
        low, high = min(start[0], end[0]), max(start[0], end[0])
        to_right, to_left = self.wide * 11 / 12 - high > room, low - self.wide / 12 > room
        if to_right and (end[0] >= start[0] or not to_left):
            return Label((high + 1.2, end[1]), text, anchor="start", backed=True)
        if to_left:
            return Label((low - 1.2, end[1]), text, anchor="end", backed=True)
        return Label(((low + high) / 2, end[1]), text, backed=True)


def _direction(x0: float, y0: float, x1: float, y1: float) -> tuple[float, float]:
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
    return ((x1 - x0) / length, (y1 - y0) / length) if length > 0 else (1.0, 0.0)


def _circle(x: float, y: float, radius: float, corners: int) -> list[Point]:
    angles = [2 * pi * n / corners for n in range(corners)]
    return [(x + radius * cos(angle), y + radius * sin(angle)) for angle in angles]


def _star(x: float, y: float, radius: float) -> list[Point]:
    tips = [(pi * n / 5 - pi / 2, radius * (0.42 if n % 2 else 1)) for n in range(10)]
    return [(x + distance * cos(angle), y + distance * sin(angle)) for angle, distance in tips]
