"""How much room text takes on paper: millimetres, in the fonts that every PDF reader has.

A sheet is laid out with it before anything is drawn, whether it becomes a PDF or a web page. A
letter that the fonts do not have loses its accent or is written as a question mark.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from functools import lru_cache

from hashmark.pages.letters import words
from hashmark.pages.widths import WIDTHS

MOST_LETTERS = 2000  # of one line: no paper is wider
UNKNOWN = WIDTHS["?"]
REMEMBERED = 8192  # texts: a page is measured at several scales before it is drawn
LOOKALIKES = {
    "◀": "←",
    "◂": "←",
    "◄": "←",
    "▶": "→",
    "▸": "→",
    "►": "→",
    "☐": "❏",
    "□": "❏",
    "☑": "✓",
    "☒": "✗",
    "╳": "✕",
    "‑": "-",
    "\u202f": " ",
    "\u2009": " ",
}


@lru_cache(maxsize=4096)
def _letter(letter: str) -> str:
    """The letter, or what stands for it in the fonts there are."""
    letter = LOOKALIKES.get(letter, letter)
    if letter in WIDTHS:
        return letter
    plain = "".join(
        c for c in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(c)
    )
    return plain if plain and all(one in WIDTHS for one in plain) else "?"


@lru_cache(maxsize=REMEMBERED)
def drawable(text: str) -> str:
    """The text in letters that the fonts have."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(
        letter if letter == "\n" else _letter(letter)
        for letter in composed
        if not unicodedata.combining(letter)
    )


@lru_cache(maxsize=REMEMBERED)
def text_width(text: str, size: float, bold: bool = False) -> float:
    """The width of drawable text in millimetres; the size is the font's, in millimetres too."""
    return 0.001 * sum(WIDTHS.get(letter, UNKNOWN)[bold] for letter in text) * size


def wrapped(text: str, width: float, size: float, bold: bool = False) -> list[str]:
    """Drawable text in lines of at most this width; a word that is too long is broken."""
    lines = []
    for part in text.split("\n"):
        line = ""
        for word in words(part):
            longer = f"{line} {word}" if line else word
            if text_width(longer, size, bold) <= width:
                line = longer
                continue
            if line:
                lines.append(line)
            *full, line = _broken(word, width, size, bold)
            lines += full
        lines.append(line)
    return lines


def _broken(word: str, width: float, size: float, bold: bool) -> list[str]:
    pieces = [""]
    for letter in word:
        if pieces[-1] and text_width(pieces[-1] + letter, size, bold) > width:
            pieces.append("")
        pieces[-1] += letter
    return pieces


def shortened(text: str, width: float, size: float, bold: bool = False) -> str:
    """Drawable text cut to this width, with an ellipsis where something is missing."""
    if len(text) <= MOST_LETTERS and text_width(text, size, bold) <= width:
        return text

    def too_wide(letters: int) -> bool:
        return text_width(text[:letters] + "…", size, bold) > width

    fits = bisect_left(range(1, min(len(text), MOST_LETTERS) + 1), True, key=too_wide)
    return text[:fits].rstrip() + "…" if fits else ""
