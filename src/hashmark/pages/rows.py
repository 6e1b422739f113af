"""A chart of rows: a name, a bar or a dot, and its figure; all on one axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hashmark.pages.axis import Axis, Form, plain
from hashmark.pages.shapes import (
    SIZE,
    Bar,
    Chart,
    Datum,
    Dot,
    Path,
    Shape,
    Sign,
    Words,
    fitted,
    marked,
    widest,
)

WIDTH = 400.0
LONG_NAME = 130.0  # wider ones stand over their bars
LONG_TEXT = 140.0  # wider ones are cut
LONG_CHART = 16  # rows: more have the numbers of the axis also on top
THICK = 13.0


@dataclass(frozen=True)
class Row:
    """One row."""

    label: str
    value: float
    text: str  # what is written behind it
    span: tuple[float, float] | None = None  # an interval
    mark: float | None = None  # a second value, such as the real one
    here: bool = False  # the one that the page is about
    faint: bool = False  # not told apart from nothing
    said: str = ""  # on pointing at it, if more than label and text

    @property
    def figures(self) -> list[float]:
        return [self.value, *(self.span or ()), *([] if self.mark is None else [self.mark])]


@dataclass(frozen=True)
class _Plan:
    """Where everything of a chart of rows stands."""

    names: float  # width of the names
    step: float  # from row to row
    top: float
    over: bool  # whether names stand over their bars
    texts: float  # where the figures begin


def rows(
    title: str,
    description: str,
    lines: Sequence[Row],
    form: Form = plain,
    *,
    dots: bool = False,
    whole: bool = False,
    reach: Sequence[float] = (0.0,),
    across: str = "",
    key: Sequence[Sign] = (),
) -> Chart:
    """Bars from zero, or dots; the axis also spans `reach`, so that charts can share one."""
    plan = _plan(lines)
    bottom = plan.top + plan.step * len(lines) + 2
    figures = [*reach, *(one for line in lines for one in line.figures)]
    right = plan.texts - 10
    axis = Axis.across(figures, plan.names, right, form, whole)
    beyond = right + widest([form(axis.ticks[-1])]) / 2 - WIDTH  # of the last number on the axis
    if beyond > 0:
        right -= beyond
        axis = Axis(axis.ticks, plan.names, right, form)
    drawn = axis.below(plan.top - 2, bottom, above=len(lines) > LONG_CHART)
    if axis.ticks[0] <= 0 <= axis.ticks[-1]:
        drawn.append(Path(f"M{axis.at(0):.1f} {plan.top - 2:.1f}V{bottom:.1f}", "axis"))
    for at, line in enumerate(lines):
        drawn.append(_row(line, axis, plan, plan.top + at * plan.step, dots))
    height = bottom + 22
    if across:
        drawn.append(Words((plan.names + right) / 2, bottom + 32, across, "middle", "soft"))
        height += 16
    return Chart(title, description, WIDTH, height, drawn, key)


def _plan(lines: Sequence[Row]) -> _Plan:
    names = widest([line.label for line in lines])
    over = names > LONG_NAME
    top = 20.0 if len(lines) > LONG_CHART else 4.0
    texts = WIDTH - 4 - min(LONG_TEXT, widest([line.text for line in lines]))
    return _Plan(14.0 if over else names + 14, 40.0 if over else 20.0, top, over, texts)


def _row(line: Row, axis: Axis, plan: _Plan, top: float, dots: bool) -> Datum:
    middle = top + plan.step - 10
    drawn: list[Shape] = []
    if plan.over:
        name = fitted(line.label, WIDTH - 8)
        drawn.append(Words(4, top + SIZE + 5, name, kind="name"))
    else:
        drawn.append(Words(plan.names - 8, middle + 4, line.label, "end"))
    if not dots:
        drawn.append(_bar(line, axis, middle))
    if line.span:
        drawn.append(_whisker(axis.at(line.span[0]), axis.at(line.span[1]), middle))
    if line.mark is not None:
        drawn += marked(axis.at(line.mark), middle - 8, middle + 8)
    if dots:
        drawn.append(Dot(axis.at(line.value), middle, "here" if line.here else "dot"))
    drawn.append(Words(plan.texts, middle + 4, fitted(line.text, LONG_TEXT), "start", "soft"))
    return Datum(line.said or f"{line.label}: {line.text}", drawn)


def _bar(line: Row, axis: Axis, middle: float) -> Bar:
    start, end = sorted((axis.at(0), axis.at(line.value)))
    kind = "faint" if line.faint else "here" if line.here else "bar"
    return Bar(start, middle - THICK / 2, max(end - start, 0.5), THICK, kind)


def _whisker(low: float, high: float, y: float) -> Path:
    return Path(
        f"M{low:.1f} {y:.1f}H{high:.1f}M{low:.1f} {y - 4:.1f}v8M{high:.1f} {y - 4:.1f}v8", "span"
    )
