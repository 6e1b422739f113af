"""Axes: round numbers that span what is shown, as many as there is room for, said in one way."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hashmark.pages.shapes import SIZE, Frame, Path, Shape, Words, fitted, width_of

Form = Callable[[float], str]
MOST = 8  # ticks beside the first
GAP = 10.0  # between two numbers


def plain(value: float) -> str:
    return f"{value:g}"


def signed(value: float) -> str:
    return f"{value:+g}" if value else "0"


def percent(value: float) -> str:
    return f"{round(100 * value, 8):g}%"


def ticks(low: float, high: float, most: int = MOST, whole: bool = False) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten that span a range; `whole` numbers if asked."""
    if high - low <= 1e-9 * max(1.0, abs(low), abs(high)):
        low, high = low - 1, high + 1
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * n for n in (1, 2, 5, 10) if power * n >= rough * (1 - 1e-9))
    step = max(1.0, step) if whole else step
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(at * step, 10) for at in range(first, last + 1)]


@dataclass(frozen=True)
class Axis:
    """Ticks from one end of a line to the other; `start` may be below or right of `end`."""

    ticks: Sequence[float]
    start: float
    end: float
    form: Form = plain

    @classmethod
    def across(
        cls,
        values: Iterable[float],
        start: float,
        end: float,
        form: Form = plain,
        whole: bool = False,
    ) -> Axis:
        """An axis below a chart: as many numbers as can stand beside one another."""
        low, high = _reach(values)
        for most in range(MOST, 0, -1):
            axis = cls(ticks(low, high, most, whole), start, end, form)
            if axis.has_room():
                break
        return axis

    @classmethod
    def upright(
        cls,
        values: Iterable[float],
        start: float,
        end: float,
        form: Form = plain,
        whole: bool = False,
    ) -> Axis:
        """An axis beside a chart."""
        low, high = _reach(values)
        most = max(1, min(MOST, int(abs(end - start) / (2 * SIZE))))
        return cls(ticks(low, high, most, whole), start, end, form)

    def has_room(self) -> bool:
        wide = [width_of(self.form(one)) for one in self.ticks]
        between = abs(self.end - self.start) / (len(self.ticks) - 1)
        return all((a + b) / 2 + GAP <= between for a, b in pairwise(wide))

    def at(self, value: float) -> float:
        """Where a value is; one beyond the ends is at the end."""
        low, high = self.ticks[0], self.ticks[-1]
        share = (min(max(value, low), high) - low) / (high - low)
        return self.start + share * (self.end - self.start)

    def below(self, top: float, bottom: float, above: bool = False) -> list[Shape]:
        """Upright lines with their numbers below, also `above` if the chart is long."""
        drawn: list[Shape] = []
        free = -math.inf  # from here on there is room for a number
        for tick in self.ticks:
            x, said = self.at(tick), self.form(tick)
            drawn.append(Path(f"M{x:.1f} {top:.1f}V{bottom:.1f}", "grid"))
            half = width_of(said) / 2
            if x - half < free:
                continue
            free = x + half + GAP / 2
            drawn.append(Words(x, bottom + 16, said, "middle", "soft"))
            if above:
                drawn.append(Words(x, top - 5, said, "middle", "soft"))
        return drawn

    def beside(self, left: float, right: float) -> list[Shape]:
        """Level lines with their numbers on the left."""
        drawn: list[Shape] = []
        for tick in self.ticks:
            y = self.at(tick)
            drawn.append(Path(f"M{left:.1f} {y:.1f}H{right:.1f}", "grid"))
            drawn.append(Words(left - 6, y + 4, self.form(tick), "end", "soft"))
        return drawn


def titles(frame: Frame, across: str, up: str) -> list[Shape]:
    """What the axes of a plane count, below it and on its left."""
    left, top, right, bottom = frame
    return [
        Words((left + right) / 2, bottom + 36, fitted(across, right - left), "middle", "soft"),
        Words(14, (top + bottom) / 2, fitted(up, bottom - top), "middle", "soft", turned=True),
    ]


def _reach(values: Iterable[float]) -> tuple[float, float]:
    """The least and the largest; what has no bounds asks for no room."""
    finite = [one for one in values if math.isfinite(one)]
    return min(finite, default=0.0), max(finite, default=1.0)
