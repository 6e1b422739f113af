"""The templates of all pages, and how they are rendered: always escaped, from this package alone.

    render("report.html", report=report)

Whatever a template prints is escaped and loses its control characters; only what macros make is
taken as it is. A page brings its style and its script along and forbids the browser all else.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from itertools import count
from typing import TYPE_CHECKING

from hashmark.pages.letters import one_line, printable

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

SCRIPT = "page.js"


PACKAGE = "hashmark.pages"


def render(template: str, **values: object) -> str:
    """A template as text; `number()` in it gives each piece of the page a number of its own."""
    return rendered(PACKAGE, template, **values)


def rendered(package: str, template: str, **values: object) -> str:
    """A template of another package of ours, which may build on those of this one."""
    made = environment(package).get_template(template)
    return made.render(number=count(1).__next__, **values)


@cache
def environment(package: str = PACKAGE) -> Environment:
    """Jinja2, imported when the first page is written."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=ChoiceLoader([PackageLoader(one) for one in dict.fromkeys((package, PACKAGE))]),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        finalize=harmless,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= {"line": one_line, "kind": kind, "n": short, "points": points}
    made.globals |= {"asset": asset, "policy": policy()}
    return made


def harmless(value: object) -> object:
    """What a template prints, without control characters."""
    if isinstance(value, str) and not hasattr(value, "__html__"):  # which markup has
        return printable(value)
    return value


def kind(value: object) -> str:
    """The name of a value's class in small letters: templates choose a macro by it."""
    return type(value).__name__.lower()


def short(value: float) -> str:
    """A number of a drawing: two digits are finer than any screen."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def points(places: Iterable[tuple[float, float]]) -> str:
    """Places of a drawing, as SVG lists them."""
    return " ".join(f"{short(x)},{short(y)}" for x, y in places)


def asset(name: str) -> Markup:
    """A style sheet or a script of ours, to be put into the page as it is."""
    from markupsafe import Markup

    return Markup(_read(name))


@cache
def _read(name: str) -> str:
    return files("hashmark.pages").joinpath("templates", name).read_text(encoding="utf-8")


def policy() -> str:
    """What a browser may do with a page: show it in our style and run our script, nothing else."""
    digest = b64encode(hashlib.sha256(_read(SCRIPT).encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
