"""Template rendering: always escaped, from the templates of this package alone.

    render("report.html", report=report)

Template output is escaped and loses its control characters; only the output of macros is trusted.
A page contains its style and script, and its policy forbids the browser everything else.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from itertools import count
from typing import TYPE_CHECKING

from hashmark.reports.text_cleaning import one_line, printable

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

SCRIPT = "page.js"
PACKAGE = "hashmark.reports"
NO_BREAK_PERCENT = "\u00a0%"
_PERCENT_SPACE = re.compile(r"(?<=\d) %")


def render(template: str, **values: object) -> str:
    """Render a template as text; `number()` in it returns 1, 2, 3, ... for unique ids."""
    return render_from(PACKAGE, template, **values)


def render_from(package: str, template: str, **values: object) -> str:
    """Render a template of another package, which may extend those of this one."""
    loaded = jinja_environment(package).get_template(template)
    return loaded.render(number=count(1).__next__, **values)


@cache
def jinja_environment(package: str = PACKAGE) -> Environment:
    """Return the Jinja2 environment; Jinja2 is imported when the first page is rendered."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    jinja = Environment(
        loader=ChoiceLoader([PackageLoader(name) for name in dict.fromkeys((package, PACKAGE))]),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        finalize=strip_controls,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    jinja.filters |= {
        "line": one_line,
        "kind": class_kind,
        "n": format_number,
        "points": format_points,
    }
    jinja.globals |= {"asset": load_asset, "policy": content_security_policy()}
    return jinja


def strip_controls(value: object) -> object:
    """Return a template's output value without control characters; numbers keep their %."""
    if isinstance(value, str) and not hasattr(value, "__html__"):  # markup has it
        return keep_percent_together(printable(value))
    return value


def keep_percent_together(text: str) -> str:
    """Return the text with a no-break space between a number and its percent sign."""
    return text if " %" not in text else _PERCENT_SPACE.sub(NO_BREAK_PERCENT, text)


def class_kind(value: object) -> str:
    """Return the name of a value's class in lowercase; templates choose a macro by it."""
    return type(value).__name__.lower()


def format_number(value: float) -> str:
    """Format a coordinate with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def format_points(places: Iterable[tuple[float, float]]) -> str:
    """Format points as an SVG point list."""
    return " ".join(f"{format_number(x)},{format_number(y)}" for x, y in places)


def load_asset(name: str) -> Markup:
    """Return a style sheet or script of this package, to be inserted into the page unescaped."""
    from markupsafe import Markup

    return Markup(_read(name))


@cache
def _read(name: str) -> str:
    return files("hashmark.reports").joinpath("templates", name).read_text(encoding="utf-8")


def content_security_policy() -> str:
    """Return the Content-Security-Policy of a page: our styles and our script, nothing else."""
    digest = b64encode(hashlib.sha256(_read(SCRIPT).encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
