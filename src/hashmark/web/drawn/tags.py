"""Markup, tag by tag: all text is escaped and loses its control characters, numbers are short."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup, escape

from hashmark.pages.environment import short
from hashmark.pages.letters import one_line

Inside = str | Markup
NOTHING = Markup("")


def said(text: str) -> Markup:
    """A text as it may stand on a page, on one line; what is markup already stays as it is."""
    return text if isinstance(text, Markup) else escape(one_line(text))


def tag(name: str, *inside: Inside, **attributes: str | float | bool | None) -> Markup:
    """One element with what is in it.

    `_` in the name of an attribute is a hyphen, one at its end is left out (`class_`). None and
    False leave the attribute out, True leaves out its value.
    """
    written = [_attribute(key, value) for key, value in attributes.items()]
    head = " ".join([name, *(one for one in written if one)])
    return Markup(f"<{head}>{joined(inside)}</{name}>")  # every part is escaped


def _attribute(key: str, value: str | float | bool | None) -> str:
    name = key.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    if value is True:
        return f'{name}=""'
    return f'{name}="{short(value) if isinstance(value, int | float) else said(value)}"'


def joined(parts: Iterable[Inside]) -> Markup:
    """Pieces one after the other."""
    return Markup("").join(said(part) for part in parts)


def classes(*names: str) -> str | None:
    """The names that are there, or no attribute at all."""
    return " ".join(name for name in names if name) or None


def group(*inside: Inside, **attributes: str | float | bool | None) -> Markup:
    return tag("g", *inside, **attributes)


def rect(x: float, y: float, width: float, height: float, **more: str | float | None) -> Markup:
    return tag("rect", x=x, y=y, width=width, height=height, **more)


def line(x1: float, y1: float, x2: float, y2: float, **more: str | float | None) -> Markup:
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, **more)


def text(x: float, y: float, words: str, **more: str | float | None) -> Markup:
    return tag("text", words, x=x, y=y, **more)


def path(steps: str, **more: str | float | None) -> Markup:
    return tag("path", d=steps, **more)


def picture(
    width: float, height: float, title: str, *inside: Inside, desc: str = "", class_: str = ""
) -> Markup:
    """A drawing that is read out as its title, and at length as its description."""
    words = [tag("title", title), *([tag("desc", desc)] if desc else [])]
    return tag(
        "svg",
        *words,
        *inside,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {short(width)} {short(height)}",
        role="img",
        class_=class_ or None,
    )
