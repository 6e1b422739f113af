"""Line breaking for narrow screens: between words, never within one."""

from __future__ import annotations

import textwrap

ELLIPSIS = " ..."
NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"


def wrap(line: str, width: int, indent: int | None = None) -> list[str]:
    """Break a line into pieces that fit; later pieces are indented, by default 2 more than the
    first. A percent sign stays with its number.
    """
    if len(line) <= width:
        return [line]
    deeper = len(line) - len(line.lstrip()) + 2 if indent is None else indent
    room = width - max(map(len, line.split()), default=0)
    pieces = textwrap.wrap(
        line.replace(" %", f"{NO_BREAK_SPACE}%"),
        width,
        subsequent_indent=" " * max(0, min(deeper, width // 2, room)),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [piece.replace(NO_BREAK_SPACE, " ") for piece in pieces] or [""]


def truncate(line: str, width: int) -> str:
    """Return the line, or as many of its words as fit, with an ellipsis."""
    if len(line) <= width:
        return line
    words = line[: max(1, width - len(ELLIPSIS) + 1)]
    return words[: words.rindex(" ")].rstrip(" ;,:") + ELLIPSIS if " " in words.strip() else words


def format_columns(entries: list[str], width: int) -> list[str]:
    """Arrange entries in as many columns as fit, read downward."""
    if not entries:
        return []
    widest = max(map(len, entries)) + 2
    column_count = max(1, (width + 2) // widest)
    row_count = -(-len(entries) // column_count)
    lines = []
    for row in range(row_count):
        lines.append("".join(entry.ljust(widest) for entry in entries[row::row_count]).rstrip())
    return lines
