"""Text cleaning: removal of characters that would control a page or a terminal."""

from __future__ import annotations

import unicodedata


def printable(text: str) -> str:
    """Return the text without control and formatting characters; a tab becomes a space."""
    if text.isprintable():
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\t", " ")
    return "".join(c for c in text if c == "\n" or unicodedata.category(c)[0] != "C")


def one_line(text: str) -> str:
    """Return the text on a single line."""
    return " ".join(split_words(printable(text)))


def split_words(text: str) -> list[str]:
    """Split a text at spaces and line breaks, but not at a no-break space."""
    return [word for word in text.replace("\n", " ").split(" ") if word]
