"""Histograms of whole numbers: a small one, of which many stand together, and two over another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hashmark.pages.axis import Axis, percent, ticks
from hashmark.pages.shapes import (
    SIZE,
    Bar,
    Chart,
    Datum,
    Frame,
    Path,
    Shape,
    Sign,
    Words,
    fitted,
    marked,
    width_of,
)

SMALL = (200.0, 112.0)
LARGE = (400.0, 270.0)


def histogram(
    title: str,
    description: str,
    shares: Sequence[float],
    unit: str,
    mark: float | None = None,
    highest: float | None = None,
) -> Chart:
    """A small one of 0, 1, 2 ...; `mark` is a value to point at, `highest` a scale to share."""
    width, height = SMALL
    top, bottom = 20.0, height - 18
    step = (width - 8) / max(1, len(shares))
    tallest = highest or max(shares, default=0.0) or 1.0
    drawn: list[Shape] = [Words(4, 12, fitted(title, width - 8, bold=True), kind="strong")]
    for at, share in enumerate(shares):
        x, tall = 4 + at * step, (bottom - top) * share / tallest
        drawn.append(
            Datum(
                f"{at} {unit}: {share:.1%}",
                [
                    Bar(x, top, step, bottom - top, "ground"),
                    Bar(x + 0.5, bottom - tall, step - 1, tall, "bar"),
                ],
            )
        )
    drawn.append(Path(f"M4 {bottom}H{width - 4}", "axis"))
    drawn += _numbers(len(shares), 4, step, bottom)
    if mark is not None:
        drawn += marked(4 + (mark + 0.5) * step, top - 2, bottom)
    return Chart(title, description, width, height, drawn)


def _numbers(count: int, left: float, step: float, bottom: float) -> list[Shape]:
    """Numbers under the columns: round ones, with room between them."""
    most = max(1, int(count * step / (width_of(str(count)) + 2 * SIZE)))
    return [
        Words(left + (at + 0.5) * step, bottom + 15, f"{at:g}", "middle", "soft")
        for at in ticks(0, max(1, count - 1), most, whole=True)
        if at < count
    ]


@dataclass(frozen=True)
class Sample:
    """One of two distributions, its mean, and what it is called."""

    name: str
    shares: Sequence[float]
    mean: float

    def words(self, unit: str) -> str:
        return f"{self.name}: {self.mean:.2f} {unit}"


def two_histograms(title: str, description: str, before: Sample, after: Sample, unit: str) -> Chart:
    """Two distributions of the same thing over one another: columns, and an outline on them."""
    width, height = LARGE
    top, right, bottom = 34.0, width - 10, height - 38
    axis = Axis.upright([0.0, *before.shares, *after.shares], bottom, top, percent)
    left = max(44.0, *(width_of(percent(tick)) + 8 for tick in axis.ticks))
    count = max(len(before.shares), len(after.shares), 1)
    step = (right - left) / count
    drawn = axis.beside(left, right)
    outline = f"M{left:.1f} {bottom:.1f}"
    for at in range(count):
        old, new = (one.shares[at] if at < len(one.shares) else 0.0 for one in (before, after))
        x, y = left + at * step, axis.at(old)
        outline += f"V{axis.at(new):.1f}H{x + step:.1f}"
        drawn.append(
            Datum(
                f"{at} {unit}: {before.name} {old:.1%}, {after.name} {new:.1%}",
                [
                    Bar(x, top, step, bottom - top, "ground"),
                    Bar(x + 1, y, step - 2, bottom - y, "pale"),
                ],
            )
        )
    drawn.append(Path(f"{outline}V{bottom:.1f}", "outline"))
    drawn.append(Path(f"M{left} {bottom}H{right}", "axis"))
    drawn += _numbers(count, left, step, bottom)
    drawn += _means(before, after, (left, top, right, bottom), step)
    drawn.append(Words((left + right) / 2, height - 6, unit, "middle", "soft"))
    key = [Sign("pale", before.words(unit)), Sign("outline", after.words(unit))]
    return Chart(title, description, width, height, drawn, key)


def _means(before: Sample, after: Sample, frame: Frame, step: float) -> list[Shape]:
    """Both means as upright lines, the lower one's name on its left, the other's on its right.

    A name for which there is no room on its side stands on the other, one level higher, where
    neither name nor line of the other comes.
    """
    left, top, right, bottom = frame
    drawn: list[Shape] = []
    pair = [(before, "span"), (after, "mark")]
    for (one, kind), side in zip(sorted(pair, key=lambda two: two[0].mean), (-1, 1), strict=True):
        x = left + (one.mean + 0.5) * step
        said = f"mean {one.mean:.2f}"
        wide, level = width_of(said) + 6, top - 8
        if x - wide < 0 if side < 0 else x + wide > right:
            side, level = -side, level - 16
        drawn.append(Path(f"M{x:.1f} {level - SIZE / 2:.1f}V{bottom:.1f}", kind))
        drawn.append(Words(x + 6 * side, level, said, "end" if side < 0 else "start"))
    return drawn
