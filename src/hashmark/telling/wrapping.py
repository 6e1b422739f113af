"""Lines for a narrow screen: broken between words, never in the middle of one."""

from __future__ import annotations

import textwrap

CUT = " ..."


def wrapped(line: str, width: int, indent: int | None = None) -> list[str]:
    """The line in pieces that fit; what follows the first is indented, by 2 more than it is."""
    if len(line) <= width:
        return [line]
    deeper = len(line) - len(line.lstrip()) + 2 if indent is None else indent
    room = width - max(map(len, line.split()), default=0)
    pieces = textwrap.wrap(
        line,
        width,
        subsequent_indent=" " * max(0, min(deeper, width // 2, room)),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return pieces or [""]


def cut(line: str, width: int) -> str:
    """The line, or as many of its words as fit."""
    if len(line) <= width:
        return line
    words = line[: max(1, width - len(CUT) + 1)]
    return words[: words.rindex(" ")].rstrip(" ;,:") + CUT if " " in words.strip() else words


def in_columns(entries: list[str], width: int) -> list[str]:
    """Entries in as many columns as fit, read downwards."""
    if not entries:
        return []
    widest = max(map(len, entries)) + 2
    count = max(1, (width + 2) // widest)
    rows = -(-len(entries) // count)
    lines = []
    for row in range(rows):
        lines.append("".join(entry.ljust(widest) for entry in entries[row::rows]).rstrip())
    return lines
