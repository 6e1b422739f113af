"""Sheets as one self-contained web page that prints one sheet of paper for each page.

The template `sheet.html` draws it. This module computes what a template cannot: the width of each
frame, and with it the columns of a table and the drawing of a field.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hashmark.reports.rendering import render as render_template
from hashmark.sheets.column_widths import TextSizes, column_widths, to_percentages
from hashmark.sheets.document import Block, Columns, Document, Field, Page, Table
from hashmark.sheets.field_drawing import Shape, draw_field, field_height
from hashmark.sheets.pagination import row_scale
from hashmark.sheets.paper_sizes import MARGIN_MM, Paper, content_size

CSS_PAPER_SIZES: dict[Paper, str] = {"a4": "A4", "letter": "letter"}
NORMAL_TEXT = TextSizes(3.5, 3.05, 1.2)  # slightly more than in sheet.css: other fonts may be wider
DENSE_TEXT = TextSizes(2.85, 2.5, 1.0)


@dataclass(frozen=True)
class SizedTable:
    """Table with the width of each column in percent."""

    table: Table
    shares: Sequence[float]


@dataclass(frozen=True)
class FieldPicture:
    """Field drawn for the available room, in millimeters."""

    width: float
    height: float
    shapes: Sequence[Shape]


@dataclass(frozen=True)
class SizedColumns:
    """Columns side by side, each with its share of the width."""

    columns: Sequence[tuple[float, Sequence[SizedBlock]]]


SizedBlock = Block | SizedTable | FieldPicture | SizedColumns


def render(document: Document, paper: Paper = "a4") -> str:
    """Render the whole document as one HTML page."""
    pages = [_page(page, paper) for page in document.pages]
    return render_template(
        "sheet.html",
        title=document.title,
        pages=pages,
        size=CSS_PAPER_SIZES[paper],
        margin=MARGIN_MM,
    )


def _page(page: Page, paper: Paper) -> dict[str, object]:
    width, height = content_size(page, paper)
    scale = row_scale(page, paper)
    return {
        "wide": page.landscape,
        "scale": scale,
        "heading": page.heading,
        "blocks": _sized_blocks(page.blocks, width, height * min(1.0, scale)),
    }


def _sized_blocks(blocks: Iterable[Block], width: float, height: float) -> list[SizedBlock]:
    """Return blocks for a frame of this size in millimeters, with tables and fields sized."""
    return [_sized_block(block, width, height) for block in blocks]


def _sized_block(block: Block, width: float, height: float) -> SizedBlock:
    match block:
        case Table() if block.columns:
            letters = DENSE_TEXT if block.dense else NORMAL_TEXT
            return SizedTable(block, to_percentages(column_widths(block, width, letters)))
        case Field():
            width = max(width, 20.0)
            drawn_height = field_height(block, width, height)
            return FieldPicture(width, drawn_height, draw_field(block, width, drawn_height))
        case Columns():
            columns = zip(block.columns, block.widths, strict=True)
            return SizedColumns(
                [
                    (share, _sized_blocks(blocks, width * share - 3, height))
                    for blocks, share in columns
                ]
            )
        case _:
            return block
