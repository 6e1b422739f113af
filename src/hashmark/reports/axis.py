"""Chart axes: round tick values that span the data, as many as fit, in one number format."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hashmark.reports.shapes import (
    FONT_SIZE,
    Frame,
    Path,
    Shape,
    TextShape,
    chart_text_width,
    fit_text,
)

NumberFormat = Callable[[float], str]
MAX_TICKS = 8  # ticks besides the first
LABEL_GAP = 10.0  # between two tick labels


def plain(value: float) -> str:
    return f"{value:g}"


def signed(value: float) -> str:
    return f"{value:+g}" if value else "0"


def percent(value: float) -> str:
    return f"{round(100 * value, 8):g} %"


def round_ticks(
    low: float, high: float, max_ticks: int = MAX_TICKS, whole: bool = False
) -> list[float]:
    """Return multiples of 1, 2 or 5 times a power of ten that span a range.

    With `whole` the step is at least 1.
    """
    if high - low <= 1e-9 * max(1.0, abs(low), abs(high)):
        low, high = low - 1, high + 1
    rough = (high - low) / max_ticks
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * n for n in (1, 2, 5, 10) if power * n >= rough * (1 - 1e-9))
    step = max(1.0, step) if whole else step
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(multiple * step, 10) for multiple in range(first, last + 1)]


@dataclass(frozen=True)
class Axis:
    """Ticks from one end of a line to the other; `start` may be below or right of `end`."""

    ticks: Sequence[float]
    start: float
    end: float
    number_format: NumberFormat = plain

    @classmethod
    def horizontal(
        cls,
        values: Iterable[float],
        start: float,
        end: float,
        number_format: NumberFormat = plain,
        whole: bool = False,
    ) -> Axis:
        """Create a horizontal axis with as many tick labels as fit side by side."""
        low, high = _finite_range(values)
        for most in range(MAX_TICKS, 0, -1):
            axis = cls(round_ticks(low, high, most, whole), start, end, number_format)
            if axis.has_room():
                break
        return axis

    @classmethod
    def vertical(
        cls,
        values: Iterable[float],
        start: float,
        end: float,
        number_format: NumberFormat = plain,
        whole: bool = False,
    ) -> Axis:
        """Create a vertical axis."""
        low, high = _finite_range(values)
        most = max(1, min(MAX_TICKS, int(abs(end - start) / (2 * FONT_SIZE))))
        return cls(round_ticks(low, high, most, whole), start, end, number_format)

    def has_room(self) -> bool:
        label_widths = [chart_text_width(self.number_format(tick)) for tick in self.ticks]
        between = abs(self.end - self.start) / (len(self.ticks) - 1)
        return all((a + b) / 2 + LABEL_GAP <= between for a, b in pairwise(label_widths))

    def coordinate(self, value: float) -> float:
        """Return the coordinate of a value; values beyond the ends are placed at the end."""
        low, high = self.ticks[0], self.ticks[-1]
        share = (min(max(value, low), high) - low) / (high - low)
        return self.start + share * (self.end - self.start)

    def draw_below(self, top: float, bottom: float, above: bool = False) -> list[Shape]:
        """Return vertical grid lines with labels below, and also `above` if the chart is long."""
        shapes: list[Shape] = []
        free = -math.inf  # from here on there is room for a label
        for tick in self.ticks:
            x, label = self.coordinate(tick), self.number_format(tick)
            shapes.append(Path(f"M{x:.1f} {top:.1f}V{bottom:.1f}", "grid"))
            half = chart_text_width(label) / 2
            if x - half < free:
                continue
            free = x + half + LABEL_GAP / 2
            shapes.append(TextShape(x, bottom + 16, label, "middle", "soft"))
            if above:
                shapes.append(TextShape(x, top - 5, label, "middle", "soft"))
        return shapes

    def draw_beside(self, left: float, right: float) -> list[Shape]:
        """Return horizontal grid lines with labels on the left."""
        shapes: list[Shape] = []
        for tick in self.ticks:
            y = self.coordinate(tick)
            shapes.append(Path(f"M{left:.1f} {y:.1f}H{right:.1f}", "grid"))
            shapes.append(TextShape(left - 6, y + 4, self.number_format(tick), "end", "soft"))
        return shapes


def axis_titles(frame: Frame, x_title: str, y_title: str) -> list[Shape]:
    """Return the titles of both axes, below the chart and on its left."""
    left, top, right, bottom = frame
    return [
        TextShape(
            (left + right) / 2, bottom + 36, fit_text(x_title, right - left), "middle", "soft"
        ),
        TextShape(
            14, (top + bottom) / 2, fit_text(y_title, bottom - top), "middle", "soft", turned=True
        ),
    ]


def _finite_range(values: Iterable[float]) -> tuple[float, float]:
    """Return the smallest and the largest finite value."""
    finite = [value for value in values if math.isfinite(value)]
    return min(finite, default=0.0), max(finite, default=1.0)
