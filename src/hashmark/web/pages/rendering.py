"""Templates of the server's pages, based on the templates that all pages share."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup

from hashmark.reports.rendering import jinja_environment, render_from
from hashmark.text.phrases import capitalize, team_clause, team_text
from hashmark.web.page_address import absolute

PACKAGE = "hashmark.web"
PREVIEW_DIR = Path(__file__).parents[1] / "static" / "preview"
SITE_SUMMARY = (
    "Five gridiron football games with dice: play a coach, a friend, or a whole season in the "
    "browser, free and without an account."
)


def render_page(template: str, **values: object) -> str:
    """Render a whole page or a part of one."""
    environment = jinja_environment(PACKAGE)
    environment.filters.update(FILTERS)
    environment.globals.update(GLOBALS)
    return render_from(PACKAGE, template, **values)


def spaced_name(name: str) -> str:
    """Return a call, or another name of a rule set, for people: "pass first", "turn: d4-1"."""
    return re.sub(r"(?<=[a-z])-(?=[a-z])", " ", name).replace(":", ": ").replace(",", ", ")


def opening_clause(name: str, predicate: str) -> str:
    """Return `team_clause` with a capital letter, to open a sentence or a heading."""
    return capitalize(team_clause(name, predicate))


def preview_image(game: str) -> str:
    """Return the name of the image that stands for a page about a game when a link is shared."""
    return game if (PREVIEW_DIR / f"{game}.png").exists() else "hashmark"


GLOBALS = {"preview_image": preview_image, "site_summary": SITE_SUMMARY}
FILTERS = {"absolute": absolute, "called": spaced_name, "team": team_text, "clause": opening_clause}


@cache
def _markdown() -> Any:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
    parser.add_render_rule("table_open", _open_table)
    parser.add_render_rule("table_close", _close_table)
    return parser


def _open_table(*_: object) -> str:
    """Open a table in a container that scrolls, also with the keyboard."""
    return '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>'


def _close_table(*_: object) -> str:
    return "</table></div>"


def markdown(text: str) -> Markup:
    """Render the rules as HTML, without raw HTML, links and images."""
    parser = _markdown()
    tokens = parser.parse(text)
    for token in tokens:
        token.attrs.pop("style", None)  # forbidden by the content security policy
        for child in token.children or ():
            if child.type in ("link_open", "link_close", "image"):
                child.type, child.tag, child.hidden = "text", "", True
                child.content, child.markup = "", ""
    return Markup(parser.renderer.render(tokens, parser.options, {}))
