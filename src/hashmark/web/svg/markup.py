"""Building markup tag by tag: text is escaped, control characters dropped, numbers shortened."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup, escape

from hashmark.reports.rendering import format_number
from hashmark.reports.text_cleaning import one_line

Content = str | Markup
EMPTY = Markup("")


def escape_line(text: str) -> Markup:
    """Escape a text and put it on one line; markup stays as it is."""
    return text if isinstance(text, Markup) else escape(one_line(text))


def tag(name: str, *inside: Content, **attributes: str | float | bool | None) -> Markup:
    """Return an element with its content.

    An `_` in an attribute's name becomes a hyphen, one at its end is dropped (`class_`). None and
    False omit the attribute, True omits its value.
    """
    pairs = [_attribute(key, value) for key, value in attributes.items()]
    head = " ".join([name, *(pair for pair in pairs if pair)])
    return Markup(f"<{head}>{join_markup(inside)}</{name}>")  # every part is already escaped


def _attribute(key: str, value: str | float | bool | None) -> str:
    name = key.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    if value is True:
        return f'{name}=""'
    return (
        f'{name}="{format_number(value) if isinstance(value, int | float) else escape_line(value)}"'
    )


def join_markup(parts: Iterable[Content]) -> Markup:
    """Escape and join pieces."""
    return Markup("").join(escape_line(part) for part in parts)


def class_names(*names: str) -> str | None:
    """Join the class names that are not empty; None if there are none."""
    return " ".join(name for name in names if name) or None


def group(*inside: Content, **attributes: str | float | bool | None) -> Markup:
    return tag("g", *inside, **attributes)


def rect(x: float, y: float, width: float, height: float, **more: str | float | None) -> Markup:
    return tag("rect", x=x, y=y, width=width, height=height, **more)


def line(x1: float, y1: float, x2: float, y2: float, **more: str | float | None) -> Markup:
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, **more)


def text(x: float, y: float, words: str, **more: str | float | None) -> Markup:
    return tag("text", words, x=x, y=y, **more)


def path(steps: str, **more: str | float | None) -> Markup:
    return tag("path", d=steps, **more)


def svg_image(
    width: float,
    height: float,
    title: str,
    *inside: Content,
    desc: str = "",
    class_: str = "",
    **more: str | None,
) -> Markup:
    """Return an SVG image with a title and an optional description for screen readers."""
    labels = [tag("title", title), *([tag("desc", desc)] if desc else [])]
    return tag(
        "svg",
        *labels,
        *inside,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {format_number(width)} {format_number(height)}",
        role="img",
        class_=class_ or None,
        **more,
    )
