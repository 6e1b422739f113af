"""The templates of the server's pages, on the base that all pages share."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from markupsafe import Markup

from hashmark.pages.environment import environment, rendered

PACKAGE = "hashmark.web"


def page(template: str, **values: Any) -> str:
    """A whole page, or a part of one."""
    environment(PACKAGE).filters.setdefault("called", called)
    return rendered(PACKAGE, template, **values)


def called(name: str) -> str:
    """A call or another name of a rule set, as it is read: "pass first", "turn: d4-1"."""
    return re.sub(r"(?<=[a-z])-(?=[a-z])", " ", name).replace(":", ": ").replace(",", ", ")


@cache
def _markdown() -> Any:
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
    made.add_render_rule("table_open", _table_opens)
    made.add_render_rule("table_close", _table_closes)
    return made


def _table_opens(*given: Any) -> str:
    """A wide table is scrolled by itself, also by keys."""
    return '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>'


def _table_closes(*given: Any) -> str:
    return "</table></div>"


def markdown(text: str) -> Markup:
    """Rules as they are written, for a page; no HTML of theirs, and no links out of it."""
    made = _markdown()
    tokens = made.parse(text)
    for token in tokens:
        token.attrs.pop("style", None)  # which no page may have
        for child in token.children or ():
            if child.type in ("link_open", "link_close", "image"):
                child.type, child.tag, child.hidden = "text", "", True
                child.content, child.markup = "", ""
    return Markup(made.renderer.render(tokens, made.options, {}))
