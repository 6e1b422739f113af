"""Bar charts: rows with a label, a bar or a dot, and a text, all on one axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hashmark.reports.axis import Axis, NumberFormat, plain
from hashmark.reports.shapes import (
    FONT_SIZE,
    Bar,
    Chart,
    Datum,
    Dot,
    LegendEntry,
    Path,
    Shape,
    TextShape,
    draw_mark,
    fit_text,
    max_text_width,
)

WIDTH = 400.0
MAX_LABEL_WIDTH = 130.0  # wider labels stand above their bars
MAX_TEXT_WIDTH = 140.0  # wider texts are cut
LONG_CHART_ROWS = 16  # charts with more rows have axis labels at the top too
BAR_THICKNESS = 13.0


@dataclass(frozen=True)
class BarRow:
    """One row of the chart."""

    label: str
    value: float
    text: str  # written at the end of the row
    span: tuple[float, float] | None = None  # an interval
    mark: float | None = None  # a second value, such as the real one
    highlighted: bool = False  # the row that the page is about
    faint: bool = False  # not significantly different from zero
    tooltip: str = ""  # tooltip, if more than label and text

    @property
    def values(self) -> list[float]:
        return [self.value, *(self.span or ()), *([] if self.mark is None else [self.mark])]


@dataclass(frozen=True)
class _Layout:
    """Layout of a bar chart."""

    names: float  # width of the labels
    step: float  # from row to row
    top: float
    over: bool  # whether labels stand above their bars
    texts: float  # where the texts begin


def draw_bar_chart(
    title: str,
    description: str,
    bar_rows: Sequence[BarRow],
    number_format: NumberFormat = plain,
    *,
    dots: bool = False,
    whole: bool = False,
    extra_values: Sequence[float] = (0.0,),
    x_title: str = "",
    key: Sequence[LegendEntry] = (),
) -> Chart:
    """Draw bars from zero, or dots; the axis also spans `extra_values`, so charts can share it."""
    layout = _chart_layout(bar_rows)
    bottom = layout.top + layout.step * len(bar_rows) + 2
    figures = [*extra_values, *(value for row in bar_rows for value in row.values)]
    right = layout.texts - 10
    axis = Axis.horizontal(figures, layout.names, right, number_format, whole)
    overhang = right + max_text_width([number_format(axis.ticks[-1])]) / 2 - WIDTH
    if overhang > 0:  # of the last tick label
        right -= overhang
        axis = Axis(axis.ticks, layout.names, right, number_format)
    shapes = axis.draw_below(layout.top - 2, bottom, above=len(bar_rows) > LONG_CHART_ROWS)
    if axis.ticks[0] <= 0 <= axis.ticks[-1]:
        shapes.append(Path(f"M{axis.coordinate(0):.1f} {layout.top - 2:.1f}V{bottom:.1f}", "axis"))
    for index, row in enumerate(bar_rows):
        shapes.append(_row(row, axis, layout, layout.top + index * layout.step, dots))
    height = bottom + 22
    if x_title:
        shapes.append(TextShape((layout.names + right) / 2, bottom + 32, x_title, "middle", "soft"))
        height += 16
    return Chart(title, description, WIDTH, height, shapes, key)


def _chart_layout(lines: Sequence[BarRow]) -> _Layout:
    names = max_text_width([row.label for row in lines])
    above = names > MAX_LABEL_WIDTH
    top = 20.0 if len(lines) > LONG_CHART_ROWS else 4.0
    texts = WIDTH - 4 - min(MAX_TEXT_WIDTH, max_text_width([row.text for row in lines]))
    return _Layout(14.0 if above else names + 14, 40.0 if above else 20.0, top, above, texts)


def _row(row: BarRow, axis: Axis, layout: _Layout, top: float, dots: bool) -> Datum:
    middle = top + layout.step - 10
    shapes: list[Shape] = []
    if layout.over:
        name = fit_text(row.label, WIDTH - 8)
        shapes.append(TextShape(4, top + FONT_SIZE + 5, name, kind="name"))
    else:
        shapes.append(TextShape(layout.names - 8, middle + 4, row.label, "end"))
    if not dots:
        shapes.append(_bar(row, axis, middle))
    if row.span:
        shapes.append(_whisker(axis.coordinate(row.span[0]), axis.coordinate(row.span[1]), middle))
    if row.mark is not None:
        shapes += draw_mark(axis.coordinate(row.mark), middle - 8, middle + 8)
    if dots:
        shapes.append(Dot(axis.coordinate(row.value), middle, "here" if row.highlighted else "dot"))
    shapes.append(
        TextShape(layout.texts, middle + 4, fit_text(row.text, MAX_TEXT_WIDTH), "start", "soft")
    )
    return Datum(row.tooltip or f"{row.label}: {row.text}", shapes)


def _bar(row: BarRow, axis: Axis, middle: float) -> Bar:
    start, end = sorted((axis.coordinate(0), axis.coordinate(row.value)))
    kind = "faint" if row.faint else "here" if row.highlighted else "bar"
    return Bar(start, middle - BAR_THICKNESS / 2, max(end - start, 0.5), BAR_THICKNESS, kind)


def _whisker(low: float, high: float, y: float) -> Path:
    return Path(
        f"M{low:.1f} {y:.1f}H{high:.1f}M{low:.1f} {y - 4:.1f}v8M{high:.1f} {y - 4:.1f}v8", "span"
    )
