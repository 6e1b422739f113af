"""Position IDs: a short text that stands for a rule set, its options and a position.

    >>> from hashmark.table import registry
    >>> rules = registry.load("fourth-down")
    >>> given = {"phase": "fourth-down", "possession": "home", "spot": 75, "to_go": 6}
    >>> read_id(id_of(rules, {}, rules.new_position(rules.new_match(), given))).position.spot
    75

All that differs from a new game with the usual options is one large number, a digit for each
value with as many values as that digit can have; what is at the end and as usual takes no room.
Below it stands a checksum, in which the name of the rule set is mixed, so that a typo is refused,
and the whole is written in letters and digits. Files that an option names are meant as they come
with Hashmark: a position that needs a file of the user's own has no ID.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hashmark.table import places, registry
from hashmark.table.errors import HashmarkError
from hashmark.table.files import loads
from hashmark.table.readable import plain, shown
from hashmark.table.record import Each, Flag, Kind, Many, Named, Row, Whole
from hashmark.table.rules import RuleSet

PREFIX = "hm"
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
LONGEST = 4000  # letters: of an ID, and of the text of an option in it
LONGEST_OPTION = 1000  # letters of an option: a whole plan is none that one would type
CHECK_BITS = 24
WIDE = 4096  # a value of more possible ones is written in groups, small ones in few
GROUP = 8  # what one group counts; twice as many digits, the upper ones saying that more come


@dataclass(frozen=True)
class Identified:
    """What an ID stands for."""

    rules: RuleSet
    options: dict[str, Any]
    position: Any


def looks_like_id(text: str) -> bool:
    """Whether a text may be an ID, sound or not."""
    return re.fullmatch(rf"{PREFIX}[0-9A-Za-z]{{5,}}", text) is not None


def id_of(rules: RuleSet, options: Mapping[str, Any], g: Any) -> str:
    """The ID of a position in a game with these options; it can always be read again."""
    return Ids(rules, options).of(g)


class Ids:
    """The IDs of many positions of one game; why there are none is kept until one is wanted."""

    def __init__(self, rules: RuleSet, options: Mapping[str, Any]) -> None:
        self.rules, self.options = rules, _as_read(rules, options)
        self.lacking = ""
        try:
            self.m = _shipped_match(rules, self.options)
        except HashmarkError as fault:
            self.lacking = str(fault)

    def of(self, g: Any) -> str:
        """The ID of a position; a sentence if it has none."""
        lacking = self.lacking
        if not lacking and _settled(self.rules, self.m, g) != g:
            lacking = "it is in the middle of a play"
        if lacking:
            raise HashmarkError(f"this position has no ID: {lacking}")
        return _written(self.rules, self.options, self.m, g)

    def if_any(self, g: Any) -> str | None:
        """The ID of a position, or None."""
        try:
            return self.of(g)
        except HashmarkError:
            return None


def read_id(text: str) -> Identified:
    """What an ID stands for; whatever is not one, or of another version, is refused."""
    name, payload = _checked(text)
    rules = registry.load(name)
    digits = Reader(payload)
    version = digits.number()
    if version != rules.version:
        raise HashmarkError(
            f"position ID {plain(text)}: it is of version {version} of the rules of {name}, "
            f"this is {rules.version}"
        )
    try:
        options = _read_options(rules, digits)
        m = _shipped_match(rules, options)
        g = _read_position(rules, m, digits)
        settled = _settled(rules, m, g)
    except HashmarkError as fault:
        raise HashmarkError(f"position ID {plain(text)}: {fault}") from None
    if settled != g or _written(rules, _as_read(rules, options), m, g) != text:
        raise HashmarkError(f"position ID {plain(text)}: it stands for no position")
    return Identified(rules, options, g)


def _settled(rules: RuleSet, m: Any, g: Any) -> Any:
    """The position as the game would set it up."""
    return rules.new_position(m, g.to_json())


def _shipped_match(rules: RuleSet, options: Mapping[str, Any]) -> Any:
    """The match of these options, the same for everybody; else a sentence."""
    long = [key for key, value in options.items() if len(str(value)) > LONGEST_OPTION]
    if long:
        raise HashmarkError(f"option {long[0]} is too long for one")
    m = rules.new_match(options)
    if not any(option.reader for option in rules.options):
        return m
    try:
        with places.only_shipped():
            same = rules.new_match(options) == m
    except HashmarkError:
        same = False
    if not same:
        names = ", ".join(f"{key} {shown(value)}" for key, value in options.items())
        raise HashmarkError(f"files that do not come with Hashmark are in its options ({names})")
    return m


# --- Text and checksum -------------------------------------------------------------------


def _written(rules: RuleSet, options: Mapping[str, Any], m: Any, g: Any) -> str:
    digits = Writer()
    digits.number(rules.version)
    _write_options(rules, options, digits)
    _write_position(rules, m, g, digits)
    payload = digits.folded()
    number = payload << CHECK_BITS | _checksum(rules.name, payload)
    text = ""
    while number:
        number, at = divmod(number, len(LETTERS))
        text = LETTERS[at] + text
    return PREFIX + text


def _checked(text: str) -> tuple[str, int]:
    """The name of the rule set whose checksum fits, and what is in the ID."""
    if not looks_like_id(text) or len(text) > LONGEST:
        raise HashmarkError(f"{plain(text)} is not a position ID")
    number = 0
    for letter in text.removeprefix(PREFIX):
        number = number * len(LETTERS) + LETTERS.index(letter)
    payload, check = number >> CHECK_BITS, number & (1 << CHECK_BITS) - 1
    for name in registry.names():
        if _checksum(name, payload) == check:
            return name, payload
    raise HashmarkError(f"position ID {plain(text)}: a letter is wrong, or its game is not here")


def _checksum(name: str, payload: int) -> int:
    raw = payload.to_bytes((payload.bit_length() + 7) // 8, "big")
    said = hashlib.blake2b(name.encode() + b"\0" + raw, digest_size=CHECK_BITS // 8)
    return int.from_bytes(said.digest(), "big")


# --- Digits ------------------------------------------------------------------------------


class Writer:
    """Digits of different sizes, the first one lowest."""

    def __init__(self) -> None:
        self.digits: list[tuple[int, int]] = []

    def digit(self, value: int, size: int) -> None:
        self.digits.append((value, size))

    def number(self, value: int) -> None:
        """A number without bounds, small ones in little room."""
        while value >= GROUP:
            self.digit(GROUP + value % GROUP, 2 * GROUP)
            value //= GROUP
        self.digit(value, 2 * GROUP)

    def text(self, text: str) -> None:
        raw = text.encode()
        self.number(len(raw))
        for byte in raw:
            self.digit(byte, 256)

    def folded(self) -> int:
        number = 0
        for value, size in reversed(self.digits):
            number = number * size + value
        return number


class Reader:
    """The same digits, taken one by one."""

    def __init__(self, number: int) -> None:
        self.left = number

    def digit(self, size: int) -> int:
        self.left, value = divmod(self.left, size)
        return value

    def number(self) -> int:
        value, weight = 0, 1
        while True:
            digit = self.digit(2 * GROUP)
            value += digit % GROUP * weight
            if digit < GROUP:
                return value
            weight *= GROUP

    def text(self) -> str:
        length = self.number()
        if length > LONGEST:
            raise HashmarkError("it stands for no position")
        try:
            return bytes(self.digit(256) for _ in range(length)).decode()
        except UnicodeDecodeError:
            raise HashmarkError("it stands for no position") from None


# --- Options -----------------------------------------------------------------------------


def _as_read(rules: RuleSet, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that are not as usual, as the game reads them, in the form of JSON."""
    values = rules.read_options(options)
    return {
        option.name: json.loads(json.dumps(values[option.name]))
        for option in rules.options
        if json.dumps(values[option.name]) != json.dumps(option.value)
    }


def _write_options(rules: RuleSet, options: Mapping[str, Any], digits: Writer) -> None:
    """Whether there are any, then of each whether it is given and what."""
    digits.digit(int(bool(options)), 2)
    for option in rules.options if options else ():
        digits.digit(int(option.name in options), 2)
        if option.name not in options:
            continue
        value = options[option.name]
        if option.reader is None:
            digits.digit(option.allowed.index(value), len(option.allowed))
        else:
            is_json = not isinstance(value, str)
            digits.digit(int(is_json), 2)
            digits.text(json.dumps(value, separators=(",", ":")) if is_json else value)


def _read_options(rules: RuleSet, digits: Reader) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for option in rules.options if digits.digit(2) else ():
        if not digits.digit(2):
            continue
        if option.reader is None:
            options[option.name] = option.allowed[digits.digit(len(option.allowed))]
            continue
        is_json, text = digits.digit(2), digits.text()
        try:
            options[option.name] = loads(text) if is_json else text
        except ValueError:
            raise HashmarkError("it stands for no position") from None
    return options


# --- Positions ---------------------------------------------------------------------------


def _write_position(rules: RuleSet, m: Any, g: Any, digits: Writer) -> None:
    """Of each field whether it is as in a new game, and if not what it holds."""
    first = rules.new_position(m)
    for key, kind in rules.position.fields.items():
        value, usual = getattr(g, key), getattr(first, key)
        digits.digit(int(value != usual), 2)
        if value == usual:
            continue
        if isinstance(kind, Many):
            digits.digit(value[0], kind.most + 1)
            for one in value[1 : 1 + value[0]]:
                _write_one(kind.kind, one, kind.kind.new(), digits)
            continue
        for leaf, one, first_one in _leaves(kind, value, usual):
            if kind.shape:
                digits.digit(int(one != first_one), 2)
            if one != first_one:
                _write_one(leaf, one, first_one, digits)


def _read_position(rules: RuleSet, m: Any, digits: Reader) -> Any:
    g = rules.new_position(m)
    for key, kind in rules.position.fields.items():
        if not digits.digit(2):
            continue
        usual = getattr(g, key)
        if isinstance(kind, Many):
            length = digits.digit(kind.most + 1)
            read = [_read_one(kind.kind, kind.kind.new(), digits) for _ in range(length)]
            setattr(g, key, [length, *read, *([0] * (kind.most - length))])
            continue
        leaves = [
            _read_one(leaf, first, digits) if not kind.shape or digits.digit(2) else first
            for leaf, _, first in _leaves(kind, usual, usual)
        ]
        setattr(g, key, _shaped(kind, iter(leaves)))
    return g


def _leaves(kind: Kind, value: Any, usual: Any) -> Iterator[tuple[Kind, int, int]]:
    """The numbers of a field, each with its kind and what it is in a new game."""
    if isinstance(kind, Each | Row):
        for one, first in zip(value, usual, strict=True):
            yield from _leaves(kind.kind, one, first)
    elif isinstance(value, list):
        for one, first in zip(value, usual, strict=True):
            yield from _leaves(Kind(), one, first)
    else:
        yield kind, int(value), int(usual)


def _shaped(kind: Kind, leaves: Iterator[int]) -> Any:
    """The numbers of a field in its form."""

    def take(shape: tuple[int, ...]) -> Any:
        return [take(shape[1:]) for _ in range(shape[0])] if shape else next(leaves)

    return take(kind.shape)


def _span(kind: Kind) -> range | None:
    """The values that a number can have, with the one that stands for null; None if many."""
    match kind:
        case Named():
            return range(-1 if kind.nullable else 0, len(kind.names))
        case Flag():
            return range(2)
        case Whole() if kind.null is None or kind.null in (kind.low - 1, *_between(kind)):
            low = kind.low if kind.null is None else min(kind.low, kind.null)
            found = range(low, kind.high + 1)
            return found if len(found) <= WIDE else None
    return None


def _between(kind: Whole) -> range:
    return range(kind.low, kind.high + 1)


def _write_one(kind: Kind, value: int, usual: int, digits: Writer) -> None:
    """A number: its place among all that it can be, or how far it is from the usual one."""
    span = _span(kind)
    if span is not None:
        digits.digit(span.index(value), len(span))
        return
    away = value - usual
    digits.number(2 * away if away >= 0 else -2 * away - 1)


def _read_one(kind: Kind, usual: int, digits: Reader) -> int:
    span = _span(kind)
    if span is not None:
        return span[digits.digit(len(span))]
    half, below = divmod(digits.number(), 2)
    value = usual + (-half - 1 if below else half)
    if isinstance(kind, Whole) and value != kind.null and value not in _between(kind):
        raise HashmarkError("it stands for no position")
    return value
