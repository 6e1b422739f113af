"""Sheets as plain text for a terminal: box drawing characters, no colors, no escapes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from rich.cells import cell_len, chop_cells

from hashmark.reports.text_cleaning import one_line, printable, split_words
from hashmark.sheets.document import (
    Align,
    Block,
    Box,
    Boxes,
    BoxRow,
    Cards,
    Cell,
    Column,
    Columns,
    Document,
    Entries,
    Field,
    Heading,
    Note,
    Page,
    Table,
    to_fractions,
)
from hashmark.sheets.field_strip import render_field

DEFAULT_WIDTH = 100
MIN_COLUMN_LETTERS = 4  # narrower columns make a table wider than the page instead
COLUMN_GAP = "   "  # between blocks side by side


def render(document: Document, width: int = DEFAULT_WIDTH) -> str:
    """Render the whole document, its pages one after the other."""
    pages = [_page(document.title, page, width) for page in document.pages]
    return "\n\n\n".join("\n".join(line.rstrip() for line in page) for page in pages) + "\n"


def _page(title: str, page: Page, width: int) -> list[str]:
    head = [one_line(text) for text in (title, page.heading) if one_line(text)]
    lines = _wrap(" · ".join(head), width)
    return [*lines, "═" * max(map(cell_len, lines), default=0), "", *_stack(page.blocks, width)]


def _stack(blocks: Sequence[Block], width: int) -> list[str]:
    """Return blocks below each other with an empty line between; a heading has none below it."""
    lines: list[str] = []
    for block in blocks:
        lines += _block(block, width)
        if not isinstance(block, Heading):
            lines.append("")
    return lines[:-1] if lines and not lines[-1] else lines


def _block(block: Block, width: int) -> list[str]:
    match block:
        case Heading(text):
            return _heading(text, width)
        case Note(text):
            return [line for part in printable(text).split("\n") for line in _wrap(part, width)]
        case Entries():
            return _entries(block, width)
        case Table():
            return [*_heading(block.title, width), *_table(block, width)]
        case Boxes():
            return [*_heading(block.title, width), *_boxes(block, width)]
        case Field():
            return render_field(block, width)
        case Cards():
            return _cards(block, width)
        case Columns():
            return _columns(block, width)


def _heading(text: str, width: int) -> list[str]:
    lines = _wrap(one_line(text), width) if one_line(text) else []
    return [*lines, "─" * max(map(cell_len, lines))] if lines else []


# --- Text ------------------------------------------------------------------------------


def _wrap(text: str, width: int) -> list[str]:
    """Return the text in lines of at most this width; a word that is too long is broken."""
    width = max(width, 2)  # a letter can be two cells wide
    lines, line = [], ""
    for word in split_words(text):
        if line and cell_len(line) + 1 + cell_len(word) <= width:
            line += " " + word
            continue
        if line:
            lines.append(line)
        *full, line = chop_cells(word, width) if cell_len(word) > width else [word]
        lines += full
    return [*lines, line]


def _pad(text: str, width: int, align: Align = "left") -> str:
    """Pad the text with spaces to the width."""
    spare = max(0, width - cell_len(text))
    before = {"left": 0, "center": spare // 2, "right": spare}[align]
    return " " * before + text + " " * (spare - before)


# --- Entries and boxes -----------------------------------------------------------------


def _entries(block: Entries, width: int) -> list[str]:
    """Return labels with their text, or with a line to write on."""
    texts = []
    for entry, share in zip(
        block.entries, to_fractions([e.width for e in block.entries]), strict=True
    ):
        label, text = one_line(entry.label), one_line(entry.text)
        room = max(6, int(width * share) - cell_len(label) - 3)
        texts.append(f"{label} {text or '_' * room}".strip())
    joined = "  ".join(texts)
    if cell_len(joined) <= width:
        return [joined]
    return [line for entry_text in texts for line in _wrap(entry_text, width)]


_BOX_SIDES = {"crossed": "//", "current": "()", "shaded": "{}"}


def _box(box: Box, width: int) -> str:
    """Return a box with this inner width: [3], crossed off /3/, the current one (3)."""
    if box.style == "crossed" and not one_line(box.text):
        return "[" + "X" * width + "]"
    sides = _BOX_SIDES.get(box.style, "[]")
    return sides[0] + _pad(_box_text(box), width, "center") + sides[1]


def _box_text(box: Box) -> str:
    text = one_line(box.text)
    if box.style == "ticked":
        return text + "✓"
    return text or " "


def _boxes(block: Boxes, width: int) -> list[str]:
    labels = [one_line(row.label) for row in block.rows]
    room = min(max(map(cell_len, labels), default=0), width // 3)
    indent = " " if room else ""
    inner = max((_min_box_width(box) for row in block.rows for box in row.boxes), default=1)
    lines = []
    for row, label in zip(block.rows, labels, strict=True):
        boxes = _box_lines(row, inner, width - room - len(indent))
        label_lines = _wrap(label, max(1, room)) if label else []
        for text, box_line in zip_longest(label_lines, boxes, fillvalue=""):
            lines.append(_pad(text, room) + indent + box_line)
    return lines


def _min_box_width(box: Box) -> int:
    """Return the width that a box of normal width would need for this text."""
    return math.ceil(cell_len(_box_text(box)) / box.width)


def _box_lines(row: BoxRow, inner: int, width: int) -> list[str]:
    """Return a row's boxes, broken after `per_row` of them or where the line is full."""
    lines, line, count = [], "", 0
    for box in row.boxes:
        box_text = _box(box, math.ceil(inner * box.width))
        if line and (count == row.per_row or cell_len(line) + cell_len(box_text) > width):
            lines.append(line)
            line, count = "", 0
        line, count = line + box_text, count + 1
    return [*lines, line] if line else lines


# --- Tables ----------------------------------------------------------------------------


def _cell_lines(cell: Cell) -> list[str]:
    """Return the lines of a cell; struck text is shown between tildes."""
    text = printable(cell.text)
    if cell.style == "struck" and text:
        text = f"~{text}~"
    return [one_line(line) for line in text.split("\n")]


def _head_and_body(table: Table) -> tuple[list[list[str]], list[list[list[str]]]]:
    """Return the lines of each heading, and of each cell of each row."""
    head = [_cell_lines(Cell(column.heading)) for column in table.columns]
    return head, [[_cell_lines(cell) for cell in row] for row in table.filled()]


def _table(table: Table, width: int) -> list[str]:
    if not table.columns:
        return []
    head, body = _head_and_body(table)
    widths = _tighten(_widths(table, head, body, width - 3 * len(table.columns) - 1), [head, *body])
    aligns = [column.align for column in table.columns]
    lines = [_rule("┌┬┐", widths)]
    if any(any(text) for text in head):
        lines += [*_row(head, widths, aligns), _rule("├┼┤", widths)]
    for row in body:
        lines += _row(row, widths, aligns)
    return [*lines, _rule("└┴┘", widths)]


def _widths(
    table: Table, head: list[list[str]], body: list[list[list[str]]], room: int
) -> list[int]:
    """Return the letters of each column: what it needs, more to write in, less on a narrow page."""
    cells = [[line for row in body for line in row[index]] for index in range(len(head))]
    widths = _longest_texts(head, cells)
    for least in (
        _longest_texts(_split_words(head), cells),
        _longest_texts(_split_words(head), _split_words(cells)),
        [MIN_COLUMN_LETTERS] * len(head),
    ):
        widths = _shrink(widths, least, room)
    if table.is_for_pencil:
        shares = [int(room * part) for part in to_fractions([c.width for c in table.columns])]
        widths = _shrink(list(map(max, widths, shares)), widths, room)
    return widths


def _tighten(widths: list[int], rows: list[list[list[str]]]) -> list[int]:
    """Give the width that wrapped columns do not use to the column that is wrapped most."""
    columns = list(zip(*rows, strict=True))
    lines = [
        [line for cell in column for text in cell for line in _wrap(text, width)]
        for column, width in zip(columns, widths, strict=True)
    ]
    wrapped = [
        len(broken) - sum(map(len, column)) for broken, column in zip(lines, columns, strict=True)
    ]
    if not any(wrapped):
        return widths
    used = [
        max(map(cell_len, broken)) if is_wrapped else width
        for broken, is_wrapped, width in zip(lines, wrapped, widths, strict=True)
    ]
    used[wrapped.index(max(wrapped))] += sum(widths) - sum(used)
    return used


def _unbroken_width(table: Table) -> int:
    """Return the width at which a table breaks no word."""
    head, body = _head_and_body(table)
    cells = [[line for row in body for line in row[index]] for index in range(len(head))]
    return sum(_longest_texts(_split_words(head), _split_words(cells))) + 3 * len(head) + 1


def _split_words(columns: list[list[str]]) -> list[list[str]]:
    """Return the single words of each column."""
    return [[word for line in lines for word in split_words(line)] for lines in columns]


def _longest_texts(heads: Iterable[list[str]], cells: Iterable[list[str]]) -> list[int]:
    """Return the length of the longest text of each column."""
    return [
        max([1, *map(cell_len, [*head, *texts])]) for head, texts in zip(heads, cells, strict=True)
    ]


def _shrink(widths: list[int], least: list[int], room: int) -> list[int]:
    """Shrink the widest columns, down to their minimums, until the row fits."""
    widths = list(widths)
    while sum(widths) > room:
        shrinkable = [index for index, width in enumerate(widths) if width > least[index]]
        if not shrinkable:
            break
        widths[max(shrinkable, key=lambda index: widths[index])] -= 1
    return widths


def _rule(ends: str, widths: Sequence[int]) -> str:
    return ends[0] + ends[1].join("─" * (width + 2) for width in widths) + ends[2]


def _row(cells: list[list[str]], widths: list[int], aligns: list[Align]) -> list[str]:
    wrapped = [
        [line for text in cell for line in _wrap(text, width)]
        for cell, width in zip(cells, widths, strict=True)
    ]
    rows = zip_longest(*wrapped, fillvalue="")
    return ["│ " + " │ ".join(map(_pad, row, widths, aligns)) + " │" for row in rows]


# --- Cards -------------------------------------------------------------------------------


def _cards(block: Cards, width: int) -> list[str]:
    """Return the cards as a table, a cell for each."""
    texts = [[f"{card.sign}\n{card.name}\n{card.text}" for card in row] for row in block.rows()]
    columns = [Column("", align="center") for _ in range(block.per_row)]
    return _table(Table(columns, texts), width)


# --- Blocks side by side -----------------------------------------------------------------


def _columns(block: Columns, width: int) -> list[str]:
    """Return columns side by side if each keeps to its width and no word breaks, else stacked."""
    room = width - len(COLUMN_GAP) * (len(block.columns) - 1)
    widths = [max(1, int(room * share)) for share in block.widths]
    column_lines = [
        _stack(blocks, column_width)
        for blocks, column_width in zip(block.columns, widths, strict=True)
    ]
    fits = all(
        cell_len(line) <= column_width
        for lines, column_width in zip(column_lines, widths, strict=True)
        for line in lines
    )
    unbroken = all(
        _unbroken_width(inner) <= column_width
        for blocks, column_width in zip(block.columns, widths, strict=True)
        for inner in blocks
        if isinstance(inner, Table)
    )
    if not fits or not unbroken or (widths and min(widths) < 16):
        return _stack([inner for blocks in block.columns for inner in blocks], width)
    rows = zip_longest(*column_lines, fillvalue="")
    return [COLUMN_GAP.join(map(_pad, row, widths)) for row in rows]
