"""Layout of the blocks of a sheet on paper.

Every block becomes *pieces* that are never broken: a line of a note, a row of a table.
`pagination` fills pages with them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hashmark.reports.shapes import ANCHOR_SHARES, Anchor
from hashmark.reports.text_cleaning import one_line, printable
from hashmark.reports.text_width import drawable, text_width, truncate_text, wrap_text
from hashmark.sheets.column_widths import TextSizes, column_widths
from hashmark.sheets.document import (
    Block,
    Box,
    Boxes,
    BoxRow,
    Card,
    Cards,
    Cell,
    Column,
    Columns,
    Entries,
    Field,
    Heading,
    Note,
    Table,
    to_fractions,
)
from hashmark.sheets.field_drawing import Area, Stroke, Tone, draw_field, field_height, rectangle

if TYPE_CHECKING:
    from hashmark.sheets.pdf import Pen

BLOCK_GAP_MM = 3.2  # mm between blocks
TEXT_SIZE_MM = 3.1  # mm: size of normal letters
MAX_ROW_LINES = 24  # of a table row; a longer one is broken into several


@dataclass(frozen=True)
class LayoutPiece:
    """Unbreakable part of a page: its height and how it is drawn at a place."""

    height: float
    draw: Callable[[Pen, float, float], None]
    head: LayoutPiece | None = None  # repeated above the piece where it begins a page
    with_next: bool = False  # never the last on a page
    is_gap: bool = False  # omitted at the top of a page


@dataclass(frozen=True)
class Room:
    """Available room of a block: its width, a page's height, and the scale of the rows."""

    width: float
    height: float
    scale: float

    def column(self, share: float, gaps: float = 0) -> Room:
        return Room(max(4.0, (self.width - gaps) * share), self.height, self.scale)

    @property
    def letter_size(self) -> float:
        """Return the size of letters: smaller with low rows, but never larger than normal."""
        return TEXT_SIZE_MM * min(1.0, max(0.8, self.scale))


def stack(blocks: Sequence[Block], room: Room) -> list[LayoutPiece]:
    """Return blocks below each other, a gap between any two."""
    pieces: list[LayoutPiece] = []
    for block in blocks:
        if pieces and not pieces[-1].with_next:
            pieces.append(_gap(BLOCK_GAP_MM * min(1.0, room.scale)))
        pieces += _block(block, room)
    return pieces


def _block(block: Block, room: Room) -> list[LayoutPiece]:
    match block:
        case Heading(text):
            return _heading(text, room)
        case Note():
            return _note(block, room)
        case Entries():
            return [_entries(block, room)]
        case Table():
            return [*_heading(block.title, room), *_table(block, room)]
        case Boxes():
            return [*_heading(block.title, room), *_boxes(block, room)]
        case Field():
            return [_field(block, room)]
        case Cards():
            return [_cards(row, block, room) for row in block.rows()]
        case Columns():
            return _columns(block, room)


def _gap(height: float) -> LayoutPiece:
    return LayoutPiece(height, lambda pen, x, y: None, is_gap=True)


def _columns(block: Columns, room: Room) -> list[LayoutPiece]:
    """Return columns side by side; columns taller than a page are stacked instead."""
    gap = 6.0
    rooms = [room.column(share, gap * (len(block.columns) - 1)) for share in block.widths]
    column_pieces = [
        stack(blocks, column_room) for blocks, column_room in zip(block.columns, rooms, strict=True)
    ]
    heights = [sum(piece.height for piece in pieces) for pieces in column_pieces]
    if max(heights, default=0) > room.height:
        return stack([inner for blocks in block.columns for inner in blocks], room)

    def draw(pen: Pen, x: float, y: float) -> None:
        for pieces, column_room in zip(column_pieces, rooms, strict=True):
            piece_y = y
            for piece in pieces:
                piece.draw(pen, x, piece_y)
                piece_y += piece.height
            x += column_room.width + gap

    return [LayoutPiece(max(heights, default=0), draw)]


# --- Text --------------------------------------------------------------------------------


def _heading(text: str, room: Room) -> list[LayoutPiece]:
    size = 3.5
    lines = wrap_text(drawable(one_line(text)), room.width, size, True) if one_line(text) else []
    return [_line(line, size, 5.2, bold=True, with_next=True) for line in lines]


def _note(note: Note, room: Room) -> list[LayoutPiece]:
    size = 2.5 if note.small else TEXT_SIZE_MM
    lines = wrap_text(drawable(printable(note.text)), room.width, size)
    return [_line(line, size, size * 1.35, soft=note.small) for line in lines]


def _line(
    text: str,
    size: float,
    height: float,
    *,
    bold: bool = False,
    soft: bool = False,
    with_next: bool = False,
) -> LayoutPiece:
    def draw(pen: Pen, x: float, y: float) -> None:
        pen.text(x, y + size, text, size, bold=bold, tone="soft" if soft else "ink")

    return LayoutPiece(height, draw, with_next=with_next)


def _entries(block: Entries, room: Room) -> LayoutPiece:
    """Return labels with their text on a line."""
    gap, height, size = 5.0, 6.0, TEXT_SIZE_MM

    def draw(pen: Pen, x: float, y: float) -> None:
        base = y + height - 1.6
        shares = to_fractions([entry.width for entry in block.entries])
        for entry, share in zip(block.entries, shares, strict=True):
            width = room.column(share, gap * (len(shares) - 1)).width
            label = truncate_text(drawable(one_line(entry.label)), width * 0.6, size)
            pen.text(x, base, label, size, tone="soft")
            start = x + text_width(label, size) + (1.5 if label else 0)
            text = truncate_text(drawable(one_line(entry.text)), x + width - start, size, True)
            pen.text(start + 0.5, base, text, size, bold=True)
            pen.draw(Stroke([(start, base + 0.9), (x + width, base + 0.9)], 0.2, "soft"))
            x += width + gap

    return LayoutPiece(height, draw)


# --- Boxes -------------------------------------------------------------------------------


def _boxes(block: Boxes, room: Room) -> list[LayoutPiece]:
    """Return a piece for each line of boxes; the labels have a column of their own."""
    size = room.letter_size
    box_side = 6.4 * min(1.1, room.scale)
    labels = [drawable(one_line(row.label)) for row in block.rows]
    label_room = min(
        max((text_width(label, size) for label in labels), default=0) + 2, room.width / 3
    )
    if not any(labels):
        label_room = 0
    box_side = min(box_side, _max_box_side(block, room.width - label_room))
    pieces = []
    for row, label in zip(block.rows, labels, strict=True):
        text = truncate_text(label, label_room - 1, size)
        for line in _box_lines(row, box_side, room.width - label_room):
            pieces.append(_box_line(line, text, label_room, box_side, size))
            text = ""
        if not row.boxes:
            pieces.append(_line(text, size, box_side))
        pieces.append(_gap(1.2))
    return pieces[:-1]


def _max_box_side(block: Boxes, width: float) -> float:
    """Return the largest side at which every row with `per_row` has its boxes on one line."""
    longest = max(
        (
            sum(box.width for box in row.boxes[start : start + row.per_row])
            for row in block.rows
            if row.per_row
            for start in range(0, len(row.boxes), row.per_row)
        ),
        default=1,
    )
    return max(2.5, width / longest)


def _box_lines(row: BoxRow, side: float, width: float) -> list[list[Box]]:
    lines: list[list[Box]] = []
    room = 0.0
    for item in row.boxes:
        full = bool(lines) and (len(lines[-1]) == row.per_row or item.width * side > room + 0.01)
        if not lines or full:
            lines.append([])
            room = width
        lines[-1].append(item)
        room -= item.width * side
    return lines


def _box_line(
    boxes: Sequence[Box], label: str, indent: float, side: float, size: float
) -> LayoutPiece:
    def draw(pen: Pen, x: float, y: float) -> None:
        pen.text(x, y + side / 2 + size * 0.35, label, size)
        x += indent
        for item in boxes:
            _draw_box(pen, item, x, y, item.width * side, side)
            x += item.width * side

    return LayoutPiece(side, draw)


def _draw_box(pen: Pen, item: Box, x: float, y: float, width: float, height: float) -> None:
    text = drawable(one_line(item.text))
    if item.style == "shaded":
        pen.draw(Area(rectangle(x, y, width, height), "ground"))
    elif item.style == "crossed":
        _cross(pen, x, y, width, height, "faint" if text else "ink")
    elif item.style == "ticked":
        _tick(pen, x + (width - height if text else (width - height) / 2), y, height)
    elif item.style == "current":
        pen.draw(Stroke(rectangle(x + 0.6, y + 0.6, width - 1.2, height - 1.2), 0.6))
    room = width - 1 - (height * 0.6 if item.style == "ticked" else 0)
    _box_text(pen, text, x + 0.5 + room / 2, y + height / 2, room, min(height * 0.48, TEXT_SIZE_MM))
    pen.draw(Stroke(rectangle(x, y, width, height), 0.2, "soft"))


def _box_text(pen: Pen, text: str, x: float, y: float, room: float, size: float) -> None:
    """Draw text in the middle of a box, smaller or shortened if it does not fit."""
    while size > 1.6 and text_width(text, size) > room:
        size -= 0.1
    pen.text(x, y + size * 0.35, truncate_text(text, room, size), size, anchor="middle")


def _cross(pen: Pen, x: float, y: float, width: float, height: float, tone: Tone) -> None:
    weight = 0.35 if tone == "ink" else 0.6
    pen.draw(Stroke([(x, y), (x + width, y + height)], weight, tone))
    pen.draw(Stroke([(x, y + height), (x + width, y)], weight, tone))


def _tick(pen: Pen, x: float, y: float, side: float) -> None:
    places = ((0.22, 0.55), (0.42, 0.76), (0.8, 0.24))
    pen.draw(Stroke([(x + px * side, y + py * side) for px, py in places], 0.5))


# --- The field ---------------------------------------------------------------------------


def _field(field: Field, room: Room) -> LayoutPiece:
    height = field_height(field, room.width, room.height * min(1.0, room.scale))
    shapes = draw_field(field, room.width, height)

    def draw(pen: Pen, x: float, y: float) -> None:
        for shape in shapes:
            pen.draw(shape, x, y)

    return LayoutPiece(height, draw)


# --- Cards -------------------------------------------------------------------------------


def _cards(row: Sequence[Card], block: Cards, room: Room) -> LayoutPiece:
    """Return one row of cards, each within dashed lines to cut along."""
    width, height = room.width / block.per_row, min(block.height, room.height)

    def draw(pen: Pen, x: float, y: float) -> None:
        for card in row:
            _draw_card(pen, card, x, y, width, height)
            x += width

    return LayoutPiece(height, draw)


def _draw_card(pen: Pen, card: Card, x: float, y: float, width: float, height: float) -> None:
    """Draw the sign large in the upper half, the name below it, then the text."""
    pen.draw(Stroke(rectangle(x, y, width, height), 0.2, "soft", (2.0, 1.5)))
    middle, inside, large = x + width / 2, width - 8, min(width, height) * 0.42
    sign = truncate_text(drawable(one_line(card.sign)), inside, large, True)
    pen.text(middle, y + height * 0.47, sign, large, bold=True, anchor="middle")
    name = truncate_text(drawable(one_line(card.name)), inside, 4.6, True)
    pen.text(middle, y + height * 0.63, name, 4.6, bold=True, anchor="middle")
    line_y = y + height * 0.63 + 5.4
    for line in wrap_text(drawable(printable(card.text)), inside, 2.8):
        if line_y > y + height - 2:
            break
        pen.text(middle, line_y, line, 2.8, anchor="middle", tone="soft")
        line_y += 3.8


# --- Tables ------------------------------------------------------------------------------

DENSE_ROW_MM = 3.45  # mm: height of a row of a dense table
CELL_PADDING_MM = 1.0  # mm between a cell's text and its lines
HEAD_SIZE_MM = 2.7  # mm: size of the letters of a heading


@dataclass(frozen=True)
class _TableGeometry:
    """Geometry of a table: its columns, their widths, the size of its letters and rows."""

    columns: Sequence[Column]
    widths: Sequence[float]
    size: float
    row: float

    def lines(self, cell: Cell, index: int, bold: bool) -> list[str]:
        text = drawable(printable(cell.text))
        return wrap_text(text, self.widths[index] - 2 * CELL_PADDING_MM, self.size, bold)


def _table(table: Table, room: Room) -> list[LayoutPiece]:
    if not table.columns:
        return []
    row = (6.4 if table.is_for_pencil else 4.7) * room.scale
    if table.dense:
        row = DENSE_ROW_MM
    size = min(room.letter_size, row * (0.67 if table.dense else 0.62))
    widths = column_widths(
        table, room.width, TextSizes(size, min(size, HEAD_SIZE_MM), CELL_PADDING_MM)
    )
    grid = _TableGeometry(table.columns, widths, size, row)
    head = _head(grid)
    pieces = [head] if head else []
    for number, cells in enumerate(table.filled()):
        pieces += _row(grid, cells, number % 2 == 1, head)
    return pieces


def _head(grid: _TableGeometry) -> LayoutPiece | None:
    """Return the headings, each on as many lines as it needs, small and bold on a gray ground."""
    if not any(column.heading.strip() for column in grid.columns):
        return None
    small = _TableGeometry(grid.columns, grid.widths, min(grid.size, HEAD_SIZE_MM), grid.row)
    cells = [
        small.lines(Cell(column.heading), index, True) for index, column in enumerate(grid.columns)
    ]
    height = max(grid.row, max(map(len, cells)) * small.size * 1.2 + 1.4)

    def draw(pen: Pen, x: float, y: float) -> None:
        pen.draw(Area(rectangle(x, y, sum(grid.widths), height), "ground"))
        for lines, column, width in zip(cells, grid.columns, grid.widths, strict=True):
            _draw_cell(pen, lines, column, (x, y, width, height), small.size, bold=True)
            x += width

    return LayoutPiece(height, draw, with_next=True)


def _row(
    grid: _TableGeometry, cells: Sequence[Cell], banded: bool, head: LayoutPiece | None
) -> list[LayoutPiece]:
    """Return a row as one piece; a very long one as several."""
    lines = [grid.lines(cell, index, cell.style == "strong") for index, cell in enumerate(cells)]
    pieces = []
    for start in range(0, max(map(len, lines)), MAX_ROW_LINES):
        part = [texts[start : start + MAX_ROW_LINES] for texts in lines]
        pieces.append(_row_part(grid, cells, part, banded, head))
    return pieces


def _row_part(
    grid: _TableGeometry,
    cells: Sequence[Cell],
    lines: list[list[str]],
    banded: bool,
    head: LayoutPiece | None,
) -> LayoutPiece:
    room = 0.5 if grid.row == DENSE_ROW_MM else 1.0
    height = max(grid.row, max(map(len, lines)) * grid.size * 1.25 + room)

    def draw(pen: Pen, x: float, y: float) -> None:
        if banded and len(grid.columns) > 4:
            pen.draw(Area(rectangle(x, y, sum(grid.widths), height), "band"))
        for cell, texts, column, width in zip(cells, lines, grid.columns, grid.widths, strict=True):
            frame = (x, y, width, height)
            if cell.style == "shaded":
                pen.draw(Area(rectangle(*frame), "ground"))
            if cell.ground:
                pen.fill_color(*frame, cell.ground)
            tone: Tone = "paper" if cell.ground == "black" else "ink"
            struck = cell.style == "struck"
            bold = cell.style == "strong"
            _draw_cell(pen, texts, column, frame, grid.size, bold=bold, struck=struck, tone=tone)
            x += width

    return LayoutPiece(height, draw, head=head)


def _draw_cell(
    pen: Pen,
    lines: Sequence[str],
    column: Column,
    frame: tuple[float, float, float, float],
    size: float,
    *,
    bold: bool = False,
    struck: bool = False,
    tone: Tone = "ink",
) -> None:
    """Draw a cell's lines in the middle of its height, and the thin lines around it."""
    x, y, width, height = frame
    anchor, text_x = _text_anchor(column, x, width)
    base = y + (height - len(lines) * size * 1.25) / 2 + size * 0.98
    for line in lines:
        pen.text(text_x, base, line, size, bold=bold, anchor=anchor, tone=tone)
        if struck and line:
            pen.draw(_strike_through(line, text_x, base - size * 0.3, size, anchor))
        base += size * 1.25
    pen.draw(Stroke(rectangle(x, y, width, height), 0.15, "soft"))


def _text_anchor(column: Column, x: float, width: float) -> tuple[Anchor, float]:
    if column.align == "right":
        return "end", x + width - CELL_PADDING_MM
    if column.align == "center":
        return "middle", x + width / 2
    return "start", x + CELL_PADDING_MM


def _strike_through(line: str, text_x: float, y: float, size: float, anchor: Anchor) -> Stroke:
    """Return the line that strikes out a text."""
    length = text_width(line, size)
    start = text_x - ANCHOR_SHARES[anchor] * length
    return Stroke([(start - 0.4, y), (start + length + 0.4, y)], 0.3)
