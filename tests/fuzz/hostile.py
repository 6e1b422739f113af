"""Hostile values that no honest user writes, as JSON, TOML, text and bytes.

JSON is made from Python values whose leaves may be `Raw`: text that is written verbatim, for what
`json.dumps` cannot write (numbers of 5,000 digits, a thousand brackets, NaN).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

DIGITS = "9" * 5000


class Raw(str):
    """JSON text that is written verbatim."""


TEXTS = (
    "",
    " ",
    "x" * 5000,
    DIGITS,
    f"-{DIGITS}",
    "1e400",
    "-1e400",
    "1e-400",
    "nan",
    "inf",
    "-inf",
    "-0",
    "-1",
    "0",
    "1",
    "1.5",
    "1_000",
    "0x10",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775809",
    "²",
    "٣",
    "Ⅷ",
    "\x00",
    "a\x00b",
    "\x07",
    "\x1b[2J",
    "\x1b]0;title\x07",
    "\x9b31m",
    "\x7f",
    "\u202eevil",
    "\u2028",
    "\ufeff",
    "\ud800",
    "\udcff",
    "\n",
    "a\nb",
    "\r",
    "\t",
    ".",
    "..",
    "/",
    "/dev/full",
    "-",
    "--",
    "~",
    "*",
    "=",
    "a=b=c",
    "@",
    "%",
    "%s",
    "{0}",
    "[",
    "[" * 3000,
    "[" * 3000 + "]" * 3000,
    '{"a":' * 1500,
    "{}",
    "[]",
    "null",
    "true",
    "home",
    "away",
    "é" * 300,
    "🏈",
)
NUMBERS = (
    "0",
    "-0",
    "-1",
    "1.5",
    "1e3",
    "1E999",
    "-1e999",
    "1e-999",
    "NaN",
    "Infinity",
    "-Infinity",
    DIGITS,
    f"-{DIGITS}",
    f"0.{DIGITS}",
    f"{DIGITS}.5",
    *(str(2**n + by) for n in (15, 31, 32, 63, 64) for by in (-1, 0, 1)),
    *(str(-(2**n) + by) for n in (15, 31, 32, 63, 64) for by in (-1, 0, 1)),
    str(10**30),
)
NESTING_DEPTHS = (3, 60, 400, 1200, 20_000)


def nested_brackets(random: Random) -> Raw:
    """Return deeply nested brackets."""
    depth = random.choice(NESTING_DEPTHS)
    left, right = random.choice((("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")))
    return Raw(left * depth + "1" + right * depth)


def hostile_value(random: Random) -> Any:
    """Return any hostile JSON value."""
    generators: Sequence[Callable[[], Any]] = (
        lambda: random.choice(TEXTS),
        lambda: Raw(random.choice(NUMBERS)),
        lambda: random.choice((None, True, False, [], {}, [[]], [None], {"": None})),
        lambda: nested_brackets(random),
        lambda: [hostile_value(random) for _ in range(random.randrange(4))],
        lambda: {random.choice(TEXTS): hostile_value(random) for _ in range(random.randrange(4))},
    )
    return random.choice(generators)()


def json_text(data: Any) -> str:
    """Return the value as JSON text, raw pieces verbatim; lone surrogates are escaped."""
    if isinstance(data, Raw):
        return str(data)
    if isinstance(data, dict):
        pairs = (f"{json.dumps(str(key))}: {json_text(item)}" for key, item in data.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(data, list | tuple):
        return "[" + ", ".join(map(json_text, data)) + "]"
    return json.dumps(data)


# --- Mutations of valid values -----------------------------------------------------------


def mutate(random: Random, data: Any) -> Any:
    """Return the value with one thing changed; dicts and lists are copied on the way."""
    if isinstance(data, dict) and data and random.random() < 0.85:
        return _mutate_dict(random, data)
    if isinstance(data, list) and data and random.random() < 0.85:
        return _mutate_list(random, data)
    if isinstance(data, int) and not isinstance(data, bool) and random.random() < 0.4:
        return data + random.choice((-1, 1, 2, 100, -100))
    return hostile_value(random)


def _mutate_dict(random: Random, data: dict[str, Any]) -> dict[str, Any]:
    changed = dict(data)
    key = random.choice(list(changed))
    choice = random.random()
    if choice < 0.12:
        del changed[key]
    elif choice < 0.24:
        changed[random.choice((*TEXTS, f"{key}x", key.upper()))] = hostile_value(random)
    else:
        changed[key] = mutate(random, changed[key])
    return changed


def _mutate_list(random: Random, data: list[Any]) -> list[Any]:
    changed = list(data)
    index = random.randrange(len(changed))
    choice = random.random()
    if choice < 0.12:
        del changed[index]
    elif choice < 0.24:
        changed.insert(index, random.choice((changed[index], hostile_value(random))))
    elif choice < 0.28:
        changed *= 50
    else:
        changed[index] = mutate(random, changed[index])
    return changed


def mutate_some(random: Random, data: Any) -> Any:
    """Return the value with one to three changes."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        data = mutate(random, data)
    return data


def make_json(random: Random, data: Any) -> bytes:
    """Return JSON with changed values, sometimes also with changed text or bytes."""
    text = json_text(mutate_some(random, data))
    if random.random() < 0.15:
        text = mutate_text(random, text)
    raw = text.encode(errors="surrogatepass")
    return mutate_bytes(random, raw) if random.random() < 0.1 else raw


def mutate_text(random: Random, text: str) -> str:
    """Return the text with a piece removed, doubled or replaced by a hostile one."""
    start = random.randrange(len(text) + 1)
    end = min(len(text), start + random.choice((1, 1, 5, 40, 1000)))
    return random.choice(
        (
            text[:start],
            text[start:],
            text[:start] + text[end:],
            text[:end] + text[start:],
            text[:start] + random.choice(TEXTS) + text[end:],
            "\ufeff" + text,
            text + text,
            text.replace("\n", "\r\n"),
        )
    )


def mutate_bytes(random: Random, raw: bytes) -> bytes:
    """Return the bytes with one flipped, some removed, or nothing readable left."""
    if not raw:
        return bytes(random.randrange(256) for _ in range(8))
    index = random.randrange(len(raw))
    return random.choice(
        (
            raw[:index] + bytes([raw[index] ^ (1 << random.randrange(8))]) + raw[index + 1 :],
            raw[:index] + bytes([random.randrange(256)]) + raw[index:],
            raw[:index],
            b"\xff\xfe" + raw,
            raw.decode(errors="replace").encode("utf-16"),
            b"",
            b"\x00" * 64,
        )
    )


# --- TOML ------------------------------------------------------------------------------


TOML_VALUES = (
    DIGITS,
    f"-{DIGITS}",
    "1e999",
    "nan",
    "inf",
    "-inf",
    "true",
    "[]",
    "{}",
    "[[]]",
    "[1, 2]",
    "[3, 1]",
    '["a", "b"]',
    "{ a = 1 }",
    '""',
    '"x"',
    "7",
    "-7",
    "0.5",
    "1979-05-27",
    "07:32:00",
    "1979-05-27T07:32:00Z",
    str(10**30),
    str(2**63),
    '"\\u0000"',
    '"\\u001b[2J"',
    '"\\u009b"',
    '"\\u202e"',
    '"=" ',
    "'''\na\nb'''",
    f'"{DIGITS}"',
)
_KEY_AND_VALUE = re.compile(r"^(\s*[^\s=\[#]+\s*=\s*)(.+)$")


def toml_value(random: Random) -> str:
    """Return any hostile TOML value."""
    if random.random() < 0.2:
        depth = random.choice((3, 60, 400, 1200, 3000))
        left, right = random.choice((("[", "]"), ("{a=", "}")))
        return left * depth + "1" + right * depth
    return random.choice(TOML_VALUES)


def make_toml(random: Random, text: str) -> bytes:
    """Return a valid TOML text with some lines changed."""
    lines = text.splitlines()
    for _ in range(random.choice((1, 1, 2, 4))):
        _mutate_line(random, lines)
    text = "\n".join(lines) + "\n"
    if random.random() < 0.1:
        text = mutate_text(random, text)
    raw = text.encode(errors="surrogatepass")
    return mutate_bytes(random, raw) if random.random() < 0.05 else raw


def _mutate_line(random: Random, lines: list[str]) -> None:
    index = random.randrange(len(lines)) if lines else 0
    choice = random.random()
    match = _KEY_AND_VALUE.match(lines[index]) if lines else None
    if match and choice < 0.6:
        lines[index] = match[1] + toml_value(random)
    elif match and choice < 0.7:
        lines[index] = match[1] + mutate_text(random, match[2]).replace("\n", " ")
    elif lines and choice < 0.8:
        del lines[index]
    elif lines and choice < 0.9:
        lines.insert(index, lines[random.randrange(len(lines))])
    else:
        key = random.choice(("a", "like", "when", '""', '"\\u001b"', ".".join("a" * 1500)))
        lines.insert(index, f"{key} = {toml_value(random)}")
