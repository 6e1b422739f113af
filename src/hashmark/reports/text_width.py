"""Width of text on paper: millimeters, in the standard PDF fonts.

Sheets are laid out with it before anything is drawn, as PDF or as a web page. A letter that the
fonts lack loses its accent or becomes a question mark.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from functools import lru_cache

from hashmark.reports.font_widths import LETTER_WIDTHS
from hashmark.reports.text_cleaning import split_words

MAX_LINE_LETTERS = 2000  # of one line: no paper is wider
UNKNOWN_WIDTH = LETTER_WIDTHS["?"]
CACHED_TEXTS = 8192  # a page is measured at several scales before it is drawn
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
def _font_letter(letter: str) -> str:
    """Return the letter, or its replacement in the available fonts."""
    letter = LOOKALIKES.get(letter, letter)
    if letter in LETTER_WIDTHS:
        return letter
    plain = "".join(
        c for c in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(c)
    )
    return plain if plain and all(c in LETTER_WIDTHS for c in plain) else "?"


@lru_cache(maxsize=CACHED_TEXTS)
def drawable(text: str) -> str:
    """Return the text in letters that the fonts have."""
    composed = unicodedata.normalize("NFC", text)
    return "".join(
        letter if letter == "\n" else _font_letter(letter)
        for letter in composed
        if not unicodedata.combining(letter)
    )


@lru_cache(maxsize=CACHED_TEXTS)
def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return the width of drawable text; width and font size are in millimeters."""
    return 0.001 * sum(LETTER_WIDTHS.get(letter, UNKNOWN_WIDTH)[bold] for letter in text) * size


def wrap_text(text: str, width: float, size: float, bold: bool = False) -> list[str]:
    """Wrap drawable text to lines of at most this width; a word that is too long is broken."""
    lines = []
    for paragraph in text.split("\n"):
        line = ""
        for word in split_words(paragraph):
            longer = f"{line} {word}" if line else word
            if text_width(longer, size, bold) <= width:
                line = longer
                continue
            if line:
                lines.append(line)
            *full, line = _break_word(word, width, size, bold)
            lines += full
        lines.append(line)
    return lines


def _break_word(word: str, width: float, size: float, bold: bool) -> list[str]:
    pieces = [""]
    for letter in word:
        if pieces[-1] and text_width(pieces[-1] + letter, size, bold) > width:
            pieces.append("")
        pieces[-1] += letter
    return pieces


def truncate_text(text: str, width: float, size: float, bold: bool = False) -> str:
    """Cut drawable text to this width, with an ellipsis where letters are missing."""
    if len(text) <= MAX_LINE_LETTERS and text_width(text, size, bold) <= width:
        return text

    def too_wide(letters: int) -> bool:
        return text_width(text[:letters] + "…", size, bold) > width

    fits = bisect_left(range(1, min(len(text), MAX_LINE_LETTERS) + 1), True, key=too_wide)
    return text[:fits].rstrip() + "…" if fits else ""
