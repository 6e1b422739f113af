"""The templates of the server's pages, on the base that all pages share."""

from __future__ import annotations

from functools import cache
from typing import Any

from markupsafe import Markup

from hashmark.pages.environment import rendered

PACKAGE = "hashmark.web"


def page(template: str, **values: Any) -> str:
    """A whole page, or a part of one."""
    return rendered(PACKAGE, template, **values)


@cache
def _markdown() -> Any:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")


def markdown(text: str) -> Markup:
    """Rules as they are written, for a page; no HTML of theirs, and no links out of it."""
    made = _markdown()
    tokens = [token for token in made.parse(text)]
    for token in tokens:
        for child in token.children or ():
            if child.type in ("link_open", "link_close", "image"):
                child.type, child.tag, child.hidden = "text", "", True
                child.content, child.markup = "", ""
    return Markup(made.renderer.render(tokens, made.options, {}))
