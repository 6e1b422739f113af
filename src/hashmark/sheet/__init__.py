"""Score sheets: their contents (`document`), and how they are rendered for paper and screens.

A game describes its sheet as a `Document` (the hook `sheet` of its rule set); a game without a
sheet of its own gets the default one. `text`, `html` and `pdf` render any document.
"""

from __future__ import annotations

from typing import Literal, get_args

from hashmark.sheet.document import Document
from hashmark.sheet.paper import Paper
from hashmark.table.game import Game
from hashmark.table.names import by_name
from hashmark.table.rules import RuleSet

Form = Literal["text", "html", "pdf"]
FORMS: tuple[Form, ...] = get_args(Form)
SUFFIXES: dict[str, Form] = {".txt": "text", ".html": "html", ".htm": "html", ".pdf": "pdf"}


@by_name
def sheet_of(game: Game) -> Document:
    """Return the sheet of a game so far."""
    from hashmark.sheet import generic

    sheet_hook = game.rules.sheet
    document: Document = sheet_hook(game) if sheet_hook is not None else generic.filled(game)
    return document


def blank_sheet(rules: RuleSet) -> Document:
    """Return a blank sheet to print and write a game on."""
    from hashmark.sheet import generic

    sheet_hook = rules.sheet
    document: Document = sheet_hook(None) if sheet_hook is not None else generic.blank(rules)
    return document


def render(document: Document, form: Form = "text", paper: Paper = "a4", width: int = 100) -> bytes:
    """Render the document as the bytes of a file; the width is that of plain text."""
    if form == "pdf":
        from hashmark.sheet import pdf

        return pdf.render(document, paper)
    if form == "html":
        from hashmark.sheet import html

        return html.render(document, paper).encode()
    from hashmark.sheet import text

    return text.render(document, width).encode()
