"""Score sheets: their contents (`document`), and how they are rendered for paper and screens.

A game describes its sheet as a `Document` (the hook `make_sheet` of its `Presentation`); a game
without a sheet of its own gets the default one. `text`, `html` and `pdf` render any document.
"""

from __future__ import annotations

from typing import Literal, get_args

from hashmark.engine.game import Game
from hashmark.engine.rule_set import RuleSet
from hashmark.sheets.document import Document
from hashmark.sheets.paper_sizes import Paper

SheetFormat = Literal["text", "html", "pdf"]
SHEET_FORMATS: tuple[SheetFormat, ...] = get_args(SheetFormat)
FORMAT_BY_SUFFIX: dict[str, SheetFormat] = {
    ".txt": "text",
    ".html": "html",
    ".htm": "html",
    ".pdf": "pdf",
}


def sheet_of(game: Game) -> Document:
    """Return the sheet of a game so far."""
    from hashmark.sheets import default_sheet

    make_sheet = game.rules.presentation.make_sheet or default_sheet.filled_sheet
    document: Document = make_sheet(game)
    return document


def blank_sheet(rules: RuleSet) -> Document:
    """Return a blank sheet to print and write a game on."""
    from hashmark.sheets import default_sheet

    make_sheet = rules.presentation.make_sheet
    if make_sheet is None:
        return default_sheet.blank_sheet(rules)
    document: Document = make_sheet(None)
    return document


def render(
    document: Document, sheet_format: SheetFormat = "text", paper: Paper = "a4", width: int = 100
) -> bytes:
    """Render the document as the bytes of a file; the width is that of plain text."""
    if sheet_format == "pdf":
        from hashmark.sheets import pdf

        return pdf.render(document, paper)
    if sheet_format == "html":
        from hashmark.sheets import html

        return html.render(document, paper).encode()
    from hashmark.sheets import text

    return text.render(document, width).encode()
