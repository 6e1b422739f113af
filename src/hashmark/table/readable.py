"""Text that others wrote, made fit to be shown: nothing in it steers a terminal or goes on forever.

Names, cells and options come from files and command lines and may hold anything. What leaves
for a terminal passes through `readable`, the sentence of every refusal through `sentence`, and
a value that a refusal quotes through `shown`.
"""

from __future__ import annotations

import re

LONGEST_WORD = 400  # a path may be long; digits without end are not worth reading
LONGEST_SENTENCE = 1200
LONGEST_QUOTE = 120
PLUS_MINUS = "±"

# Control characters but line ends and tabs; marks that turn the direction of writing or show
# nothing; line and paragraph separators; halves of characters, as in file names that are not text.
_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_WORD = re.compile(rf"\S{{{LONGEST_WORD},}}")
_BREAKS = re.compile(r"\s*\n\s*")


def readable(text: str) -> str:
    """The text with everything that would steer a terminal written out, as JSON writes it."""
    return _STEERING.sub(_written_out, text)


def _written_out(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def spelled(text: str, encoding: str | None) -> str:
    """The text in letters that an encoding has: `+-` where it cannot say plus-minus."""
    if PLUS_MINUS not in text:
        return text
    try:
        PLUS_MINUS.encode(encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return text.replace(PLUS_MINUS, "+-")
    return text


def sentence(text: str) -> str:
    """The text as one line of bearable length."""
    if len(text) < LONGEST_WORD and text.isascii() and text.isprintable():
        return text.strip()
    line = _BREAKS.sub(" ", readable(text)).strip()
    line = _WORD.sub(lambda found: middle_out(found[0], LONGEST_WORD), line)
    return middle_out(line, LONGEST_SENTENCE)


def shown(value: object) -> str:
    """A value as a refusal quotes it: as Python writes it, cut if it is long."""
    try:
        written = repr(value)
    except ValueError:  # Python does not write out whole numbers beyond some thousand digits
        written = "a number without end"
    except RecursionError:
        written = "a value nested too deeply"
    return middle_out(written, LONGEST_QUOTE)


def plain(text: str) -> str:
    """A text as a refusal quotes it without quotation marks."""
    return middle_out(text, LONGEST_QUOTE)


def middle_out(text: str, most: int) -> str:
    """The text, if it is too long its beginning and its end."""
    if len(text) <= most:
        return text
    return f"{text[: most * 2 // 3]} ... {text[-most // 4 :]}"
