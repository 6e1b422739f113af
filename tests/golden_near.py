"""What a rule looks at: the fields that it reads and the numbers that it names.

A rule does something else on one side of a number than on the other: from the 40 on, with two
left on the clock, with level scores. Positions drawn at large seldom come there; here they are
drawn near those numbers. Fields and numbers are found in the code of the rule and of the rules that
it calls, when golden lines are written, and stand in the line from then on: a rule that is changed
is asked the same as before.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import CodeType, ModuleType
from typing import Any

from hashmark.table.generator import Stream
from hashmark.table.record import Each, Flag, Kind, Named, Row, Whole

LARGEST = 1000  # of the numbers that are marks
LONGEST_ROW = 40
CALLS = 1  # rules that it calls are looked at too, but not what those call
WORD = "; near "  # what stands before it in a line


@dataclass(frozen=True)
class Near:
    """The fields of the position that a rule reads, and its numbers."""

    fields: tuple[str, ...]
    marks: tuple[int, ...]

    @classmethod
    def of(cls, function: Callable[..., Any], fields: Iterable[str]) -> Near:
        """What the code says."""
        names: set[str] = set()
        marks: set[int] = set()
        _look(function, names, marks, CALLS)
        return cls(tuple(key for key in fields if key in names), tuple(sorted(marks)))

    @classmethod
    def read(cls, line: str) -> Near:
        """What a golden line says."""
        fields, _, rest = line.partition(WORD)[2].partition(",")
        marks = rest.partition(":")[0]
        return cls(tuple(fields.split()), tuple(map(int, marks.split())))

    def __str__(self) -> str:
        return f"{' '.join(self.fields)}, {' '.join(map(str, self.marks))}"

    def position(self, honest: Any, luck: Stream) -> Any:
        """A position with about half of what the rule reads put near its numbers."""
        g = honest.copy()
        for key in self.fields:
            if luck.below(2):
                setattr(g, key, self.value(g.fields[key], getattr(g, key), luck))
        return g

    def value(self, kind: Kind, was: Any, luck: Stream) -> Any:
        """A value near a number, any name, or a row of values that are often level."""
        if isinstance(kind, Whole):
            return min(max(self.number(was, luck), kind.low), kind.high)
        if isinstance(kind, Named):
            named = [mark for mark in self.marks if 0 <= mark < len(kind.names)]
            if named and luck.below(2):
                return named[luck.below(len(named))]
            return luck.below(len(kind.names) + kind.nullable) - kind.nullable
        if isinstance(kind, Flag):
            return luck.below(2)
        if isinstance(kind, Each | Row) and len(was) <= LONGEST_ROW:
            first = self.value(kind.kind, was[0], luck)
            level = luck.below(3) == 0
            return [first, *(first if level else self.value(kind.kind, v, luck) for v in was[1:])]
        return was

    def number(self, was: int, luck: Stream) -> int:
        """One of the marks, or one more or less; now and then near what was there."""
        if not self.marks or luck.below(4) == 0:
            return was + luck.below(7) - 3
        return self.marks[luck.below(len(self.marks))] + (0, 0, 1, -1)[luck.below(4)]


def _look(function: Callable[..., Any], names: set[str], marks: set[int], calls: int) -> None:
    """Gather the names and the numbers of a rule, and of those that it calls, so many deep."""
    for code in codes(function.__code__):
        names.update(code.co_names)
        marks.update(one for one in code.co_consts if _is_mark(one))
        for value in meant(function, code):
            if _is_mark(value):
                marks.add(value)
            elif calls and inspect.isfunction(value) and _of_a_game(value):
                _look(value, names, marks, calls - 1)


def codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from codes(one)


def meant(function: Callable[..., Any], code: CodeType) -> Iterator[Any]:
    """What the names of a function stand for, in its module and in those that it names."""
    known = function.__globals__
    modules = [known[name] for name in code.co_names if isinstance(known.get(name), ModuleType)]
    for name in code.co_names:
        for holder in (known, *map(vars, modules)):
            if name in holder:
                yield holder[name]


def _of_a_game(function: Callable[..., Any]) -> bool:
    return function.__module__.startswith("hashmark.games.")


def _is_mark(value: Any) -> bool:
    return type(value) is int and abs(value) <= LARGEST
