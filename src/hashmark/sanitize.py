"""Sanitizing of foreign text: no control characters for a terminal, and no endless lines.

Names, cells and options come from files and command lines and may hold anything. Terminal output
passes through `escape_controls`, every error message through `one_line`, and a value that an error
quotes through `quote`.
"""

from __future__ import annotations

import re

MAX_WORD_LETTERS = 400  # a path may be long; endless digits are not worth reading
MAX_MESSAGE_LETTERS = 1200
MAX_QUOTE_LETTERS = 120
PLUS_MINUS = "±"

# Control characters except line ends and tabs; bidirectional and invisible marks; line and
# paragraph separators; surrogates, as in file names that are not valid text.
_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_LONG_WORD = re.compile(rf"(?<!\S)\S{{{MAX_WORD_LETTERS},}}")


def escape_controls(text: str) -> str:
    """Escape all characters that would control a terminal, as JSON does."""
    return _CONTROL.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def replace_plus_minus(text: str, encoding: str | None) -> str:
    """Replace plus-minus by `+-` where the encoding lacks it."""
    if PLUS_MINUS not in text:
        return text
    try:
        PLUS_MINUS.encode(encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return text.replace(PLUS_MINUS, "+-")
    return text


def one_line(text: str) -> str:
    """Return the text as one line of limited length."""
    if len(text) < MAX_WORD_LETTERS and text.isascii() and text.isprintable():
        return text.strip()
    pieces = map(str.strip, escape_controls(text).split("\n"))
    line = " ".join(piece for piece in pieces if piece)
    line = _LONG_WORD.sub(lambda match: cut_middle(match[0], MAX_WORD_LETTERS), line)
    return cut_middle(line, MAX_MESSAGE_LETTERS)


def quote(value: object) -> str:
    """Return the repr of a value for an error message, cut if it is long."""
    try:
        text = repr(value)
    except ValueError:  # Python refuses to print integers of more than some thousand digits
        text = "a number without end"
    except RecursionError:
        text = "a value nested too deeply"
    return cut_middle(text, MAX_QUOTE_LETTERS)


def shorten(text: str) -> str:
    """Return a text for an error message without quotation marks, cut if it is long."""
    return cut_middle(text, MAX_QUOTE_LETTERS)


def cut_middle(text: str, max_letters: int) -> str:
    """Cut the middle out of a text that is too long."""
    if len(text) <= max_letters:
        return text
    return f"{text[: max_letters * 2 // 3]} ... {text[-max_letters // 4 :]}"
