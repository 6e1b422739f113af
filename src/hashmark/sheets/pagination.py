"""Pages of a sheet on paper: one sheet of paper for each page of the document, if it fits.

Pieces fill pages from the top. A page is tried with tall rows first, which suit a pencil, then with
lower ones; pieces that still do not fit continue on another sheet.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hashmark.sheets.document import Page
from hashmark.sheets.layout import LayoutPiece, Room, stack
from hashmark.sheets.paper_sizes import Paper, content_size

ROW_SCALES = (1.2, 1.1, 1.0, 0.92, 0.85, 0.78, 0.72)
OVERFLOW_SCALE = 0.85  # the scale of a page that does not fit on one sheet


def row_scale(page: Page, paper: Paper) -> float:
    """Return the largest row scale at which a page fits on one sheet, else the overflow scale."""
    width, height = content_size(page, paper)
    for scale in ROW_SCALES:
        pieces = stack(page.blocks, Room(width, height, scale))
        if sum(piece.height for piece in pieces) <= height:
            return scale
    return OVERFLOW_SCALE


def paginate(page: Page, paper: Paper) -> list[list[LayoutPiece]]:
    """Return the page's pieces on as few sheets as they need."""
    width, height = content_size(page, paper)
    room = Room(width, height, row_scale(page, paper))
    return _fill_sheets(stack(page.blocks, room), height)


def _fill_sheets(pieces: Sequence[LayoutPiece], height: float) -> list[list[LayoutPiece]]:
    """Fill sheets with pieces from top to bottom."""
    sheets: list[list[LayoutPiece]] = [[]]
    used = 0.0
    for group in _groups(pieces):
        needed = sum(piece.height for piece in group)
        if sheets[-1] and used + needed > height + 0.01:
            sheets.append([])
            used = 0.0
        if not sheets[-1]:
            while group and group[0].is_gap:
                group = group[1:]
            if group and group[0].head and len(sheets) > 1:
                group = [group[0].head, *group]
        sheets[-1] += group
        used += sum(piece.height for piece in group)
    return [sheet for sheet in sheets if sheet] or [[]]


def _groups(pieces: Iterable[LayoutPiece]) -> Iterable[list[LayoutPiece]]:
    """Yield the pieces that stay together: headings with the piece that follows."""
    group: list[LayoutPiece] = []
    for piece in pieces:
        group.append(piece)
        if not piece.with_next:
            yield group
            group = []
    if group:
        yield group
