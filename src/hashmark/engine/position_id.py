"""Position IDs: a short text that stands for a rule set, its options and a position.

    >>> from hashmark.engine import registry
    >>> rules = registry.load("fourth-down")
    >>> given = {"phase": "fourth-down", "possession": "home", "spot": 75, "to_go": 6}
    >>> position = rules.new_position(rules.new_match(), given)
    >>> decode_position(encode_position(rules, {}, position)).position.spot
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

from hashmark.engine import registry
from hashmark.engine.record import (
    ArrayField,
    FieldKind,
    FlagField,
    IntField,
    KeyedField,
    ListField,
    MatchRecord,
    NameField,
    PositionRecord,
    unflatten,
)
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import HashmarkError
from hashmark.sanitize import quote, shorten
from hashmark.storage import search_path
from hashmark.storage.user_files import loads_json

PREFIX = "hm"
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
MAX_ID_LETTERS = 4000  # letters of an ID, and of the text of an option in it
MAX_OPTION_LETTERS = 1000  # letters of an option: a whole plan is too long for an ID
CHECKSUM_BITS = 24
MAX_ENUMERATED_VALUES = 4096  # a field with more possible values is written in groups of digits
GROUP_SIZE = 8  # values of one group; a digit has twice as many, the upper half for "more follows"


@dataclass(frozen=True)
class DecodedPosition:
    """A decoded position ID."""

    rules: RuleSet
    options: dict[str, Any]
    position: Any


def looks_like_id(text: str) -> bool:
    """Return whether a text may be an ID, valid or not."""
    return re.fullmatch(rf"{PREFIX}[0-9A-Za-z]{{5,}}", text) is not None


def encode_position(rules: RuleSet, options: Mapping[str, Any], g: PositionRecord) -> str:
    """Return the ID of a position in a game with these options; it can always be decoded."""
    return PositionEncoder(rules, options).encode(g)


class PositionEncoder:
    """Encoder of many positions of one game; an error is kept until an ID is requested."""

    def __init__(self, rules: RuleSet, options: Mapping[str, Any]) -> None:
        self.rules, self.options = rules, _changed_options(rules, options)
        self.no_id_reason = ""
        try:
            self.match = _shipped_match(rules, self.options)
        except HashmarkError as fault:
            self.no_id_reason = str(fault)

    def encode(self, g: PositionRecord) -> str:
        """Return the ID of a position; raise an error if it has none."""
        reason = self.no_id_reason
        if not reason and _normalized(self.rules, self.match, g) != g:
            reason = "it is in mid-play"
        if reason:
            raise HashmarkError(f"this position has no ID: {reason}")
        return _encode(self.rules, self.options, self.match, g)

    def encode_or_none(self, g: PositionRecord) -> str | None:
        """Return the ID of a position, or None."""
        try:
            return self.encode(g)
        except HashmarkError:
            return None


def decode_position(text: str) -> DecodedPosition:
    """Decode an ID; refuse invalid ones and those of another rules version."""
    name, payload = _decode_text(text)
    rules = registry.load(name)
    digits = DigitReader(payload)
    version = digits.read_number()
    if version != rules.version:
        raise HashmarkError(
            f"position ID {shorten(text)}: it uses version {version} of the rules of {name}; "
            f"installed: {rules.version}"
        )
    try:
        options = _read_options(rules, digits)
        m = _shipped_match(rules, options)
        g = _read_position(rules, m, digits)
        normalized = _normalized(rules, m, g)
    except HashmarkError as fault:
        raise HashmarkError(f"position ID {shorten(text)}: {fault}") from None
    if normalized != g or _encode(rules, _changed_options(rules, options), m, g) != text:
        raise HashmarkError(f"position ID {shorten(text)}: it encodes no valid position")
    return DecodedPosition(rules, options, g)


def _normalized(rules: RuleSet, m: MatchRecord, g: PositionRecord) -> Any:
    """Return the position as the game would set it up."""
    return rules.new_position(m, g.to_json())


def _shipped_match(rules: RuleSet, options: Mapping[str, Any]) -> Any:
    """Return the match of these options if they use shipped files only; else raise an error."""
    too_long = [key for key, value in options.items() if len(str(value)) > MAX_OPTION_LETTERS]
    if too_long:
        raise HashmarkError(f"option {too_long[0]} is too long")
    m = rules.new_match(options)
    if not any(option.parser for option in rules.setup.options):
        return m
    try:
        with search_path.shipped_only():
            is_shipped = rules.new_match(options) == m
    except HashmarkError:
        is_shipped = False
    if not is_shipped:
        names = ", ".join(f"{key} {quote(value)}" for key, value in options.items())
        raise HashmarkError(f"its options name files that do not ship with Hashmark ({names})")
    return m


# --- Text and checksum -------------------------------------------------------------------


def _encode(rules: RuleSet, options: Mapping[str, Any], m: MatchRecord, g: PositionRecord) -> str:
    digits = DigitWriter()
    digits.add_number(rules.version)
    _write_options(rules, options, digits)
    _write_position(rules, m, g, digits)
    payload = digits.to_int()
    number = payload << CHECKSUM_BITS | _checksum(rules.name, payload)
    text = ""
    while number:
        number, digit = divmod(number, len(ALPHABET))
        text = ALPHABET[digit] + text
    return PREFIX + text


def _decode_text(text: str) -> tuple[str, int]:
    """Return the name of the rule set whose checksum fits, and the payload."""
    if not looks_like_id(text) or len(text) > MAX_ID_LETTERS:
        raise HashmarkError(f"{shorten(text)} is not a position ID")
    number = 0
    for letter in text.removeprefix(PREFIX):
        number = number * len(ALPHABET) + ALPHABET.index(letter)
    payload, check = number >> CHECKSUM_BITS, number & (1 << CHECKSUM_BITS) - 1
    for name in registry.names():
        if _checksum(name, payload) == check:
            return name, payload
    raise HashmarkError(f"position ID {shorten(text)}: it has a typo, or its game is not installed")


def _checksum(name: str, payload: int) -> int:
    raw = payload.to_bytes((payload.bit_length() + 7) // 8, "big")
    hasher = hashlib.blake2b(name.encode() + b"\0" + raw, digest_size=CHECKSUM_BITS // 8)
    return int.from_bytes(hasher.digest(), "big")


# --- Digits ------------------------------------------------------------------------------


class DigitWriter:
    """Mixed-radix digits, the first one lowest."""

    def __init__(self) -> None:
        self.digits: list[tuple[int, int]] = []

    def add_digit(self, value: int, size: int) -> None:
        self.digits.append((value, size))

    def add_number(self, value: int) -> None:
        """Add a number without bounds; small ones take little room."""
        while value >= GROUP_SIZE:
            self.add_digit(GROUP_SIZE + value % GROUP_SIZE, 2 * GROUP_SIZE)
            value //= GROUP_SIZE
        self.add_digit(value, 2 * GROUP_SIZE)

    def add_text(self, text: str) -> None:
        raw = text.encode()
        self.add_number(len(raw))
        for byte in raw:
            self.add_digit(byte, 256)

    def to_int(self) -> int:
        number = 0
        for value, size in reversed(self.digits):
            number = number * size + value
        return number


class DigitReader:
    """Reader of the same digits, one by one."""

    def __init__(self, number: int) -> None:
        self.remaining = number

    def read_digit(self, size: int) -> int:
        self.remaining, value = divmod(self.remaining, size)
        return value

    def read_number(self) -> int:
        value, weight = 0, 1
        while True:
            digit = self.read_digit(2 * GROUP_SIZE)
            value += digit % GROUP_SIZE * weight
            if digit < GROUP_SIZE:
                return value
            weight *= GROUP_SIZE

    def read_text(self) -> str:
        length = self.read_number()
        if length > MAX_ID_LETTERS:
            raise HashmarkError("it encodes no valid position")
        try:
            return bytes(self.read_digit(256) for _ in range(length)).decode()
        except UnicodeDecodeError:
            raise HashmarkError("it encodes no valid position") from None


# --- Options -----------------------------------------------------------------------------


def _changed_options(rules: RuleSet, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that differ from their defaults, parsed and in JSON form."""
    values = rules.parse_options(options)
    return {
        option.name: json.loads(json.dumps(values[option.name]))
        for option in rules.setup.options
        if json.dumps(values[option.name]) != json.dumps(option.default_value)
    }


def _write_options(rules: RuleSet, options: Mapping[str, Any], digits: DigitWriter) -> None:
    """Write whether there are options, then for each whether it is given and its value."""
    digits.add_digit(int(bool(options)), 2)
    for option in rules.setup.options if options else ():
        digits.add_digit(int(option.name in options), 2)
        if option.name not in options:
            continue
        value = options[option.name]
        if option.parser is None:
            digits.add_digit(option.allowed.index(value), len(option.allowed))
        else:
            is_json = not isinstance(value, str)
            digits.add_digit(int(is_json), 2)
            digits.add_text(json.dumps(value, separators=(",", ":")) if is_json else value)


def _read_options(rules: RuleSet, digits: DigitReader) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for option in rules.setup.options if digits.read_digit(2) else ():
        if not digits.read_digit(2):
            continue
        if option.parser is None:
            options[option.name] = option.allowed[digits.read_digit(len(option.allowed))]
            continue
        is_json, text = digits.read_digit(2), digits.read_text()
        try:
            options[option.name] = loads_json(text) if is_json else text
        except ValueError:
            raise HashmarkError("it encodes no valid position") from None
    return options


# --- Positions ---------------------------------------------------------------------------


def _write_position(rules: RuleSet, m: MatchRecord, g: PositionRecord, digits: DigitWriter) -> None:
    """Write for each field whether it differs from a new game, and if so its value."""
    new_game = rules.new_position(m)
    for key, kind in rules.position.fields.items():
        value, default = getattr(g, key), getattr(new_game, key)
        digits.add_digit(int(value != default), 2)
        if value == default:
            continue
        if isinstance(kind, ListField):
            digits.add_digit(value[0], kind.max_length + 1)
            for element in value[1 : 1 + value[0]]:
                _write_value(kind.kind, element, kind.kind.new_value(), digits)
            continue
        for leaf, element, default_element in _flatten(kind, value, default):
            if kind.shape:
                digits.add_digit(int(element != default_element), 2)
            if element != default_element:
                _write_value(leaf, element, default_element, digits)


def _read_position(rules: RuleSet, m: MatchRecord, digits: DigitReader) -> Any:
    g = rules.new_position(m)
    for key, kind in rules.position.fields.items():
        if not digits.read_digit(2):
            continue
        default = getattr(g, key)
        if isinstance(kind, ListField):
            length = digits.read_digit(kind.max_length + 1)
            values = [_read_value(kind.kind, kind.kind.new_value(), digits) for _ in range(length)]
            setattr(g, key, [length, *values, *([0] * (kind.max_length - length))])
            continue
        leaves = [
            _read_value(leaf, default_leaf, digits)
            if not kind.shape or digits.read_digit(2)
            else default_leaf
            for leaf, _, default_leaf in _flatten(kind, default, default)
        ]
        setattr(g, key, unflatten(iter(leaves), kind.shape))
    return g


def _flatten(kind: FieldKind, value: Any, default: Any) -> Iterator[tuple[FieldKind, int, int]]:
    """Yield the numbers of a field, each with its kind and its value in a new game."""
    if isinstance(kind, KeyedField | ArrayField):
        for element, default_element in zip(value, default, strict=True):
            yield from _flatten(kind.kind, element, default_element)
    elif isinstance(value, list):
        for element, default_element in zip(value, default, strict=True):
            yield from _flatten(FieldKind(), element, default_element)
    else:
        yield kind, int(value), int(default)


def _value_range(kind: FieldKind) -> range | None:
    """Return the values that a number can have, with the one for null; None if there are many."""
    match kind:
        case NameField():
            return range(-1 if kind.nullable else 0, len(kind.names))
        case FlagField():
            return range(2)
        case IntField() if kind.null_value is None or kind.null_value in (
            kind.low - 1,
            *_bounds(kind),
        ):
            low = kind.low if kind.null_value is None else min(kind.low, kind.null_value)
            values = range(low, kind.high + 1)
            return values if len(values) <= MAX_ENUMERATED_VALUES else None
    return None


def _bounds(kind: IntField) -> range:
    return range(kind.low, kind.high + 1)


def _write_value(kind: FieldKind, value: int, default: int, digits: DigitWriter) -> None:
    """Write a number: its index among the possible values, or its difference from the default."""
    values = _value_range(kind)
    if values is not None:
        digits.add_digit(values.index(value), len(values))
        return
    difference = value - default
    digits.add_number(2 * difference if difference >= 0 else -2 * difference - 1)


def _read_value(kind: FieldKind, default: int, digits: DigitReader) -> int:
    values = _value_range(kind)
    if values is not None:
        return values[digits.read_digit(len(values))]
    half, is_negative = divmod(digits.read_number(), 2)
    value = default + (-half - 1 if is_negative else half)
    if isinstance(kind, IntField) and value != kind.null_value and value not in _bounds(kind):
        raise HashmarkError("it encodes no valid position")
    return value
