"""What may stand on a page: any text, but nothing that would steer a page or a terminal."""

from __future__ import annotations

import unicodedata


def printable(text: str) -> str:
    """The text without control and formatting characters; line breaks stay, a tab is a space."""
    if text.isprintable():
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    return "".join(c for c in text if c == "\n" or unicodedata.category(c)[0] != "C")


def one_line(text: str) -> str:
    """The text on a single line."""
    return " ".join(words(printable(text)))


def words(text: str) -> list[str]:
    """What may be broken apart: at spaces and line breaks, but not at a no-break space."""
    return [word for word in text.replace("\n", " ").split(" ") if word]
