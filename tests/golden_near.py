"""Fields that a rule reads and numbers that it names, and positions near them.

A rule behaves differently on the two sides of a number: from the 40 on, with two left on the clock,
with a tied score. Random positions seldom come there; here positions are drawn near those numbers.
Fields and numbers are found in the code of the rule and of the rules that it calls when golden
lines are written, and are stored in the line: a changed rule is asked the same as before.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import CodeType, ModuleType
from typing import Any

from hashmark.engine.generator import RandomStream
from hashmark.engine.record import ArrayField, FieldKind, FlagField, IntField, KeyedField, NameField

MAX_MARK = 1000
MAX_ROW_LENGTH = 40
CALL_DEPTH = 1  # called rules are inspected too, but not the rules that those call
NEAR_PREFIX = "; near "  # prefix in a golden line


@dataclass(frozen=True)
class Neighborhood:
    """Fields of the position that a rule reads, and its numbers."""

    fields: tuple[str, ...]
    marks: tuple[int, ...]

    @classmethod
    def of(cls, function: Callable[..., Any], fields: Iterable[str]) -> Neighborhood:
        """Collect them from the code."""
        names: set[str] = set()
        marks: set[int] = set()
        _collect(function, names, marks, CALL_DEPTH)
        return cls(tuple(key for key in fields if key in names), tuple(sorted(marks)))

    @classmethod
    def read(cls, line: str) -> Neighborhood:
        """Parse them from a golden line."""
        fields, _, rest = line.partition(NEAR_PREFIX)[2].partition(",")
        marks = rest.partition(":")[0]
        return cls(tuple(fields.split()), tuple(map(int, marks.split())))

    def __str__(self) -> str:
        return f"{' '.join(self.fields)}, {' '.join(map(str, self.marks))}"

    def position(self, original: Any, random: RandomStream) -> Any:
        """Return a position with about half of the fields that the rule reads set near numbers."""
        g = original.copy()
        for key in self.fields:
            if random.randbelow(2):
                setattr(g, key, self.value(g.fields[key], getattr(g, key), random))
        return g

    def value(self, kind: FieldKind, old: Any, random: RandomStream) -> Any:
        """Return a value near a number, any name, or a row of values that are often equal."""
        if isinstance(kind, IntField):
            return min(max(self.number(old, random), kind.low), kind.high)
        if isinstance(kind, NameField):
            named = [mark for mark in self.marks if 0 <= mark < len(kind.names)]
            if named and random.randbelow(2):
                return named[random.randbelow(len(named))]
            return random.randbelow(len(kind.names) + kind.nullable) - kind.nullable
        if isinstance(kind, FlagField):
            return random.randbelow(2)
        if isinstance(kind, KeyedField | ArrayField) and len(old) <= MAX_ROW_LENGTH:
            first = self.value(kind.kind, old[0], random)
            is_level = random.randbelow(3) == 0
            return [
                first,
                *(first if is_level else self.value(kind.kind, v, random) for v in old[1:]),
            ]
        return old

    def number(self, old: int, random: RandomStream) -> int:
        """Return one of the marks, or one more or less; sometimes a value near the old one."""
        if not self.marks or random.randbelow(4) == 0:
            return old + random.randbelow(7) - 3
        return self.marks[random.randbelow(len(self.marks))] + (0, 0, 1, -1)[random.randbelow(4)]


def _collect(function: Callable[..., Any], names: set[str], marks: set[int], depth: int) -> None:
    """Collect the names and numbers of a rule and of the rules it calls, `depth` levels deep."""
    for code in nested_codes(function.__code__):
        names.update(code.co_names)
        marks.update(constant for constant in code.co_consts if _is_mark(constant))
        for value in referenced_values(function, code):
            if _is_mark(value):
                marks.add(value)
            elif depth and inspect.isfunction(value) and _is_game_function(value):
                _collect(value, names, marks, depth - 1)


def nested_codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested_codes(constant)


def referenced_values(function: Callable[..., Any], code: CodeType) -> Iterator[Any]:
    """Yield what the names of a function refer to, in its module and in modules that it names."""
    namespace = function.__globals__
    modules = [
        namespace[name] for name in code.co_names if isinstance(namespace.get(name), ModuleType)
    ]
    for name in code.co_names:
        for scope in (namespace, *map(vars, modules)):
            if name in scope:
                yield scope[name]


def _is_game_function(function: Callable[..., Any]) -> bool:
    return function.__module__.startswith("hashmark.games.")


def _is_mark(value: Any) -> bool:
    return type(value) is int and abs(value) <= MAX_MARK
