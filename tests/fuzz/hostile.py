"""Hostile values: what no honest user writes, as JSON, TOML, text and bytes.

JSON is made from Python values whose leaves may be `Raw`: text that is written as it stands, for
what `json.dumps` would not write (numbers of 5,000 digits, a thousand brackets, NaN).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

DIGITS = "9" * 5000


class Raw(str):
    """JSON text that is written as it stands."""


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
DEPTHS = (3, 60, 400, 1200, 20_000)


def nested(random: Random) -> Raw:
    """Brackets within brackets."""
    depth = random.choice(DEPTHS)
    left, right = random.choice((("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")))
    return Raw(left * depth + "1" + right * depth)


def value(random: Random) -> Any:
    """Any hostile JSON value."""
    simple: Sequence[Callable[[], Any]] = (
        lambda: random.choice(TEXTS),
        lambda: Raw(random.choice(NUMBERS)),
        lambda: random.choice((None, True, False, [], {}, [[]], [None], {"": None})),
        lambda: nested(random),
        lambda: [value(random) for _ in range(random.randrange(4))],
        lambda: {random.choice(TEXTS): value(random) for _ in range(random.randrange(4))},
    )
    return random.choice(simple)()


def json_text(of: Any) -> str:
    """The value as JSON text, raw pieces as they stand; lone surrogates are escaped."""
    if isinstance(of, Raw):
        return str(of)
    if isinstance(of, dict):
        pairs = (f"{json.dumps(str(key))}: {json_text(one)}" for key, one in of.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(of, list | tuple):
        return "[" + ", ".join(map(json_text, of)) + "]"
    return json.dumps(of)


# --- Changes of honest values ------------------------------------------------------------


def mutated(random: Random, of: Any) -> Any:
    """The value with one thing in it changed; dicts and lists are copied on the way."""
    if isinstance(of, dict) and of and random.random() < 0.85:
        return _mutated_dict(random, of)
    if isinstance(of, list) and of and random.random() < 0.85:
        return _mutated_list(random, of)
    if isinstance(of, int) and not isinstance(of, bool) and random.random() < 0.4:
        return of + random.choice((-1, 1, 2, 100, -100))
    return value(random)


def _mutated_dict(random: Random, of: dict[str, Any]) -> dict[str, Any]:
    made = dict(of)
    key = random.choice(list(made))
    what = random.random()
    if what < 0.12:
        del made[key]
    elif what < 0.24:
        made[random.choice((*TEXTS, f"{key}x", key.upper()))] = value(random)
    else:
        made[key] = mutated(random, made[key])
    return made


def _mutated_list(random: Random, of: list[Any]) -> list[Any]:
    made = list(of)
    at = random.randrange(len(made))
    what = random.random()
    if what < 0.12:
        del made[at]
    elif what < 0.24:
        made.insert(at, random.choice((made[at], value(random))))
    elif what < 0.28:
        made *= 50
    else:
        made[at] = mutated(random, made[at])
    return made


def some_mutations(random: Random, of: Any) -> Any:
    """One to three changes."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        of = mutated(random, of)
    return of


def json_case(random: Random, of: Any) -> bytes:
    """JSON with changes of its values, sometimes of its text, sometimes of its bytes."""
    text = json_text(some_mutations(random, of))
    if random.random() < 0.15:
        text = mutated_text(random, text)
    raw = text.encode(errors="surrogatepass")
    return mutated_bytes(random, raw) if random.random() < 0.1 else raw


def mutated_text(random: Random, text: str) -> str:
    """The text with a piece lost, doubled, or hostile."""
    at = random.randrange(len(text) + 1)
    end = min(len(text), at + random.choice((1, 1, 5, 40, 1000)))
    return random.choice(
        (
            text[:at],
            text[at:],
            text[:at] + text[end:],
            text[:end] + text[at:],
            text[:at] + random.choice(TEXTS) + text[end:],
            "\ufeff" + text,
            text + text,
            text.replace("\n", "\r\n"),
        )
    )


def mutated_bytes(random: Random, raw: bytes) -> bytes:
    """The bytes with one flipped, or some lost, or none of them text."""
    if not raw:
        return bytes(random.randrange(256) for _ in range(8))
    at = random.randrange(len(raw))
    return random.choice(
        (
            raw[:at] + bytes([raw[at] ^ (1 << random.randrange(8))]) + raw[at + 1 :],
            raw[:at] + bytes([random.randrange(256)]) + raw[at:],
            raw[:at],
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
_LINE = re.compile(r"^(\s*[^\s=\[#]+\s*=\s*)(.+)$")


def toml_value(random: Random) -> str:
    """Any hostile value in TOML."""
    if random.random() < 0.2:
        depth = random.choice((3, 60, 400, 1200, 3000))
        left, right = random.choice((("[", "]"), ("{a=", "}")))
        return left * depth + "1" + right * depth
    return random.choice(TOML_VALUES)


def toml_case(random: Random, text: str) -> bytes:
    """An honest TOML text with some of its lines changed."""
    lines = text.splitlines()
    for _ in range(random.choice((1, 1, 2, 4))):
        _mutate_line(random, lines)
    text = "\n".join(lines) + "\n"
    if random.random() < 0.1:
        text = mutated_text(random, text)
    raw = text.encode(errors="surrogatepass")
    return mutated_bytes(random, raw) if random.random() < 0.05 else raw


def _mutate_line(random: Random, lines: list[str]) -> None:
    at = random.randrange(len(lines)) if lines else 0
    what = random.random()
    found = _LINE.match(lines[at]) if lines else None
    if found and what < 0.6:
        lines[at] = found[1] + toml_value(random)
    elif found and what < 0.7:
        lines[at] = found[1] + mutated_text(random, found[2]).replace("\n", " ")
    elif lines and what < 0.8:
        del lines[at]
    elif lines and what < 0.9:
        lines.insert(at, lines[random.randrange(len(lines))])
    else:
        key = random.choice(("a", "like", "when", '""', '"\\u001b"', ".".join("a" * 1500)))
        lines.insert(at, f"{key} = {toml_value(random)}")
