"""Position IDs: a short text that stands for a rule set, its options and a position.

    >>> from hashmark.table import registry
    >>> rules = registry.load("fourth-down")
    >>> given = {"phase": "fourth-down", "possession": "home", "spot": 75, "to_go": 6}
    >>> read_id(id_of(rules, {}, rules.new_position(rules.new_match(), given))).position.spot
    75

Everything that differs from a new game with default options is encoded in one large mixed-radix
number: one digit for each value, with as many values as that digit can have; default values at the
end take no room. Its low bits are a checksum that includes the name of the rule set, so that typos
are refused. The number is written in letters and digits. Files that an option names are meant as
shipped with Hashmark: a position that needs a user's own file has no ID.
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
LONGEST = 4000  # letters of an ID, and of the text of an option in it
LONGEST_OPTION = 1000  # letters of an option: a whole plan is too long for an ID
CHECK_BITS = 24
WIDE = 4096  # a field with more possible values is written in groups of digits
GROUP = 8  # values of one group; a digit has twice as many, the upper half for "more follows"


@dataclass(frozen=True)
class Identified:
    """A decoded position ID."""

    rules: RuleSet
    options: dict[str, Any]
    position: Any


def looks_like_id(text: str) -> bool:
    """Return whether a text may be an ID, valid or not."""
    return re.fullmatch(rf"{PREFIX}[0-9A-Za-z]{{5,}}", text) is not None


def id_of(rules: RuleSet, options: Mapping[str, Any], g: Any) -> str:
    """Return the ID of a position in a game with these options; it can always be decoded."""
    return Ids(rules, options).of(g)


class Ids:
    """Encoder of many positions of one game; an error is kept until an ID is requested."""

    def __init__(self, rules: RuleSet, options: Mapping[str, Any]) -> None:
        self.rules, self.options = rules, _changed_options(rules, options)
        self.lacking = ""
        try:
            self.m = _shipped_match(rules, self.options)
        except HashmarkError as fault:
            self.lacking = str(fault)

    def of(self, g: Any) -> str:
        """Return the ID of a position; raise an error if it has none."""
        reason = self.lacking
        if not reason and _normalized(self.rules, self.m, g) != g:
            reason = "it is in the middle of a play"
        if reason:
            raise HashmarkError(f"this position has no ID: {reason}")
        return _encode(self.rules, self.options, self.m, g)

    def if_any(self, g: Any) -> str | None:
        """Return the ID of a position, or None."""
        try:
            return self.of(g)
        except HashmarkError:
            return None


def read_id(text: str) -> Identified:
    """Decode an ID; refuse invalid ones and those of another rules version."""
    name, payload = _decode_text(text)
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
        normalized = _normalized(rules, m, g)
    except HashmarkError as fault:
        raise HashmarkError(f"position ID {plain(text)}: {fault}") from None
    if normalized != g or _encode(rules, _changed_options(rules, options), m, g) != text:
        raise HashmarkError(f"position ID {plain(text)}: it stands for no position")
    return Identified(rules, options, g)


def _normalized(rules: RuleSet, m: Any, g: Any) -> Any:
    """Return the position as the game would set it up."""
    return rules.new_position(m, g.to_json())


def _shipped_match(rules: RuleSet, options: Mapping[str, Any]) -> Any:
    """Return the match of these options if they use shipped files only; else raise an error."""
    too_long = [key for key, value in options.items() if len(str(value)) > LONGEST_OPTION]
    if too_long:
        raise HashmarkError(f"option {too_long[0]} is too long for one")
    m = rules.new_match(options)
    if not any(option.reader for option in rules.options):
        return m
    try:
        with places.only_shipped():
            is_shipped = rules.new_match(options) == m
    except HashmarkError:
        is_shipped = False
    if not is_shipped:
        names = ", ".join(f"{key} {shown(value)}" for key, value in options.items())
        raise HashmarkError(f"files that do not come with Hashmark are in its options ({names})")
    return m


# --- Text and checksum -------------------------------------------------------------------


def _encode(rules: RuleSet, options: Mapping[str, Any], m: Any, g: Any) -> str:
    digits = Writer()
    digits.number(rules.version)
    _write_options(rules, options, digits)
    _write_position(rules, m, g, digits)
    payload = digits.folded()
    number = payload << CHECK_BITS | _checksum(rules.name, payload)
    text = ""
    while number:
        number, digit = divmod(number, len(LETTERS))
        text = LETTERS[digit] + text
    return PREFIX + text


def _decode_text(text: str) -> tuple[str, int]:
    """Return the name of the rule set whose checksum fits, and the payload."""
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
    hasher = hashlib.blake2b(name.encode() + b"\0" + raw, digest_size=CHECK_BITS // 8)
    return int.from_bytes(hasher.digest(), "big")


# --- Digits ------------------------------------------------------------------------------


class Writer:
    """Mixed-radix digits, the first one lowest."""

    def __init__(self) -> None:
        self.digits: list[tuple[int, int]] = []

    def digit(self, value: int, size: int) -> None:
        self.digits.append((value, size))

    def number(self, value: int) -> None:
        """Add a number without bounds; small ones take little room."""
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
    """Reader of the same digits, one by one."""

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


def _changed_options(rules: RuleSet, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that differ from their defaults, parsed and in JSON form."""
    values = rules.read_options(options)
    return {
        option.name: json.loads(json.dumps(values[option.name]))
        for option in rules.options
        if json.dumps(values[option.name]) != json.dumps(option.value)
    }


def _write_options(rules: RuleSet, options: Mapping[str, Any], digits: Writer) -> None:
    """Write whether there are options, then for each whether it is given and its value."""
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
    """Write for each field whether it differs from a new game, and if so its value."""
    new_game = rules.new_position(m)
    for key, kind in rules.position.fields.items():
        value, default = getattr(g, key), getattr(new_game, key)
        digits.digit(int(value != default), 2)
        if value == default:
            continue
        if isinstance(kind, Many):
            digits.digit(value[0], kind.most + 1)
            for element in value[1 : 1 + value[0]]:
                _write_value(kind.kind, element, kind.kind.new(), digits)
            continue
        for leaf, element, default_element in _flatten(kind, value, default):
            if kind.shape:
                digits.digit(int(element != default_element), 2)
            if element != default_element:
                _write_value(leaf, element, default_element, digits)


def _read_position(rules: RuleSet, m: Any, digits: Reader) -> Any:
    g = rules.new_position(m)
    for key, kind in rules.position.fields.items():
        if not digits.digit(2):
            continue
        default = getattr(g, key)
        if isinstance(kind, Many):
            length = digits.digit(kind.most + 1)
            values = [_read_value(kind.kind, kind.kind.new(), digits) for _ in range(length)]
            setattr(g, key, [length, *values, *([0] * (kind.most - length))])
            continue
        leaves = [
            _read_value(leaf, default_leaf, digits)
            if not kind.shape or digits.digit(2)
            else default_leaf
            for leaf, _, default_leaf in _flatten(kind, default, default)
        ]
        setattr(g, key, _unflatten(kind, iter(leaves)))
    return g


def _flatten(kind: Kind, value: Any, default: Any) -> Iterator[tuple[Kind, int, int]]:
    """Yield the numbers of a field, each with its kind and its value in a new game."""
    if isinstance(kind, Each | Row):
        for element, default_element in zip(value, default, strict=True):
            yield from _flatten(kind.kind, element, default_element)
    elif isinstance(value, list):
        for element, default_element in zip(value, default, strict=True):
            yield from _flatten(Kind(), element, default_element)
    else:
        yield kind, int(value), int(default)


def _unflatten(kind: Kind, leaves: Iterator[int]) -> Any:
    """Return the numbers of a field in its shape."""

    def build(shape: tuple[int, ...]) -> Any:
        return [build(shape[1:]) for _ in range(shape[0])] if shape else next(leaves)

    return build(kind.shape)


def _value_range(kind: Kind) -> range | None:
    """Return the values that a number can have, including the one for null; None if there
    are many."""
    match kind:
        case Named():
            return range(-1 if kind.nullable else 0, len(kind.names))
        case Flag():
            return range(2)
        case Whole() if kind.null is None or kind.null in (kind.low - 1, *_bounds(kind)):
            low = kind.low if kind.null is None else min(kind.low, kind.null)
            values = range(low, kind.high + 1)
            return values if len(values) <= WIDE else None
    return None


def _bounds(kind: Whole) -> range:
    return range(kind.low, kind.high + 1)


def _write_value(kind: Kind, value: int, default: int, digits: Writer) -> None:
    """Write a number: its index among the possible values, or its difference from the default."""
    values = _value_range(kind)
    if values is not None:
        digits.digit(values.index(value), len(values))
        return
    difference = value - default
    digits.number(2 * difference if difference >= 0 else -2 * difference - 1)


def _read_value(kind: Kind, default: int, digits: Reader) -> int:
    values = _value_range(kind)
    if values is not None:
        return values[digits.digit(len(values))]
    half, is_negative = divmod(digits.number(), 2)
    value = default + (-half - 1 if is_negative else half)
    if isinstance(kind, Whole) and value != kind.null and value not in _bounds(kind):
        raise HashmarkError("it stands for no position")
    return value
