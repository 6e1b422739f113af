"""Points in a plane, with names where there is room for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hashmark.pages.axis import Axis, Form, plain, titles
from hashmark.pages.shapes import (
    ASCENT,
    DESCENT,
    SIZE,
    Chart,
    Datum,
    Dot,
    Frame,
    Path,
    Sign,
    Words,
    meet,
    widest,
    width_of,
)

WIDTH, HEIGHT = 400.0, 370.0
RADIUS = 4.0
BETWEEN = 2.0  # two names
NEAR = 30.0  # points within it compete for room


@dataclass(frozen=True)
class Point:
    """One point."""

    x: float
    y: float
    label: str = ""
    span: tuple[float, float] | None = None  # an interval of y
    here: bool = False  # the one that the page is about
    said: str = ""  # on pointing at it


@dataclass(frozen=True)
class _Spot:
    """Where a point is drawn."""

    x: float
    y: float
    point: Point

    @property
    def frame(self) -> Frame:
        return self.x - RADIUS, self.y - RADIUS, self.x + RADIUS, self.y + RADIUS


def scatter(
    title: str,
    description: str,
    points: Sequence[Point],
    across: str,
    up: str,
    form: Form = plain,
    *,
    key: Sequence[Sign] = (),
) -> Chart:
    """Two figures of the same kind: one scale for both axes, and a line where they are equal."""
    values = [end for one in points for end in (one.x, one.y, *(one.span or ()))]
    bottom, top = HEIGHT - 44, 8.0
    upright = Axis.upright(values, bottom, top, form)
    numbers = widest([form(one) for one in upright.ticks])
    left, right = numbers + 30, WIDTH - numbers / 2 - 2
    level = Axis(upright.ticks, left, right, form)
    drawn = [*level.below(top, bottom), *upright.beside(left, right)]
    drawn.append(Path(f"M{left:.1f} {bottom:.1f}L{right:.1f} {top:.1f}", "diagonal"))
    spots = [_Spot(level.at(one.x), upright.at(one.y), one) for one in points]
    whiskers = [_whisker(spot, upright) for spot in spots]
    drawn += [Path(_upright_line(*one), "thin") for one in whiskers if one]
    drawn += [_datum(spot) for spot in sorted(spots, key=lambda one: one.point.here)]
    frame = (left, top, right, bottom)
    named = names(spots, frame, [one for one in whiskers if one])
    drawn += [*named, *titles(frame, across, up)]
    if len(named) < sum(bool(one.label) for one in points):
        key = [*key, Sign("", "some names left out for want of room")]
    return Chart(title, description, WIDTH, HEIGHT, drawn, key)


def _whisker(spot: _Spot, upright: Axis) -> Frame | None:
    """The room of an interval's line."""
    if spot.point.span is None:
        return None
    low, high = (upright.at(end) for end in spot.point.span)
    return spot.x - 0.5, high, spot.x + 0.5, low


def _upright_line(left: float, top: float, right: float, bottom: float) -> str:
    return f"M{(left + right) / 2:.1f} {top:.1f}V{bottom:.1f}"


def _datum(spot: _Spot) -> Datum:
    point = spot.point
    said = point.said or ": ".join(filter(None, (point.label, f"{point.x:g}, {point.y:g}")))
    return Datum(said, [Dot(spot.x, spot.y, "here" if point.here else "dot", RADIUS)])


# --- Names ------------------------------------------------------------------------------------


def names(spots: Sequence[_Spot], frame: Frame, lines: Sequence[Frame]) -> list[Words]:
    """A name beside each point, where it hides no point and no other name; else none.

    Who chooses first is tried in several ways, and the one that leaves out the fewest is taken;
    the point that the page is about is always among the first.
    """
    crowds = [_crowd(spot, spots) for spot in spots]
    orders: list[list[float]] = [
        [-crowd for crowd in crowds],
        [*crowds],
        [spot.x for spot in spots],
        [spot.y for spot in spots],
    ]
    tried = []
    for order in orders:
        ranked = sorted(
            zip(order, spots, strict=True), key=lambda two: (not two[1].point.here, two[0])
        )
        tried.append(_named([spot for _, spot in ranked], frame, lines))
    return max(tried, key=len)


def _named(spots: Sequence[_Spot], frame: Frame, lines: Sequence[Frame]) -> list[Words]:
    """Names in this order, each at the free place where it crosses the fewest lines."""
    taken = [spot.frame for spot in spots]
    placed = []
    for spot in spots:
        free = [
            words
            for words in _places(spot)
            if _inside(words.frame, frame) and not any(meet(_wider(words), one) for one in taken)
        ]
        if spot.point.label and free:
            best = min(free, key=lambda words: sum(meet(words.frame, one) for one in lines))
            taken.append(best.frame)
            placed.append(best)
    return placed


def _crowd(spot: _Spot, spots: Sequence[_Spot]) -> int:
    return sum(abs(spot.x - one.x) < NEAR and abs(spot.y - one.y) < NEAR for one in spots)


def _places(spot: _Spot) -> list[Words]:
    """Places around a point, the best first: right, left, over, under, and the corners."""
    x, y, label = spot.x, spot.y, spot.point.label
    long, away = width_of(label), RADIUS + 2
    middle = y + (ASCENT - DESCENT) / 2 * SIZE
    over, under = y - away - DESCENT * SIZE, y + away + ASCENT * SIZE
    places = [(x + away, middle), (x - away - long, middle)]
    for line in (over, under):
        places += [(x + at * long - long / 2, line) for at in (0, 0.35, -0.35, 0.6, -0.6)]
    return [Words(left, line, label, kind="name") for left, line in places]


def _wider(words: Words) -> Frame:
    """Two names on a line keep some distance."""
    left, top, right, bottom = words.frame
    return left - BETWEEN, top, right + BETWEEN, bottom


def _inside(frame: Frame, whole: Frame) -> bool:
    return (
        frame[0] >= whole[0]
        and frame[1] >= whole[1]
        and frame[2] <= whole[2]
        and frame[3] <= whole[3]
    )
