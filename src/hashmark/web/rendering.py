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

    return MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")


def markdown(text: str) -> Markup:
    """Rules as they are written, for a page; no HTML of theirs, and no links out of it."""
    made = _markdown()
    tokens = made.parse(text)
    for token in tokens:
        for child in token.children or ():
            if child.type in ("link_open", "link_close", "image"):
                child.type, child.tag, child.hidden = "text", "", True
                child.content, child.markup = "", ""
    return Markup(made.renderer.render(tokens, made.options, {}))
