"""Prose in the documents is at most 100 columns wide; `python tests/wrapping.py` makes it so.

Only paragraphs and list items that are too wide are touched. Tables, headings and code stay as they
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
READ_OTHERWISE = re.compile(r"([-*+>|#=]|\d+[.)])")  # at the start of a line, these mean something


@dataclass
class Piece:
    """Lines that belong together: a paragraph or an item of a list, or lines to leave alone."""

    number: int
    prose: bool
    lines: list[str] = field(default_factory=list)

    @property
    def too_wide(self) -> bool:
        """Is there a line that is too wide and could be broken?"""
        return self.prose and any(len(line) > WIDTH and _breakable(line) for line in self.lines)


def pieces(text: str) -> Iterator[Piece]:
    """A page, cut into its pieces."""
    piece, in_list, fenced = Piece(1, False), False, False
    for number, line in enumerate(text.split("\n"), start=1):
        fenced ^= line.lstrip().startswith("```")
        alone = fenced or _is_left_alone(line, in_list and not _begins_code(piece, line))
        begins = alone or not piece.prose or bool(ITEM.match(line))
        if not fenced and line.strip() and not line.startswith(" "):
            in_list = bool(ITEM.match(line))
        if begins:
            yield piece
            piece = Piece(number, not alone)
        piece.lines.append(line)
    yield piece


def _begins_code(before: Piece, line: str) -> bool:
    """In a list, eight spaces after an empty line; elsewhere four do."""
    return not before.prose and line.startswith(" " * 8)


def _is_left_alone(line: str, in_list: bool) -> bool:
    if not line.strip() or re.match(r"\s*(```|\||#)", line):
        return True
    return line.startswith("    ") and not in_list


def _breakable(line: str) -> bool:
    item = ITEM.match(line)
    return len(WORD.findall(line[item.end() if item else 0 :])) > 1


def wrapped(piece: Piece) -> list[str]:
    """The same words in lines that are narrow enough."""
    item = ITEM.match(piece.lines[0])
    first = item.group() if item else re.match(r"\s*", piece.lines[0]).group()  # type: ignore[union-attr]
    further = " " * len(first)
    words = WORD.findall("\n".join(piece.lines)[len(first) :])
    lines, line = [], first + words[0]
    for word in words[1:]:
        if len(line) + 1 + len(word) > WIDTH and not READ_OTHERWISE.fullmatch(word):
            lines.append(line)
            line = further + word
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
