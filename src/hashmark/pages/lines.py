"""Line charts: one or two series over steps, such as a win probability through a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hashmark.pages.axis import Axis, Form, plain, titles
from hashmark.pages.shapes import Bar, Chart, Datum, Dot, Path, Sign, widest

WIDTH, HEIGHT = 400.0, 260.0
WIDE = 860.0
KINDS = (("curve", "dot"), ("outline", "here"))  # shape kinds of each line and its points


@dataclass(frozen=True)
class Line:
    """Series with a value at each step; all lines of a chart have the same steps."""

    name: str
    values: Sequence[float]


def lines(
    title: str,
    description: str,
    steps: Sequence[float],
    figures: Sequence[Line],
    across: str,
    up: str,
    form: Form = plain,
    *,
    reach: Sequence[float] = (),
    said: Sequence[str] = (),
    marked: Sequence[int] = (),
    even: float | None = None,
    wide: bool = False,
) -> Chart:
    """Draw at most two lines over rising steps; `said` are the tooltips of the steps.

    The first line has dots at the steps that are `marked`, by index. `even` is the value of a
    reference line.
    """
    bottom, top = HEIGHT - 44, 8.0
    values = [*reach, *(value for line in figures for value in line.values)]
    y_axis = Axis.upright(values, bottom, top, form)
    label_width = widest([form(value) for value in y_axis.ticks])
    width = WIDE if wide else WIDTH
    left, right = label_width + 30, width - 16
    x_axis = Axis.across(steps, left, right)
    shapes = [*x_axis.below(top, bottom), *y_axis.beside(left, right)]
    shapes += titles((left, top, right, bottom), across, up)
    if even is not None:
        shapes.append(Path(f"M{left:.1f} {y_axis.at(even):.1f}H{right:.1f}", "diagonal"))
    for line, (kind, _) in zip(figures, KINDS, strict=False):
        shapes.append(Path(_path(x_axis, y_axis, steps, line.values), kind))
    for index, step in enumerate(steps):
        values_text = ", ".join(f"{line.name} {form(line.values[index])}" for line in figures)
        x = x_axis.at(step)
        dots = [
            Dot(x, y_axis.at(line.values[index]), f"{kind} point", 3)
            for line, (_, kind) in zip(figures, KINDS, strict=False)
        ]
        if index in marked:
            dots.append(Dot(x, y_axis.at(figures[0].values[index]), KINDS[1][1], 4.5))
        hover_area = Bar(x - 1, top, 2, bottom - top, "ground")
        shapes.append(
            Datum(said[index] if said else f"{step:g}: {values_text}", [hover_area, *dots])
        )
    key = [Sign(kind, line.name) for line, (kind, _) in zip(figures, KINDS, strict=False)]
    return Chart(title, description, width, HEIGHT, shapes, key, wide)


def _path(x_axis: Axis, y_axis: Axis, steps: Sequence[float], values: Sequence[float]) -> str:
    points = zip(steps, values, strict=True)
    return "M" + "L".join(f"{x_axis.at(x):.1f} {y_axis.at(y):.1f}" for x, y in points)
