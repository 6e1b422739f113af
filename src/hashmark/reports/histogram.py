"""Histograms of whole numbers: a small one for grids of charts, and two overlaid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hashmark.number_text import percent
from hashmark.reports.axis import Axis, round_ticks
from hashmark.reports.axis import percent as percent_label
from hashmark.reports.shapes import (
    FONT_SIZE,
    Bar,
    Chart,
    Datum,
    Frame,
    LegendEntry,
    Path,
    Shape,
    TextShape,
    chart_text_width,
    draw_mark,
    fit_text,
)

SMALL_SIZE = (200.0, 112.0)
LARGE_SIZE = (400.0, 270.0)


def draw_histogram(
    title: str,
    description: str,
    shares: Sequence[float],
    unit: str,
    mark: float | None = None,
    highest: float | None = None,
) -> Chart:
    """Draw a small histogram of 0, 1, 2 ...; `mark` is a marked value, `highest` a common scale."""
    width, height = SMALL_SIZE
    top, bottom = 20.0, height - 18
    step = (width - 8) / max(1, len(shares))
    tallest = highest or max(shares, default=0.0) or 1.0
    shapes: list[Shape] = [TextShape(4, 12, fit_text(title, width - 8, bold=True), kind="strong")]
    for number, share in enumerate(shares):
        x, bar_height = 4 + number * step, (bottom - top) * share / tallest
        shapes.append(
            Datum(
                f"{_count_text(number, unit)}: {percent(share, 1)}",
                [
                    Bar(x, top, step, bottom - top, "ground"),
                    Bar(x + 0.5, bottom - bar_height, step - 1, bar_height, "bar"),
                ],
            )
        )
    shapes.append(Path(f"M4 {bottom}H{width - 4}", "axis"))
    shapes += _column_labels(len(shares), 4, step, bottom)
    if mark is not None:
        shapes += draw_mark(4 + (mark + 0.5) * step, top - 2, bottom)
    return Chart(title, description, width, height, shapes)


def _column_labels(count: int, left: float, step: float, bottom: float) -> list[Shape]:
    """Return round numbers below the columns, with room between them."""
    max_labels = max(1, int(count * step / (chart_text_width(str(count)) + 2 * FONT_SIZE)))
    return [
        TextShape(left + (number + 0.5) * step, bottom + 15, f"{number:g}", "middle", "soft")
        for number in round_ticks(0, max(1, count - 1), max_labels, whole=True)
        if number < count
    ]


@dataclass(frozen=True)
class NamedDistribution:
    """One of two distributions: its name, its shares and its mean."""

    name: str
    shares: Sequence[float]
    mean: float

    def legend_text(self, unit: str) -> str:
        return f"{self.name}: {self.mean:.2f} {unit}"


def draw_two_histograms(
    title: str, description: str, before: NamedDistribution, after: NamedDistribution, unit: str
) -> Chart:
    """Draw two distributions of the same quantity overlaid: columns, and an outline on them."""
    width, height = LARGE_SIZE
    top, right, bottom = 34.0, width - 10, height - 38
    axis = Axis.vertical([0.0, *before.shares, *after.shares], bottom, top, percent_label)
    left = max(44.0, *(chart_text_width(percent_label(tick)) + 8 for tick in axis.ticks))
    count = max(len(before.shares), len(after.shares), 1)
    step = (right - left) / count
    shapes = axis.draw_beside(left, right)
    outline = f"M{left:.1f} {bottom:.1f}"
    for number in range(count):
        old, new = (
            sample.shares[number] if number < len(sample.shares) else 0.0
            for sample in (before, after)
        )
        x, y = left + number * step, axis.coordinate(old)
        outline += f"V{axis.coordinate(new):.1f}H{x + step:.1f}"
        shapes.append(
            Datum(
                f"{_count_text(number, unit)}: {before.name} {percent(old, 1)}, "
                f"{after.name} {percent(new, 1)}",
                [
                    Bar(x, top, step, bottom - top, "ground"),
                    Bar(x + 1, y, step - 2, bottom - y, "pale"),
                ],
            )
        )
    shapes.append(Path(f"{outline}V{bottom:.1f}", "outline"))
    shapes.append(Path(f"M{left} {bottom}H{right}", "axis"))
    shapes += _column_labels(count, left, step, bottom)
    shapes += _mean_lines(before, after, (left, top, right, bottom), step)
    shapes.append(TextShape((left + right) / 2, height - 6, unit, "middle", "soft"))
    key = [
        LegendEntry("pale", before.legend_text(unit)),
        LegendEntry("outline", after.legend_text(unit)),
    ]
    return Chart(title, description, width, height, shapes, key)


def _mean_lines(
    before: NamedDistribution, after: NamedDistribution, frame: Frame, step: float
) -> list[Shape]:
    """Return both means as vertical lines, the lower labeled on its left, the other on its right.

    A label without room on its side stands on the other side, one level higher, where it meets
    neither the other label nor its line.
    """
    left, top, right, bottom = frame
    shapes: list[Shape] = []
    pair = [(before, "span"), (after, "mark")]
    for (sample, kind), side in zip(
        sorted(pair, key=lambda entry: entry[0].mean), (-1, 1), strict=True
    ):
        x = left + (sample.mean + 0.5) * step
        label = f"mean {sample.mean:.2f}"
        label_width, level = chart_text_width(label) + 6, top - 8
        if x - label_width < 0 if side < 0 else x + label_width > right:
            side, level = -side, level - 16
        shapes.append(Path(f"M{x:.1f} {level - FONT_SIZE / 2:.1f}V{bottom:.1f}", kind))
        shapes.append(TextShape(x + 6 * side, level, label, "end" if side < 0 else "start"))
    return shapes


def _count_text(number: int, unit: str) -> str:
    """Return `1 win`, `2 wins` for the unit `wins`."""
    return f"{number} {unit.removesuffix('s') if number == 1 else unit}"
