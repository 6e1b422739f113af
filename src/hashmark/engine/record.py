"""Positions and matches: one declaration gives a Python class, a NumPy dtype and a JSON form.

    class Position(Record):
        phase: int = named("coin-toss", "drive", "over")
        score: list[int] = per_team(points())

A field holds an integer or a fixed-size list of integers and nothing else, so that the same rule
can run on an object of the class and on a record of the dtype. The *kind* of a field knows its JSON
form, its range and its value in a new game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias, TypeVar

from hashmark.engine.codegen import make_function
from hashmark.errors import InvalidPosition, UnknownName
from hashmark.sanitize import quote

if TYPE_CHECKING:
    import numpy

Team: TypeAlias = int  # HOME, AWAY or NOBODY
HOME, AWAY, TIE = 0, 1, 2
NOBODY = -1
TEAMS = ("home", "away")
ONE_SCORE_POINTS = 8  # points: maximum of a touchdown with its try
MAX_UNROLLED_VALUES = 8  # maximum number of values that are unrolled in generated code
MAX_POINTS = 999_999  # on a scoreboard; sums of squared margins still fit in 64 bits


class FieldKind:
    """How one field is stored and written; the base class stores one integer."""

    shape: tuple[int, ...] = ()
    dtype = "i4"

    def __init__(self, default: Any = 0) -> None:
        self.default = default

    def new_value(self) -> Any:
        """Return the value in a new record."""
        return self.default

    def json_expression(self, value: str, known: dict[str, Any]) -> str:
        """Return the JSON form as a source expression over the stored value, itself an expression.

        Expressions are used because every turn writes its position: see `_methods`. Constants that
        the expression needs are added to `known`.
        """
        raise NotImplementedError

    @cached_property
    def to_json(self) -> Callable[[Any], Any]:
        """Function that returns the JSON form of a stored value."""
        known: dict[str, Any] = {}
        lines = [f"    return {self.json_expression('value', known)}"]
        function: Callable[[Any], Any] = make_function("to_json", "value", lines, **known)
        return function

    def from_json(self, json: object, where: str) -> Any:
        raise NotImplementedError


class IntField(FieldKind):
    """An integer within a range; one value may stand for null."""

    def __init__(self, low: int, high: int, default: int, null: int | None) -> None:
        super().__init__(default)
        self.low, self.high, self.null_value = low, high, null

    def json_expression(self, value: str, known: dict[str, Any]) -> str:
        if self.null_value is None:
            return f"int({value})"
        return f"None if {value} == {self.null_value} else int({value})"

    def from_json(self, json: object, where: str) -> int:
        if json is None and self.null_value is not None:
            return self.null_value
        if isinstance(json, bool) or not isinstance(json, int):
            raise InvalidPosition(f"{where}: {quote(json)} is not a whole number")
        if not self.low <= json <= self.high:
            raise InvalidPosition(
                f"{where}: {quote(json)} is not between {self.low} and {self.high}"
            )
        return json


class NameField(FieldKind):
    """One of a list of names, stored as its index; null, where allowed, is -1."""

    def __init__(self, names: Sequence[str], default: int, nullable: bool) -> None:
        super().__init__(default)
        self.names, self.nullable = tuple(names), nullable

    def json_expression(self, value: str, known: dict[str, Any]) -> str:
        named = f"{_add_known(self.names, known)}[{value}]"
        return f"None if {value} == -1 else {named}" if self.nullable else named

    def from_json(self, json: object, where: str) -> int:
        if json is None and self.nullable:
            return -1
        if not isinstance(json, str) or json not in self.names:
            raise InvalidPosition(str(UnknownName(where, json, self.names)))
        return self.names.index(json)


class FlagField(FieldKind):
    """True or false, stored as 1 or 0."""

    def json_expression(self, value: str, known: dict[str, Any]) -> str:
        return f"bool({value})"

    def from_json(self, json: object, where: str) -> int:
        if not isinstance(json, bool):
            raise InvalidPosition(f"{where}: {quote(json)} is neither true nor false")
        return int(json)


class KeyedField(FieldKind):
    """A fixed number of values of one kind, written as an object with the given keys."""

    def __init__(self, kind: FieldKind, keys: Sequence[str]) -> None:
        super().__init__()
        self.kind, self.keys = kind, tuple(keys)
        self.shape = (len(self.keys), *kind.shape)
        self.dtype = kind.dtype

    def new_value(self) -> list[Any]:
        return [self.kind.new_value() for _ in self.keys]

    def json_expression(self, value: str, known: dict[str, Any]) -> str:
        if len(self.keys) <= MAX_UNROLLED_VALUES:
            pairs = (
                f"{key!r}: {self.kind.json_expression(f'{value}[{at}]', known)}"
                for at, key in enumerate(self.keys)
            )
            return f"{{{', '.join(pairs)}}}"
        element, keys = self.kind.json_expression("one", known), _add_known(self.keys, known)
        return f"{{key: {element} for key, one in zip({keys}, {value}, strict=True)}}"

    def from_json(self, json: object, where: str) -> list[Any]:
        return self.merge_json(json, self.new_value(), where)

    def merge_json(self, json: object, old: list[Any], where: str) -> list[Any]:
        """Return the old values with those in the JSON object replaced."""
        if not isinstance(json, Mapping):
            raise InvalidPosition(f"{where}: expected an object with {', '.join(self.keys)}")
        value = list(old)
        for key, new in json.items():
            if key not in self.keys:
                raise InvalidPosition(str(UnknownName(f"key in {where}", key, self.keys)))
            index = self.keys.index(key)
            value[index] = _read_value(self.kind, new, value[index], f"{where}.{key}")
        return value


class ListField(FieldKind):
    """A list of up to `max_length` values of one kind; the first stored integer is its length."""

    def __init__(self, kind: FieldKind, most: int) -> None:
        super().__init__()
        self.kind, self.max_length = kind, most
        self.shape = (most + 1,)
        self.dtype = kind.dtype

    def new_value(self) -> list[int]:
        return [0] * (self.max_length + 1)

    def json_expression(self, value: str, known: dict[str, Any]) -> str:
        one = self.kind.json_expression("one", known)
        return f"[{one} for one in {value}[1 : 1 + int({value}[0])]]"

    def from_json(self, json: object, where: str) -> list[int]:
        if not isinstance(json, list):
            raise InvalidPosition(f"{where}: expected a list")
        if len(json) > self.max_length:
            raise InvalidPosition(
                f"{where}: {len(json)} entries, at most {self.max_length} are allowed"
            )
        values = [self.kind.from_json(element, f"{where}[{i}]") for i, element in enumerate(json)]
        return [len(values), *values, *([0] * (self.max_length - len(values)))]


class ArrayField(FieldKind):
    """A fixed number of values of one kind, written as a list."""

    def __init__(self, kind: FieldKind, length: int) -> None:
        super().__init__()
        self.kind, self.length = kind, length
        self.shape = (length, *kind.shape)
        self.dtype = kind.dtype

    def new_value(self) -> list[Any]:
        if not self.kind.shape:
            return [self.kind.new_value()] * self.length
        return [self.kind.new_value() for _ in range(self.length)]

    def json_expression(self, value: str, known: dict[str, Any]) -> str:
        return f"[{self.kind.json_expression('one', known)} for one in {value}]"

    def from_json(self, json: object, where: str) -> list[Any]:
        if not isinstance(json, list) or len(json) != self.length:
            raise InvalidPosition(f"{where}: expected a list of {self.length} values")
        return [self.kind.from_json(element, f"{where}[{i}]") for i, element in enumerate(json)]


def _add_known(value: object, known: dict[str, Any]) -> str:
    """Add a value to `known` and return a name for it."""
    name = f"known{len(known)}"
    known[name] = value
    return name


def _read_value(kind: FieldKind, json: object, old: Any, where: str) -> Any:
    """Read one value; an object with keys may be given in part."""
    if isinstance(kind, KeyedField):
        return kind.merge_json(json, old, where)
    return kind.from_json(json, where)


# Functions that declare fields. They return Any so that a field can be annotated with what it
# holds (int, list[int]) rather than with how it is declared.


def whole(
    low: int, high: int, *, default: int = 0, null_value: int | None = None, bits: int = 32
) -> Any:
    """Declare an integer from low to high; `null_value` is the stored value that JSON shows as
    null.

    The bounds are those within which the game's arithmetic stays exact in this many bits. A long
    row of small numbers may be stored in 16 bits, a bit set in 64.
    """
    kind = IntField(low, high, default, null_value)
    kind.dtype = f"i{bits // 8}"
    return kind


def points() -> Any:
    """Declare a score, with room for every possible game."""
    return IntField(0, MAX_POINTS, 0, None)


def named(*names: str, default: int = 0) -> Any:
    """Declare one of these names."""
    return NameField(names, default, nullable=False)


def named_or_none(*names: str) -> Any:
    """Declare one of these names or null (stored as -1), which is also the default."""
    return NameField(names, -1, nullable=True)


def team(*, default: int = HOME) -> Any:
    """Declare `home` or `away`."""
    return NameField(TEAMS, default, nullable=False)


def team_or_none() -> Any:
    """Declare `home`, `away` or null."""
    return NameField(TEAMS, NOBODY, nullable=True)


def flag(default: bool = False) -> Any:
    """Declare true or false."""
    return FlagField(int(default))


def per_team(kind: FieldKind) -> Any:
    """Declare one value for each team: `{"home": ..., "away": ...}`."""
    return KeyedField(kind, TEAMS)


def each(kind: FieldKind, *keys: str) -> Any:
    """Declare one value for each key."""
    return KeyedField(kind, keys)


def many(kind: FieldKind, max_length: int) -> Any:
    """Declare a list of at most this many values."""
    return ListField(kind, max_length)


def row(kind: FieldKind, length: int) -> Any:
    """Declare a list of exactly this many values."""
    return ArrayField(kind, length)


class _RecordMeta(type):
    """Metaclass that turns declared kinds into slots."""

    def __new__(mcs, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> _RecordMeta:
        declared = {key: kind for key, kind in space.items() if isinstance(kind, FieldKind)}
        for key in declared:
            del space[key]
        space.setdefault("__slots__", tuple(declared))
        cls = super().__new__(mcs, name, bases, space)
        inherited: dict[str, FieldKind] = {}
        for base in reversed(cls.__mro__[1:]):
            inherited.update(getattr(base, "fields", {}))
        cls.fields = {**inherited, **declared}  # type: ignore[attr-defined]
        if cls.fields:  # type: ignore[attr-defined]
            for key, method in _methods(cls.fields).items():  # type: ignore[attr-defined]
                setattr(cls, key, method)
        return cls


def _methods(fields: Mapping[str, FieldKind]) -> dict[str, Any]:
    """Return generated methods that handle all fields; they are called for every turn."""
    forms = ("other.{}", "other.{}[:]", "[row[:] for row in other.{}]", "_copied(other.{})")
    assignments = [
        f"    self.{key} = {forms[_depth(kind)].format(key)}" for key, kind in fields.items()
    ]
    comparison = " and ".join(f"self.{key} == other.{key}" for key in fields)
    flattened = ", ".join(
        ("self.{}", "*self.{}", "*chain(*self.{})", "*_flattened(self.{})")[_depth(kind)].format(
            key
        )
        for key, kind in fields.items()
    )
    known: dict[str, Any] = {"_copied": _copied, "_flattened": _flattened, "chain": chain}
    json_items = (
        f"{key!r}: {kind.json_expression(f'self.{key}', known)}" for key, kind in fields.items()
    )
    source = [
        "def assign(self, other):",
        *assignments,
        "def _equals(self, other):",
        f"    return {comparison}",
        "def flat(self):",
        f"    return [{flattened}]",
        "def to_json(self):",
        f"    return {{{', '.join(json_items)}}}",
    ]
    methods: dict[str, Any] = {}
    exec("\n".join(source), known, methods)
    return methods


def _depth(kind: FieldKind) -> int:
    """Return 0 for a number, and the nesting depth of lists, at most 3."""
    return min(len(kind.shape), 3)


class Record(metaclass=_RecordMeta):
    """Base class of positions and matches."""

    __slots__ = ("handler",)
    fields: ClassVar[dict[str, FieldKind]]
    handler: Any  # effect handler; never saved, never compared

    def __init__(self) -> None:
        self.handler = None
        for key, kind in self.fields.items():
            setattr(self, key, kind.new_value())

    def copy(self) -> Self:
        """Return an equal record that shares nothing with this one and has no effect handler."""
        copied = object.__new__(type(self))
        copied.handler = None
        copied.assign(self)
        return copied

    def assign(self, other: Record) -> None:
        """Copy every value of another record of the same class."""
        raise NotImplementedError  # generated for each class, see `_methods`

    def _equals(self, other: Record) -> bool:
        raise NotImplementedError

    def flat(self) -> list[int]:
        """Return all integers in order of declaration, with lists flattened."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._equals(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        items = ", ".join(f"{k}={v!r}" for k, v in self.to_json().items())
        return f"{type(self).__name__}({items})"

    def to_json(self) -> dict[str, Any]:
        """Return the record in its JSON form, as scenarios write it."""
        raise NotImplementedError

    def update(self, json: Mapping[str, Any], where: str = "position") -> None:
        """Update the record from a partial JSON object; an error changes nothing."""
        if not isinstance(json, Mapping):
            raise InvalidPosition(f"{where}: expected an object, not {quote(json)}")
        values = {}
        for key, value in json.items():
            kind = self.fields.get(key)
            if kind is None:
                raise InvalidPosition(str(UnknownName(f"key in {where}", key, self.fields)))
            values[key] = _read_value(kind, value, getattr(self, key), f"{where}.{key}")
        for key, value in values.items():
            setattr(self, key, value)

    @classmethod
    def from_flat(cls, flat: Iterable[int]) -> Self:
        """Return the record that `flat` was made of."""
        record = object.__new__(cls)
        record.handler = None
        values = iter(flat)
        for key, kind in cls.fields.items():
            setattr(record, key, unflatten(values, kind.shape))
        return record

    @classmethod
    def dtype(cls, extra: Sequence[tuple[Any, ...]] = ()) -> numpy.dtype[Any]:
        """Return the NumPy dtype, with the fields that a compiled reader adds."""
        import numpy

        own = [(key, kind.dtype, kind.shape) for key, kind in cls.fields.items()]
        return numpy.dtype([*own, *extra], align=True)

    def to_array(self, into: numpy.void) -> None:
        """Write every value into one record of a NumPy array."""
        for key in self.fields:
            into[key] = getattr(self, key)

    @classmethod
    def from_array(cls, row: numpy.void) -> Self:
        """Read a record from a NumPy array."""
        record = cls()
        for key in cls.fields:
            setattr(record, key, row[key].tolist())
        return record


class MatchRecord(Record):
    """Base class of matches: what is fixed for a game."""


class PositionRecord(Record):
    """Base class of positions: what changes in a game, with the fields that every game has."""

    phase: int
    period: int
    clock: int
    possession: int
    spot: int
    score: list[int]


MatchT = TypeVar("MatchT", bound=MatchRecord)
PositionT = TypeVar("PositionT", bound=PositionRecord)


def _copied(value: list[Any]) -> list[Any]:
    return [_copied(v) if isinstance(v, list) else v for v in value]


def unflatten(values: Iterator[int], shape: tuple[int, ...]) -> Any:
    """Return nested lists of this shape, filled from the values; a number if it has no shape."""
    if not shape:
        return next(values)
    if len(shape) == 1:
        return list(islice(values, shape[0]))
    return [unflatten(values, shape[1:]) for _ in range(shape[0])]


def _flattened(value: list[Any]) -> Iterator[int]:
    for element in value:
        if isinstance(element, list):
            yield from _flattened(element)
        else:
            yield element


def winner_by_score(g: PositionRecord) -> int:
    """Return HOME, AWAY or TIE by the score."""
    if g.score[HOME] == g.score[AWAY]:
        return TIE
    return HOME if g.score[HOME] > g.score[AWAY] else AWAY


def winner(g: PositionRecord) -> int:
    """Return the winner of a finished game: as the position says, else by the score."""
    if "winner" in g.fields:
        return int(g.winner)  # type: ignore[attr-defined]
    return winner_by_score(g)
