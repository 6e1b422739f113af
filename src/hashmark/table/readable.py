"""Sanitizing of foreign text: no control characters for a terminal, and no endless lines.

Names, cells and options come from files and command lines and may hold anything. Terminal output
passes through `escape_controls`, every error message through `one_line`, and a value that an error
quotes through `quote`.
"""

from __future__ import annotations

import re

LONGEST_WORD = 400  # a path may be long; endless digits are not worth reading
LONGEST_SENTENCE = 1200
LONGEST_QUOTE = 120
PLUS_MINUS = "±"

# Control characters except line ends and tabs; bidirectional and invisible marks; line and
# paragraph separators; surrogates, as in file names that are not valid text.
_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_LONG_WORD = re.compile(rf"\S{{{LONGEST_WORD},}}")
_LINE_BREAKS = re.compile(r"\s*\n\s*")


def readable(text: str) -> str:
    """Escape all characters that would control a terminal, as JSON does."""
    return _CONTROL.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def spelled(text: str, encoding: str | None) -> str:
    """Replace plus-minus by `+-` where the encoding lacks it."""
    if PLUS_MINUS not in text:
        return text
    try:
        PLUS_MINUS.encode(encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return text.replace(PLUS_MINUS, "+-")
    return text


def sentence(text: str) -> str:
    """Return the text as one line of limited length."""
    if len(text) < LONGEST_WORD and text.isascii() and text.isprintable():
        return text.strip()
    line = _LINE_BREAKS.sub(" ", readable(text)).strip()
    line = _LONG_WORD.sub(lambda match: middle_out(match[0], LONGEST_WORD), line)
    return middle_out(line, LONGEST_SENTENCE)


def shown(value: object) -> str:
    """Return the repr of a value for an error message, cut if it is long."""
    try:
        text = repr(value)
    except ValueError:  # Python refuses to print integers of more than some thousand digits
        text = "a number without end"
    except RecursionError:
        text = "a value nested too deeply"
    return middle_out(text, LONGEST_QUOTE)


def plain(text: str) -> str:
    """Return a text for an error message without quotation marks, cut if it is long."""
    return middle_out(text, LONGEST_QUOTE)


def middle_out(text: str, most: int) -> str:
    """Cut the middle out of a text that is too long."""
    if len(text) <= most:
        return text
    return f"{text[: most * 2 // 3]} ... {text[-most // 4 :]}"
