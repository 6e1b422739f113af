"""Positions and matches: one declaration gives a Python class, a NumPy dtype and a JSON form.

    class Position(Record):
        phase: int = named("coin-toss", "drive", "over")
        score: list[int] = per_team(points())

A field holds an integer or a fixed-size list of integers and nothing else, so that the
same rule can run on an object of the class and on a record of the dtype. The *kind* of a
field knows its JSON form, its range and its value in a new game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, ClassVar

from hashmark.table.errors import InvalidPosition, UnknownName
from hashmark.table.readable import shown
from hashmark.table.written import written

if TYPE_CHECKING:
    import numpy

HOME, AWAY, TIE = 0, 1, 2
NOBODY = -1
TEAMS = ("home", "away")
ONE_SCORE = 8  # points: the most that a touchdown and its try bring
FEW = 8  # values that are written out one by one
MOST_POINTS = 999_999  # on a scoreboard; sums of squared margins still fit into 64 bits


class Kind:
    """How one field is stored and written; the base class stores one integer."""

    shape: tuple[int, ...] = ()
    dtype = "i4"

    def __init__(self, default: Any = 0) -> None:
        self.default = default

    def new(self) -> Any:
        """The value in a new record."""
        return self.default

    def spelled(self, value: str, known: dict[str, Any]) -> str:
        """The JSON form as an expression over the stored value, itself an expression.

        Expressions, since every turn writes its position: see `_methods`. What one needs besides
        is put among what is known.
        """
        raise NotImplementedError

    @cached_property
    def to_json(self) -> Callable[[Any], Any]:
        """The JSON form of a stored value by itself."""
        known: dict[str, Any] = {}
        lines = [f"    return {self.spelled('value', known)}"]
        made: Callable[[Any], Any] = written("to_json", "value", lines, **known)
        return made

    def from_json(self, json: Any, where: str) -> Any:
        raise NotImplementedError


class Whole(Kind):
    """A whole number within a range; one value may stand for null."""

    def __init__(self, low: int, high: int, default: int, null: int | None) -> None:
        super().__init__(default)
        self.low, self.high, self.null = low, high, null

    def spelled(self, value: str, known: dict[str, Any]) -> str:
        if self.null is None:
            return f"int({value})"
        return f"None if {value} == {self.null} else int({value})"

    def from_json(self, json: Any, where: str) -> int:
        if json is None and self.null is not None:
            return self.null
        if isinstance(json, bool) or not isinstance(json, int):
            raise InvalidPosition(f"{where}: {shown(json)} is not a whole number")
        if not self.low <= json <= self.high:
            raise InvalidPosition(
                f"{where}: {shown(json)} is not between {self.low} and {self.high}"
            )
        return json


class Named(Kind):
    """One of a list of names, stored as its index; null, where allowed, is -1."""

    def __init__(self, names: Sequence[str], default: int, nullable: bool) -> None:
        super().__init__(default)
        self.names, self.nullable = tuple(names), nullable

    def spelled(self, value: str, known: dict[str, Any]) -> str:
        named = f"{_noted(self.names, known)}[{value}]"
        return f"None if {value} == -1 else {named}" if self.nullable else named

    def from_json(self, json: Any, where: str) -> int:
        if json is None and self.nullable:
            return -1
        if json not in self.names:
            raise InvalidPosition(str(UnknownName(where, json, self.names)))
        return self.names.index(json)


class Flag(Kind):
    """True or false, stored as 1 or 0."""

    def spelled(self, value: str, known: dict[str, Any]) -> str:
        return f"bool({value})"

    def from_json(self, json: Any, where: str) -> int:
        if not isinstance(json, bool):
            raise InvalidPosition(f"{where}: {shown(json)} is neither true nor false")
        return int(json)


class Each(Kind):
    """A fixed number of values of one kind, written as an object with the given keys."""

    def __init__(self, kind: Kind, keys: Sequence[str]) -> None:
        super().__init__()
        self.kind, self.keys = kind, tuple(keys)
        self.shape = (len(self.keys), *kind.shape)
        self.dtype = kind.dtype

    def new(self) -> list[Any]:
        return [self.kind.new() for _ in self.keys]

    def spelled(self, value: str, known: dict[str, Any]) -> str:
        if len(self.keys) <= FEW:
            pairs = (
                f"{key!r}: {self.kind.spelled(f'{value}[{at}]', known)}"
                for at, key in enumerate(self.keys)
            )
            return f"{{{', '.join(pairs)}}}"
        inside, keys = self.kind.spelled("one", known), _noted(self.keys, known)
        return f"{{key: {inside} for key, one in zip({keys}, {value}, strict=True)}}"

    def from_json(self, json: Any, where: str) -> list[Any]:
        return self.merged(json, self.new(), where)

    def merged(self, json: Any, old: Any, where: str) -> list[Any]:
        """The old values with those that the JSON object names put in their place."""
        if not isinstance(json, Mapping):
            raise InvalidPosition(f"{where}: expected an object with {', '.join(self.keys)}")
        value = list(old)
        for key, one in json.items():
            if key not in self.keys:
                raise InvalidPosition(str(UnknownName(f"key in {where}", key, self.keys)))
            at = self.keys.index(key)
            value[at] = _read(self.kind, one, value[at], f"{where}.{key}")
        return value


class Many(Kind):
    """A list of up to `most` values of one kind; the first stored integer is its length."""

    def __init__(self, kind: Kind, most: int) -> None:
        super().__init__()
        self.kind, self.most = kind, most
        self.shape = (most + 1,)
        self.dtype = kind.dtype

    def new(self) -> list[int]:
        return [0] * (self.most + 1)

    def spelled(self, value: str, known: dict[str, Any]) -> str:
        return f"[{self.kind.spelled('one', known)} for one in {value}[1 : 1 + int({value}[0])]]"

    def from_json(self, json: Any, where: str) -> list[int]:
        if not isinstance(json, list):
            raise InvalidPosition(f"{where}: expected a list")
        if len(json) > self.most:
            raise InvalidPosition(f"{where}: {len(json)} entries, at most {self.most} are allowed")
        read = [self.kind.from_json(one, f"{where}[{i}]") for i, one in enumerate(json)]
        return [len(read), *read, *([0] * (self.most - len(read)))]


class Row(Kind):
    """A fixed number of values of one kind, written as a list."""

    def __init__(self, kind: Kind, length: int) -> None:
        super().__init__()
        self.kind, self.length = kind, length
        self.shape = (length, *kind.shape)
        self.dtype = kind.dtype

    def new(self) -> list[Any]:
        if not self.kind.shape:
            return [self.kind.new()] * self.length
        return [self.kind.new() for _ in range(self.length)]

    def spelled(self, value: str, known: dict[str, Any]) -> str:
        return f"[{self.kind.spelled('one', known)} for one in {value}]"

    def from_json(self, json: Any, where: str) -> list[Any]:
        if not isinstance(json, list) or len(json) != self.length:
            raise InvalidPosition(f"{where}: expected a list of {self.length} values")
        return [self.kind.from_json(one, f"{where}[{i}]") for i, one in enumerate(json)]


def _noted(value: Any, known: dict[str, Any]) -> str:
    """A name for something that an expression needs."""
    name = f"known{len(known)}"
    known[name] = value
    return name


def _read(kind: Kind, json: Any, old: Any, where: str) -> Any:
    """Read one value; an object of named parts may be given in part."""
    return kind.merged(json, old, where) if isinstance(kind, Each) else kind.from_json(json, where)


# The words a declaration is written in. They return Any so that a field can be annotated
# with what it holds (int, list[int]) rather than with how it is declared.


def whole(low: int, high: int, *, default: int = 0, null: int | None = None, bits: int = 32) -> Any:
    """A whole number from low to high; `null` is the stored value that JSON shows as null.

    The bounds are those within which the game's arithmetic stays exact in so many bits. A long
    row of small numbers may be kept in 16, bits of a set in 64.
    """
    made = Whole(low, high, default, null)
    made.dtype = f"i{bits // 8}"
    return made


def points() -> Any:
    """A score, with room for every game that can be played."""
    return Whole(0, MOST_POINTS, 0, None)


def named(*names: str, default: int = 0) -> Any:
    """One of these names."""
    return Named(names, default, nullable=False)


def named_or_none(*names: str) -> Any:
    """One of these names, or null (stored as -1), which is also the default."""
    return Named(names, -1, nullable=True)


def team(*, default: int = HOME) -> Any:
    """`home` or `away`."""
    return Named(TEAMS, default, nullable=False)


def team_or_none() -> Any:
    """`home`, `away` or null."""
    return Named(TEAMS, NOBODY, nullable=True)


def flag(default: bool = False) -> Any:
    """True or false."""
    return Flag(int(default))


def per_team(kind: Any) -> Any:
    """One value for each team: `{"home": ..., "away": ...}`."""
    return Each(kind, TEAMS)


def each(kind: Any, *keys: str) -> Any:
    """One value for each key."""
    return Each(kind, keys)


def many(kind: Any, most: int) -> Any:
    """A list of at most so many values."""
    return Many(kind, most)


def row(kind: Any, length: int) -> Any:
    """A list of exactly so many values."""
    return Row(kind, length)


class _RecordMeta(type):
    """Turns the declared kinds into slots."""

    def __new__(mcs, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> _RecordMeta:
        declared = {key: kind for key, kind in space.items() if isinstance(kind, Kind)}
        for key in declared:
            del space[key]
        space.setdefault("__slots__", tuple(declared))
        made = super().__new__(mcs, name, bases, space)
        inherited: dict[str, Kind] = {}
        for base in reversed(made.__mro__[1:]):
            inherited.update(getattr(base, "fields", {}))
        made.fields = {**inherited, **declared}  # type: ignore[attr-defined]
        if made.fields:  # type: ignore[attr-defined]
            for key, method in _methods(made.fields).items():  # type: ignore[attr-defined]
                setattr(made, key, method)
        return made


def _methods(fields: Mapping[str, Kind]) -> dict[str, Any]:
    """The methods that go through all fields, written out: they are called for every turn."""
    forms = ("other.{}", "other.{}[:]", "[row[:] for row in other.{}]", "_copied(other.{})")
    taken = [f"    self.{key} = {forms[_depth(kind)].format(key)}" for key, kind in fields.items()]
    equal = " and ".join(f"self.{key} == other.{key}" for key in fields)
    laid = ", ".join(
        ("self.{}", "*self.{}", "*chain(*self.{})", "*_flattened(self.{})")[_depth(kind)].format(
            key
        )
        for key, kind in fields.items()
    )
    known: dict[str, Any] = {"_copied": _copied, "_flattened": _flattened, "chain": chain}
    said = (f"{key!r}: {kind.spelled(f'self.{key}', known)}" for key, kind in fields.items())
    source = [
        "def assign(self, other):",
        *taken,
        "def _equals(self, other):",
        f"    return {equal}",
        "def flat(self):",
        f"    return [{laid}]",
        "def to_json(self):",
        f"    return {{{', '.join(said)}}}",
    ]
    made: dict[str, Any] = {}
    exec("\n".join(source), known, made)
    return made


def _depth(kind: Kind) -> int:
    """0 for a number, 1 for a list, 2 for lists in it, 3 for lists in those."""
    return min(len(kind.shape), 3)


class Record(metaclass=_RecordMeta):
    """The base of every position and every match."""

    __slots__ = ("table",)
    fields: ClassVar[dict[str, Kind]]
    table: Any  # who rolls the dice and hears the story; never saved, never compared

    def __init__(self) -> None:
        self.table = None
        for key, kind in self.fields.items():
            setattr(self, key, kind.new())

    def copy(self) -> Any:
        """An equal record that shares nothing with this one; it sits at no table."""
        twin = object.__new__(type(self))
        twin.table = None
        twin.assign(self)
        return twin

    def assign(self, other: Record) -> None:
        """Take over every value of another record of the same class."""
        raise NotImplementedError  # each class has its own, see `_methods`

    def _equals(self, other: Record) -> bool:
        raise NotImplementedError

    def flat(self) -> list[int]:
        """All integers in order of declaration, lists laid out one after the other."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._equals(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        inside = ", ".join(f"{k}={v!r}" for k, v in self.to_json().items())
        return f"{type(self).__name__}({inside})"

    def to_json(self) -> dict[str, Any]:
        """The record with names, as scenarios write it."""
        raise NotImplementedError

    def update(self, json: Mapping[str, Any], where: str = "position") -> None:
        """Read a partial record: what it leaves out keeps its value; a fault changes nothing."""
        if not isinstance(json, Mapping):
            raise InvalidPosition(f"{where}: expected an object, not {shown(json)}")
        read = {}
        for key, value in json.items():
            kind = self.fields.get(key)
            if kind is None:
                raise InvalidPosition(str(UnknownName(f"key in {where}", key, self.fields)))
            read[key] = _read(kind, value, getattr(self, key), f"{where}.{key}")
        for key, value in read.items():
            setattr(self, key, value)

    @classmethod
    def from_flat(cls, flat: Iterable[int]) -> Any:
        """The record that `flat` was made of."""
        made = object.__new__(cls)
        made.table = None
        values = iter(flat)
        for key, kind in cls.fields.items():
            setattr(made, key, _shaped(values, kind.shape) if kind.shape else next(values))
        return made

    @classmethod
    def dtype(cls, extra: Sequence[tuple[Any, ...]] = ()) -> numpy.dtype[Any]:
        """The NumPy form, with the fields a compiled reader adds for itself."""
        import numpy

        own = [(key, kind.dtype, kind.shape) for key, kind in cls.fields.items()]
        return numpy.dtype([*own, *extra], align=True)

    def to_array(self, into: Any) -> None:
        """Write every value into one record of a NumPy array."""
        for key in self.fields:
            into[key] = getattr(self, key)

    @classmethod
    def from_array(cls, row: Any) -> Any:
        """Read a record back from a NumPy array."""
        made = cls()
        for key in cls.fields:
            setattr(made, key, row[key].tolist())
        return made


def _copied(value: list[Any]) -> list[Any]:
    return [_copied(v) if isinstance(v, list) else v for v in value]


def _shaped(values: Iterator[int], shape: tuple[int, ...]) -> list[Any]:
    """Nested lists of this shape, filled from the values."""
    if len(shape) == 1:
        return list(islice(values, shape[0]))
    return [_shaped(values, shape[1:]) for _ in range(shape[0])]


def _flattened(value: list[Any]) -> Iterator[int]:
    for one in value:
        if isinstance(one, list):
            yield from _flattened(one)
        else:
            yield one


def winner_by_score(g: Any) -> int:
    """The higher score wins: HOME, AWAY or TIE."""
    if g.score[HOME] == g.score[AWAY]:
        return TIE
    return HOME if g.score[HOME] > g.score[AWAY] else AWAY


def winner(g: Any) -> int:
    """Of a finished game: as the position says, else by the score."""
    return int(g.winner) if "winner" in g.fields else winner_by_score(g)
