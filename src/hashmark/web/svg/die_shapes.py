"""Single die as SVG: pips on a d6, outline and numeral on other dice, a circle for a coin.

A die has its team's color, the visitors' with a second edge. Dice known by a color of their own
("black die") keep it.
"""

from __future__ import annotations

import re

from markupsafe import Markup

from hashmark.engine.drawings import DrawnDie
from hashmark.engine.record import AWAY
from hashmark.web.svg.markup import EMPTY, class_names, group, path, rect, svg_image, tag, text
from hashmark.web.svg.team_colors import team_class

DIE_SIZE = 64.0
PIPS = {
    1: ((32, 32),),
    2: ((19, 19), (45, 45)),
    3: ((18, 18), (32, 32), (46, 46)),
    4: ((19, 19), (45, 19), (19, 45), (45, 45)),
    5: ((18, 18), (46, 18), (32, 32), (18, 46), (46, 46)),
    6: ((19, 16), (45, 16), (19, 32), (45, 32), (19, 48), (45, 48)),
}
# By number of sides: outline, visible edges, and the vertical center of the numeral.
OUTLINES = {
    4: ("M32 4L62 57H2z", "M32 4L32 22M2 57L17 48M62 57L47 48", 43),
    8: (
        "M32 2L61 32L32 62L3 32z",
        "M32 2L52 42H12zM3 32L12 42M61 32L52 42M32 62L12 42M32 62L52 42",
        31,
    ),
    10: (
        "M32 2L61 24V40L32 62L3 40V24z",
        "M32 2L49 36L32 47L15 36zM3 40L15 36M61 40L49 36M32 62V47",
        29,
    ),
    12: (
        "M32 2L51 8L62 24V42L51 56L32 62L13 56L2 42V24L13 8z",
        "M32 14L49 26L42 46H22L15 26zM32 2V14M62 24L49 26M51 56L42 46M13 56L22 46M2 24L15 26",
        33,
    ),
    20: (
        "M32 2L58 17V47L32 62L6 47V17z",
        "M32 14L48 42H16zM32 2V14M58 17L32 14L6 17M58 17L48 42L58 47M6 17L16 42L6 47"
        "M32 62L48 42M32 62L16 42",
        34,
    ),
}
DEFAULT_OUTLINE = ("M20 3H44L61 20V44L44 61H20L3 44V20z", "", 33)
BODY_COLORS = ("black", "yellow", "white", "red", "green")
SIDES_BY_WORD = {"ten-sided": 10, "percentile": 10}


def die_svg(die: DrawnDie, title: str = "", hidden: bool = False, tumbles: bool = False) -> Markup:
    """Draw a die with a title, or hidden from screen readers where nearby text says the same."""
    css_classes = class_names("drawn-die", _css_classes(die), "tumbles" if tumbles else "")
    inside = [_outline(die), _face(die)]
    if hidden:
        frame = f"0 0 {DIE_SIZE:g} {DIE_SIZE:g}"
        return tag("svg", *inside, viewBox=frame, aria_hidden="true", class_=css_classes)
    return svg_image(DIE_SIZE, DIE_SIZE, title or die_title(die), *inside, class_=css_classes or "")


def die_group(die: DrawnDie, x: float, y: float, size: float, degrees: float = 0) -> Markup:
    """Draw a die as part of a larger drawing, given its center, size and rotation."""
    scale = size / DIE_SIZE
    where = f"translate({x:g} {y:g}) rotate({degrees:g}) scale({scale:g}) translate(-32 -32)"
    return group(
        _outline(die),
        _face(die),
        class_=class_names("drawn-die-part", _css_classes(die)),
        transform=where,
    )


def _css_classes(die: DrawnDie) -> str:
    body = body_color(die.kind)
    marked = f" mark-{die.mark}" if die.mark else ""
    return (f"body-{body}" if body else team_class(die.team)) + marked


def die_title(die: DrawnDie) -> str:
    """Return a die in words: "blue d8: 5", with the meaning of its mark."""
    faint = ", left out" if die.mark == "faint" else ""
    return f"{die.label or die.name or die.kind}: {die.face}{faint}"


def sides_of(kind: str) -> int:
    """Return the number of sides by the die's name; 0 if the name does not tell."""
    match = re.fullmatch(r"d([0-9]{1,3})", kind)
    return int(match[1]) if match else SIDES_BY_WORD.get(kind.partition(" ")[0], 0)


def body_color(kind: str) -> str:
    """Return the color that the die is named after, if any."""
    color = kind.partition(" ")[0]
    return color if color in BODY_COLORS else ""


def _is_square(kind: str) -> bool:
    return kind == "d6" or bool(body_color(kind))


def _is_round(kind: str) -> bool:
    return kind in ("coin", "d2")


def _outline(die: DrawnDie) -> Markup:
    edge = die.team == AWAY and not body_color(die.kind)
    if _is_round(die.kind):
        return group(
            tag("circle", cx=32, cy=32, r=30, class_="die-body"),
            tag("circle", cx=32, cy=32, r=24, class_="die-edge"),
        )
    if _is_square(die.kind):
        second = rect(6.5, 6.5, 51, 51, rx=9, class_="die-edge") if edge else EMPTY
        return group(rect(2, 2, 60, 60, rx=13, class_="die-body"), second)
    outline, edges, _ = _shape(die.kind)
    return group(path(outline, class_="die-body"), path(edges, class_="die-edge"))


def _shape(kind: str) -> tuple[str, str, int]:
    sides = sides_of(kind)
    return OUTLINES.get(10 if sides == 100 else sides, DEFAULT_OUTLINE)


def _face(die: DrawnDie) -> Markup:
    if die.kind == "d6" and die.face in PIPS:
        return path(
            "".join(
                f"M{x - 5.5:g} {y}a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0z"
                for x, y in PIPS[die.face]
            ),
            class_="pip",
        )
    middle = 33 if _is_square(die.kind) or _is_round(die.kind) else _shape(die.kind)[2]
    figure = str(die.face)
    size = {1: 30, 2: 24}.get(len(figure), 18) * _numeral_scale(die.kind)
    return text(
        32, middle + size * 0.36, figure, text_anchor="middle", font_size=size, class_="numeral"
    )


def _numeral_scale(kind: str) -> float:
    """Return the scale of a numeral on the face that is up."""
    return {4: 0.85, 8: 0.9, 10: 0.95, 12: 0.95, 20: 0.9}.get(sides_of(kind), 1.0)
