"""Line charts: one or two series over steps, such as a win probability through a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hashmark.reports.axis import Axis, NumberFormat, axis_titles, plain
from hashmark.reports.shapes import Bar, Chart, Datum, Dot, LegendEntry, Path, max_text_width

WIDTH, HEIGHT = 400.0, 260.0
WIDE_WIDTH = 860.0
LINE_KINDS = (("curve", "dot"), ("outline", "here"))  # shape kinds of each line and its points


@dataclass(frozen=True)
class LineSeries:
    """Series with a value at each step; all lines of a chart have the same steps."""

    name: str
    values: Sequence[float]


def draw_line_chart(
    title: str,
    description: str,
    steps: Sequence[float],
    series: Sequence[LineSeries],
    x_title: str,
    y_title: str,
    number_format: NumberFormat = plain,
    *,
    extra_values: Sequence[float] = (),
    tooltips: Sequence[str] = (),
    marked_steps: Sequence[int] = (),
    reference: float | None = None,
    wide: bool = False,
) -> Chart:
    """Draw at most two lines over rising steps; `tooltips` has one for each step.

    The first line has dots at the steps with the indices `marked_steps`. `reference` is the
    value of a reference line.
    """
    bottom, top = HEIGHT - 44, 8.0
    values = [*extra_values, *(value for line in series for value in line.values)]
    y_axis = Axis.vertical(values, bottom, top, number_format)
    label_width = max_text_width([number_format(value) for value in y_axis.ticks])
    width = WIDE_WIDTH if wide else WIDTH
    left, right = label_width + 30, width - 16
    x_axis = Axis.horizontal(steps, left, right)
    shapes = [*x_axis.draw_below(top, bottom), *y_axis.draw_beside(left, right)]
    shapes += axis_titles((left, top, right, bottom), x_title, y_title)
    if reference is not None:
        shapes.append(
            Path(f"M{left:.1f} {y_axis.coordinate(reference):.1f}H{right:.1f}", "diagonal")
        )
    for line, (kind, _) in zip(series, LINE_KINDS, strict=False):
        shapes.append(Path(_path(x_axis, y_axis, steps, line.values), kind))
    for index, step in enumerate(steps):
        values_text = ", ".join(
            f"{line.name} {number_format(line.values[index])}" for line in series
        )
        x = x_axis.coordinate(step)
        dots = [
            Dot(x, y_axis.coordinate(line.values[index]), f"{kind} point", 3)
            for line, (_, kind) in zip(series, LINE_KINDS, strict=False)
        ]
        if index in marked_steps:
            dots.append(Dot(x, y_axis.coordinate(series[0].values[index]), LINE_KINDS[1][1], 4.5))
        hover_area = Bar(x - 1, top, 2, bottom - top, "ground")
        shapes.append(
            Datum(tooltips[index] if tooltips else f"{step:g}: {values_text}", [hover_area, *dots])
        )
    key = [
        LegendEntry(kind, line.name) for line, (kind, _) in zip(series, LINE_KINDS, strict=False)
    ]
    return Chart(title, description, width, HEIGHT, shapes, key, wide)


def _path(x_axis: Axis, y_axis: Axis, steps: Sequence[float], values: Sequence[float]) -> str:
    points = zip(steps, values, strict=True)
    return "M" + "L".join(
        f"{x_axis.coordinate(x):.1f} {y_axis.coordinate(y):.1f}" for x, y in points
    )
