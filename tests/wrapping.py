"""Wrapping of the documents' prose at 100 columns; `python tests/wrapping.py` applies it.

It changes only paragraphs and list items that are too wide. Tables, headings and code stay as they
are; a piece of `code` is never broken, and no line begins so that it would be read as a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

WIDTH = 100
ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])

ITEM = re.compile(r"\s*([-*+]|\d+\.)\s+")
WORD = re.compile(r"(?:`[^`]*`|\S)+")
MARKUP = re.compile(r"([-*+>|#=]|\d+[.)])")  # has a meaning at the start of a line


@dataclass
class Piece:
    """Lines that belong together: a paragraph, a list item, or lines that stay as they are."""

    number: int
    prose: bool
    lines: list[str] = field(default_factory=list)

    @property
    def too_wide(self) -> bool:
        """Whether a line is too wide and could be broken."""
        return self.prose and any(len(line) > WIDTH and _breakable(line) for line in self.lines)


def pieces(text: str) -> Iterator[Piece]:
    """Split a page into its pieces."""
    piece, in_list, in_fence = Piece(1, False), False, False
    for number, line in enumerate(text.split("\n"), start=1):
        in_fence ^= line.lstrip().startswith("```")
        verbatim = in_fence or _is_verbatim(line, in_list and not _starts_code(piece, line))
        starts = verbatim or not piece.prose or bool(ITEM.match(line))
        if not in_fence and line.strip() and not line.startswith(" "):
            in_list = bool(ITEM.match(line))
        if starts:
            yield piece
            piece = Piece(number, not verbatim)
        piece.lines.append(line)
    yield piece


def _starts_code(before: Piece, line: str) -> bool:
    """Return whether a line starts code in a list: eight spaces after an empty line."""
    return not before.prose and line.startswith(" " * 8)


def _is_verbatim(line: str, in_list: bool) -> bool:
    if not line.strip() or re.match(r"\s*(```|\||#)", line):
        return True
    return line.startswith("    ") and not in_list


def _breakable(line: str) -> bool:
    item = ITEM.match(line)
    return len(WORD.findall(line[item.end() if item else 0 :])) > 1


def wrapped(piece: Piece) -> list[str]:
    """Return the same words in lines that are narrow enough."""
    item = ITEM.match(piece.lines[0])
    first = item.group() if item else re.match(r"\s*", piece.lines[0]).group()  # type: ignore[union-attr]
    indent = " " * len(first)
    words = WORD.findall("\n".join(piece.lines)[len(first) :])
    lines, line = [], first + words[0]
    for word in words[1:]:
        if len(line) + 1 + len(word) > WIDTH and not MARKUP.fullmatch(word):
            lines.append(line)
            line = indent + word
        else:
            line += " " + word
    return [*lines, line]


def main() -> None:
    """Wrap every page that needs it."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        lines: list[str] = []
        for piece in pieces(text):
            lines += wrapped(piece) if piece.too_wide else piece.lines
        page.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
