"""Win probability of a game as a curve: time to the right, home above, away below.

The horizontal axis counts turns, like the slider below the field, so that a place on the curve is a
place in the game. The picture stretches to the width of its page and has no text for that reason.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from hashmark.engine.team_names import TeamNames, short_names
from hashmark.number_text import percent
from hashmark.text.phrases import capitalize
from hashmark.web.svg.markup import EMPTY, line, path, rect, svg_image

WIDTH, HEIGHT = 720.0, 76.0


def draw_win_curve(
    points: Sequence[tuple[int, float]], turns: int, periods: Sequence[int], names: TeamNames
) -> Markup:
    """Return the curve of home's chances by turn, with a line where each period begins."""
    if len(points) < 2 or not turns:
        return EMPTY
    xs = [WIDTH * turn / turns for turn, _ in points]
    ys = [HEIGHT * (1 - chance) for _, chance in points]
    steps = "".join(f"L{x:.1f} {y:.1f}" for x, y in zip(xs, ys, strict=True))[1:]
    middle = HEIGHT / 2
    area = f"M{xs[0]:.1f} {middle:g}L{steps}L{xs[-1]:.1f} {middle:g}Z"
    home = capitalize(short_names(names)[0])
    return svg_image(
        WIDTH,
        HEIGHT,
        f"Win probability: {home} {percent(points[-1][1], 0)}",
        rect(0, 0, WIDTH, HEIGHT, class_="curve-ground"),
        *(line(x, 0, x, HEIGHT, class_="curve-period") for x in _places(periods, turns)),
        line(0, middle, WIDTH, middle, class_="curve-middle"),
        path(area, class_="curve-area"),
        path(f"M{steps}", class_="curve-line"),
        desc=_describe(points, home),
        class_="win-curve",
        preserveAspectRatio="none",
    )


def _places(periods: Sequence[int], turns: int) -> list[float]:
    return [WIDTH * turn / turns for turn in periods]


def _describe(points: Sequence[tuple[int, float]], home: str) -> str:
    chances = [chance for _, chance in points]
    lowest, highest = percent(min(chances), 0), percent(max(chances), 0)
    return f"{home}: between {lowest} and {highest} so far."
