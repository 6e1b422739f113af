"""Limits of foreign text, checked by one linear pass before a parser builds anything from it.

A parser may need far more time and memory than its input is long: in `tomllib` a key of 10,000
parts takes 400 MB, and in `json` nested lists overflow the stack. Each function here reads a text
once without building a tree, and raises `InvalidText` for a text beyond a limit. Text within the
limits costs its parser time and memory in proportion to its length; `tests/fuzz/costs.py` measures
this.

The limits are far above every honest file. The largest value in the files that we ship stands
beside each.
"""

from __future__ import annotations

import re

MAX_DIGITS = 40  # of a number; 20 for an integer of 64 bits

MAX_JSON_DEPTH = 50  # nesting of lists and objects; scenarios: 6

MAX_TOML_LETTERS = 1 << 20  # charts: 230,547
MAX_TOML_DEPTH = 10  # brackets within brackets; plans: 2
MAX_KEY_PARTS = 8  # of a dotted key or a table header; charts: 5
MAX_TOML_WORD_LETTERS = 100  # of a bare key or a number; charts: 16
MAX_TOML_TABLES = 5000  # headers, inline tables and dots of keys; charts: 1,187
MAX_TOML_VALUES = 150_000  # charts: 32,853

MAX_LOG_LINES = 6_000  # a game of 4 quarters: 510; with real dice some 2,200
MAX_LOG_LINE_BYTES = 1 << 17  # a header with two real plans: 12,000
MAX_LOG_BRACKETS_PER_LINE = 8  # on average; 3.5 in the log of a game
MAX_HEADER_BRACKETS = 1000  # allowed on top of these


class InvalidText(ValueError):
    """Text that is not acceptable JSON, TOML or a log, with a short reason."""


def depth_error(max_depth: int) -> InvalidText:
    return InvalidText(f"nested too deeply, more than {max_depth} levels")


# --- JSON --------------------------------------------------------------------------------

# A string that is never closed extends to the end, so that nothing is read twice.
_JSON_TOKEN = re.compile(
    rf"""
      " [^"\\]*+ (?: \\. [^"\\]*+ )*+ "?
    | [\[{{\]}}]
    | (?<![0-9]) [0-9]{{{MAX_DIGITS + 1},}}+
    """,
    re.VERBOSE | re.DOTALL,
)
_LONG_NUMBER = re.compile(rf"[0-9]{{{MAX_DIGITS + 1}}}")


def check_json(text: str) -> None:
    """Check the nesting and the digits of JSON text."""
    brackets = text.count("[") + text.count("{")
    if brackets <= MAX_JSON_DEPTH and not _LONG_NUMBER.search(text):
        return  # the usual line of a log, or the body of a request
    depth = 0
    for token in _JSON_TOKEN.finditer(text):
        mark = text[token.start()]
        if mark in "[{":
            depth += 1
            if depth > MAX_JSON_DEPTH:
                raise depth_error(MAX_JSON_DEPTH)
        elif mark in "]}":
            depth -= 1
        elif mark != '"':
            digits = token.end() - token.start()
            raise InvalidText(f"a number has {digits} digits, at most {MAX_DIGITS} are allowed")


# --- TOML --------------------------------------------------------------------------------

_TOML_TOKEN = re.compile(
    rf"""
      \# [^\n]*+
    | "{{3}} (?: [^"\\] | \\. | "{{1,2}}(?!") )*+ (?: "{{3,5}} )?
    | '{{3}} (?: [^'] | '{{1,2}}(?!') )*+ (?: '{{3,5}} )?
    | " [^"\\\n]*+ (?: \\. [^"\\\n]*+ )*+ "?
    | ' [^'\n]*+ '?
    | [\[{{\]}}.=,\n]
    | (?<![\w+-]) [\w+-]{{{MAX_TOML_WORD_LETTERS + 1},}}+
    """,
    re.VERBOSE | re.DOTALL,
)


def check_toml(text: str) -> None:
    """Check the size, keys, nesting and numbers of TOML text.

    The tokens are those of `tomllib` up to the first error, where it stops.
    """
    if len(text) > MAX_TOML_LETTERS:
        raise InvalidText(f"it has more than {MAX_TOML_LETTERS >> 10} kB")
    depth = dots = tables = values = 0  # dots: since the last other mark
    last = "\n"
    for token in _TOML_TOKEN.finditer(text):
        mark = text[token.start()]
        if mark in "#\"'":
            continue
        if mark == ".":
            dots, tables = dots + 1, tables + 1
            if dots >= MAX_KEY_PARTS:
                raise InvalidText(f"a key has more than {MAX_KEY_PARTS} parts")
            continue
        dots = 0
        if mark in "[{":
            tables += mark == "{" or (depth == 0 and last != "=")
            values, depth = values + 1, depth + 1
            if depth > MAX_TOML_DEPTH:
                raise depth_error(MAX_TOML_DEPTH)
        elif mark in "]}":
            depth -= 1
        elif mark in "=,":
            values += 1
        elif mark != "\n":
            raise InvalidText(f"a key or number has more than {MAX_TOML_WORD_LETTERS} letters")
        last = mark
    if tables > MAX_TOML_TABLES:
        raise InvalidText(f"it has more than {MAX_TOML_TABLES} tables")
    if values > MAX_TOML_VALUES:
        raise InvalidText(f"it has more than {MAX_TOML_VALUES} values")


# --- Game logs ---------------------------------------------------------------------------


def check_log(raw: bytes) -> None:
    """Check the lines of a game log that somebody uploads; each is JSON and checked again."""
    lines = raw.count(b"\n") + 1
    if lines > MAX_LOG_LINES:
        raise InvalidText(f"a log may have at most {MAX_LOG_LINES} lines")
    if max(map(len, raw.split(b"\n"))) > MAX_LOG_LINE_BYTES:
        raise InvalidText(f"a line may have at most {MAX_LOG_LINE_BYTES >> 10} kB")
    brackets = raw.count(b"[") + raw.count(b"{")
    if brackets > MAX_HEADER_BRACKETS + MAX_LOG_BRACKETS_PER_LINE * lines:
        raise InvalidText("this is not a game log: its lines hold too many lists")
