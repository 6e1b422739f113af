"""Perception of colors: WCAG contrast, and the three kinds of color blindness.

The matrices are those of Machado, Oliveira and Fernandes (2009) for complete dichromacy, applied to
linear light; color distance is CIE 1976 in Lab.
"""

from __future__ import annotations

import re
from itertools import combinations
from math import dist

from hashmark.engine.drawings import TEAM_COLORS
from hashmark.web.svg import STYLE_SHEET

Rgb = tuple[float, float, float]
Matrix = tuple[Rgb, Rgb, Rgb]
SIGHT_MATRICES: dict[str, Matrix] = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
TO_XYZ: Matrix = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
WHITE = (0.95047, 1.0, 1.08883)
MIN_DISTANCE = 15.0  # a distance at which two areas differ at a glance


def themes() -> dict[str, dict[str, str]]:
    """Return the plain color properties of the style sheet, by theme."""
    sheet = STYLE_SHEET.read_text(encoding="utf-8")
    color = "#[0-9a-f]{6}"
    same = dict(re.findall(rf"--([\w-]+): ({color});", sheet))
    both = re.findall(rf"--([\w-]+): light-dark\(({color}), ({color})\);", sheet)
    return {
        "light": {**same, **{name: light for name, light, _ in both}},
        "dark": {**same, **{name: dark for name, _, dark in both}},
    }


def linear_light(color: str) -> Rgb:
    """Return the linear light of a color such as #1a5fa8."""
    parts = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (
        (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4) for p in parts
    )
    return red, green, blue


def apply_matrix(matrix: Matrix, light: Rgb) -> Rgb:
    red, green, blue = (sum(a * b for a, b in zip(row, light, strict=True)) for row in matrix)
    return red, green, blue


def contrast(one: str, other: str) -> float:
    """Return the WCAG contrast of two colors, 1 to 21."""
    bright = sorted(
        (apply_matrix(TO_XYZ, linear_light(color))[1] for color in (one, other)), reverse=True
    )
    return (bright[0] + 0.05) / (bright[1] + 0.05)


def lab(light: Rgb) -> Rgb:
    def root(t: float) -> float:
        return float(t ** (1 / 3)) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116

    x, y, z = (root(v / w) for v, w in zip(apply_matrix(TO_XYZ, light), WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: str, other: str, sight: Matrix) -> float:
    """Return the Lab distance of two colors for one kind of sight."""
    seen = []
    for color in (one, other):
        red, green, blue = (min(1.0, max(0.0, v)) for v in apply_matrix(sight, linear_light(color)))
        seen.append(lab((red, green, blue)))
    return dist(*seen)


def least_difference(one: str, other: str) -> float:
    """Return the smallest distance of two team colors over all kinds of sight and both themes."""
    return min(
        difference(theme[one], theme[other], sight)
        for theme in themes().values()
        for sight in SIGHT_MATRICES.values()
    )


def similar_pairs() -> set[frozenset[str]]:
    """Return every pair of team colors that can be mistaken for each other."""
    pairs = combinations(TEAM_COLORS, 2)
    return {frozenset(pair) for pair in pairs if least_difference(*pair) < MIN_DISTANCE}
