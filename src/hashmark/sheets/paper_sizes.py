"""Paper sizes of a printed sheet, in millimeters."""

from __future__ import annotations

from typing import Literal

from hashmark.sheets.document import Page

Paper = Literal["a4", "letter"]
PAPER_SIZES_MM: dict[Paper, tuple[float, float]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
MARGIN_MM = 12.0
HEADER_MM, FOOTER_MM = 9.0, 5.0  # heights of the title and of the page number


def paper_size(page: Page, paper: Paper) -> tuple[float, float]:
    """Return width and height of the sheet of paper, turned for a landscape page."""
    width, height = PAPER_SIZES_MM[paper]
    return (height, width) if page.landscape else (width, height)


def content_size(page: Page, paper: Paper) -> tuple[float, float]:
    """Return width and height that the blocks of a page have."""
    width, height = paper_size(page, paper)
    return width - 2 * MARGIN_MM, height - 2 * MARGIN_MM - HEADER_MM - FOOTER_MM
