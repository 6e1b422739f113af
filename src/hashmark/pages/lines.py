"""Lines: one or two figures as they change from step to step, such as a chance through a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hashmark.pages.axis import Axis, Form, plain, titles
from hashmark.pages.shapes import Bar, Chart, Datum, Dot, Path, Sign, widest

WIDTH, HEIGHT = 400.0, 260.0
WIDE = 860.0
KINDS = (("curve", "dot"), ("outline", "here"))  # how a line and its points are drawn


@dataclass(frozen=True)
class Line:
    """A figure at each step; all lines of a chart have the same steps."""

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
    """At most two lines over rising steps; `said` is what is told on pointing at a step.

    The first line has dots at the steps that are `marked`, by their places. `even` is a height
    with a line of its own.
    """
    bottom, top = HEIGHT - 44, 8.0
    values = [*reach, *(one for line in figures for one in line.values)]
    upright = Axis.upright(values, bottom, top, form)
    numbers = widest([form(one) for one in upright.ticks])
    width = WIDE if wide else WIDTH
    left, right = numbers + 30, width - 16
    level = Axis.across(steps, left, right)
    drawn = [*level.below(top, bottom), *upright.beside(left, right)]
    drawn += titles((left, top, right, bottom), across, up)
    if even is not None:
        drawn.append(Path(f"M{left:.1f} {upright.at(even):.1f}H{right:.1f}", "diagonal"))
    for line, (kind, _) in zip(figures, KINDS, strict=False):
        drawn.append(Path(_path(level, upright, steps, line.values), kind))
    for at, step in enumerate(steps):
        shown = ", ".join(f"{line.name} {form(line.values[at])}" for line in figures)
        x = level.at(step)
        dots = [
            Dot(x, upright.at(line.values[at]), f"{kind} point", 3)
            for line, (_, kind) in zip(figures, KINDS, strict=False)
        ]
        if at in marked:
            dots.append(Dot(x, upright.at(figures[0].values[at]), KINDS[1][1], 4.5))
        strip = Bar(x - 1, top, 2, bottom - top, "ground")
        drawn.append(Datum(said[at] if said else f"{step:g}: {shown}", [strip, *dots]))
    key = [Sign(kind, line.name) for line, (kind, _) in zip(figures, KINDS, strict=False)]
    return Chart(title, description, width, HEIGHT, drawn, key, wide)


def _path(level: Axis, upright: Axis, steps: Sequence[float], values: Sequence[float]) -> str:
    places = zip(steps, values, strict=True)
    return "M" + "L".join(f"{level.at(x):.1f} {upright.at(y):.1f}" for x, y in places)
