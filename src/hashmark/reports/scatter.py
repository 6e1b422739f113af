"""Scatter plots: points in a plane, labeled where there is room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hashmark.reports.axis import Axis, NumberFormat, axis_titles, plain
from hashmark.reports.shapes import (
    ASCENT,
    DESCENT,
    FONT_SIZE,
    Chart,
    Datum,
    Dot,
    Frame,
    LegendEntry,
    Path,
    TextShape,
    chart_text_width,
    frames_overlap,
    max_text_width,
)

WIDTH, HEIGHT = 400.0, 370.0
DOT_RADIUS = 4.0
LABEL_GAP = 2.0  # between two labels
CROWD_DISTANCE = 30.0  # points within this distance compete for room


@dataclass(frozen=True)
class ScatterPoint:
    """One point of the plot."""

    x: float
    y: float
    label: str = ""
    span: tuple[float, float] | None = None  # an interval of y
    highlighted: bool = False  # the point that the page is about
    tooltip: str = ""  # tooltip


@dataclass(frozen=True)
class _PlottedPoint:
    """Point with its coordinates in the drawing."""

    x: float
    y: float
    point: ScatterPoint

    @property
    def frame(self) -> Frame:
        return self.x - DOT_RADIUS, self.y - DOT_RADIUS, self.x + DOT_RADIUS, self.y + DOT_RADIUS


def draw_scatter(
    title: str,
    description: str,
    points: Sequence[ScatterPoint],
    x_title: str,
    y_title: str,
    number_format: NumberFormat = plain,
    *,
    key: Sequence[LegendEntry] = (),
) -> Chart:
    """Draw two comparable figures: one scale for both axes, and a line where they are equal."""
    values = [end for item in points for end in (item.x, item.y, *(item.span or ()))]
    bottom, top = HEIGHT - 44, 8.0
    y_axis = Axis.vertical(values, bottom, top, number_format)
    label_width = max_text_width([number_format(item) for item in y_axis.ticks])
    left, right = label_width + 30, WIDTH - label_width / 2 - 2
    x_axis = Axis(y_axis.ticks, left, right, number_format)
    shapes = [*x_axis.draw_below(top, bottom), *y_axis.draw_beside(left, right)]
    shapes.append(Path(f"M{left:.1f} {bottom:.1f}L{right:.1f} {top:.1f}", "diagonal"))
    spots = [
        _PlottedPoint(x_axis.coordinate(item.x), y_axis.coordinate(item.y), item) for item in points
    ]
    whiskers = [_whisker(spot, y_axis) for spot in spots]
    shapes += [Path(_upright_line(*item), "thin") for item in whiskers if item]
    shapes += [_datum(spot) for spot in sorted(spots, key=lambda item: item.point.highlighted)]
    frame = (left, top, right, bottom)
    labels = place_labels(spots, frame, [item for item in whiskers if item])
    shapes += [*labels, *axis_titles(frame, x_title, y_title)]
    if len(labels) < sum(bool(item.label) for item in points):
        key = [*key, LegendEntry("", "some labels omitted for lack of space")]
    return Chart(title, description, WIDTH, HEIGHT, shapes, key)


def _whisker(spot: _PlottedPoint, y_axis: Axis) -> Frame | None:
    """Return the room of an interval's line."""
    if spot.point.span is None:
        return None
    low, high = (y_axis.coordinate(end) for end in spot.point.span)
    return spot.x - 0.5, high, spot.x + 0.5, low


def _upright_line(left: float, top: float, right: float, bottom: float) -> str:
    return f"M{(left + right) / 2:.1f} {top:.1f}V{bottom:.1f}"


def _datum(spot: _PlottedPoint) -> Datum:
    point = spot.point
    tooltip = point.tooltip or ": ".join(filter(None, (point.label, f"{point.x:g}, {point.y:g}")))
    return Datum(tooltip, [Dot(spot.x, spot.y, "here" if point.highlighted else "dot", DOT_RADIUS)])


# --- Labels -----------------------------------------------------------------------------------


def place_labels(
    spots: Sequence[_PlottedPoint], frame: Frame, lines: Sequence[Frame]
) -> list[TextShape]:
    """Return a label beside each point where it hides no point and no other label; else none.

    Several orders of placement are tried, and the one that leaves out the fewest labels is used.
    The point that the page is about is always among the first.
    """
    crowds = [_crowd(spot, spots) for spot in spots]
    orders: list[list[float]] = [
        [-crowd for crowd in crowds],
        [*crowds],
        [spot.x for spot in spots],
        [spot.y for spot in spots],
    ]
    attempts = []
    for order in orders:
        ranked = sorted(
            zip(order, spots, strict=True),
            key=lambda entry: (not entry[1].point.highlighted, entry[0]),
        )
        attempts.append(_placed_labels([spot for _, spot in ranked], frame, lines))
    return max(attempts, key=len)


def _placed_labels(
    spots: Sequence[_PlottedPoint], frame: Frame, lines: Sequence[Frame]
) -> list[TextShape]:
    """Place labels in this order, each at the free place where it crosses the fewest lines."""
    taken = [spot.frame for spot in spots]
    placed = []
    for spot in spots:
        free = [
            label
            for label in _label_places(spot)
            if _inside(label.frame, frame)
            and not any(frames_overlap(_padded_frame(label), other) for other in taken)
        ]
        if spot.point.label and free:
            best = min(
                free, key=lambda label: sum(frames_overlap(label.frame, other) for other in lines)
            )
            taken.append(best.frame)
            placed.append(best)
    return placed


def _crowd(spot: _PlottedPoint, spots: Sequence[_PlottedPoint]) -> int:
    return sum(
        abs(spot.x - other.x) < CROWD_DISTANCE and abs(spot.y - other.y) < CROWD_DISTANCE
        for other in spots
    )


def _label_places(spot: _PlottedPoint) -> list[TextShape]:
    """Return places around a point, the best first: right, left, above, below, and the corners."""
    x, y, label = spot.x, spot.y, spot.point.label
    width, away = chart_text_width(label), DOT_RADIUS + 2
    middle = y + (ASCENT - DESCENT) / 2 * FONT_SIZE
    over, under = y - away - DESCENT * FONT_SIZE, y + away + ASCENT * FONT_SIZE
    places = [(x + away, middle), (x - away - width, middle)]
    for baseline in (over, under):
        places += [
            (x + shift * width - width / 2, baseline) for shift in (0, 0.35, -0.35, 0.6, -0.6)
        ]
    return [TextShape(left, baseline, label, kind="name") for left, baseline in places]


def _padded_frame(label: TextShape) -> Frame:
    """Return the frame of a label with the distance that two labels on a line keep."""
    left, top, right, bottom = label.frame
    return left - LABEL_GAP, top, right + LABEL_GAP, bottom


def _inside(frame: Frame, whole: Frame) -> bool:
    return (
        frame[0] >= whole[0]
        and frame[1] >= whole[1]
        and frame[2] <= whole[2]
        and frame[3] <= whole[3]
    )
