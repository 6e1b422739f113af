"""From every way that a rule goes, each field and number a step over each of its edges.

Drawn positions seldom meet three conditions at once, and a rule that says `<` for `<=` differs in
one value of one field. So askings of a rule are kept that differ in what came of them: in what was
told and changed, in which rules were called. From each of them everything that the rule reads is
put beside each of the numbers that it names, one at a time; a way that is new is kept in its turn.
"""

from __future__ import annotations

import inspect
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import hashmark.games
from golden_near import Near
from golden_numbers import DRILL, RANGES, WorkSpace
from hashmark.table.generator import Stream
from hashmark.table.record import Each, Kind, Many, Named, Whole

INSIDE = tuple(hashmark.games.__path__)
OF_A_WAY = 3  # askings that are kept, each with another answer
SWEPT, FEWEST = 1500, 12  # askings of the sweep in all, and where it begins at least
MOST_CALLS = 40_000  # of functions in a sweep, after which it ends: some rules reckon for long
FEW, LEVEL = 20, 40  # what counts as a few of something, and points of both in a game that is level


@dataclass(frozen=True)
class Asking:
    """What a rule was given: the position as it was, all arguments, the seed of the dice."""

    g: Any
    given: list[Any]  # with None in the place of the position
    seed: int

    def again(self) -> tuple[Any, list[Any]]:
        """The same once more, all of it new."""
        g = self.g.copy()
        return g, [g if one is None else _copied(one) for one in self.given]

    def rewritten(self, given: list[Any]) -> list[tuple[int, int]]:
        """Where a list among the arguments has been written to, and what."""
        return [
            (at, now)
            for one, other in zip(self.given, given, strict=True)
            if isinstance(one, list) and one != other
            for at, (was, now) in enumerate(zip(one, other, strict=False))
            if was != now
        ]


@dataclass
class Ways:
    """The ways that a rule has gone, with a few askings of each."""

    found: dict[Any, dict[Any, Asking]] = field(default_factory=dict)

    def note(self, way: Any, answer: Any, asking: Callable[[], Asking]) -> None:
        seen = self.found.setdefault(way, {})
        said = repr(answer) if isinstance(answer, list) else answer
        if len(seen) < OF_A_WAY and said not in seen:
            seen[said] = asking()

    def askings(self) -> Iterator[Asking]:
        """The first of each way, also of those that are found meanwhile; then the others."""
        for number in range(OF_A_WAY):
            at = 0
            while at < len(self.found):
                seen = list(self.found.values())[at]
                yield from list(seen.values())[number : number + 1]
                at += 1


def edges(near: Near, kinds: Mapping[str, Kind], takes: list[inspect.Parameter]) -> list[Any]:
    """Every field and argument that can be put, with every value beside one of the numbers."""
    beside = sorted({mark + by for mark in near.marks for by in (-1, 0, 1)})
    fields = [(key, one) for key in near.fields for one in beside if _may_be(kinds[key], one)]
    numbers = [(at, one) for at, of in enumerate(takes) for one in beside if _may_be_given(of, one)]
    return [*fields, *numbers]


def swept(ways: Ways, over: list[Any]) -> Iterator[Asking]:
    """Each asking of the sweep; whoever asks notes the ways."""
    for asking in islice(ways.askings(), max(FEWEST, SWEPT // max(1, len(over)))):
        luck = Stream(asking.seed, 0, 0)
        for key, value in over:
            g, given = asking.again()
            if isinstance(key, int):
                given[key] = value
            else:
                put(g, key, value, luck)
            yield Asking(g, [None if one is g else one for one in given], asking.seed)


def put(g: Any, key: str, value: int, luck: Stream) -> None:
    """Give a field of a position a value: scores differ by it, a list has it as its length."""
    kind = g.fields[key]
    if isinstance(kind, Each) and isinstance(kind.kind, Whole):
        if kind.kind.high <= FEW:
            setattr(g, key, [value] * len(kind.keys))
        else:
            pair = [LEVEL + value, LEVEL]
            setattr(g, key, pair if luck.below(2) else pair[::-1])
    elif isinstance(kind, Many):
        getattr(g, key)[0] = value
    else:
        setattr(g, key, value)


def called(function: Callable[..., Any], given: list[Any]) -> tuple[Any, Counter[str]]:
    """What a rule answers, and how often it calls which functions of the games."""
    names: Counter[str] = Counter()

    def note(frame: Any, what: str, _: Any) -> None:
        code = frame.f_code
        if what == "call" and code.co_filename.startswith(INSIDE) and code.co_name[0] != "<":
            names[code.co_name] += 1

    was = sys.getprofile()
    sys.setprofile(note)
    try:
        answer = function(*given)
    except Exception as fault:
        answer = type(fault)
    finally:
        sys.setprofile(was)
    return answer, names


def _may_be(kind: Kind, value: int) -> bool:
    if isinstance(kind, Whole):
        return kind.low <= value <= kind.high
    if isinstance(kind, Named):
        return 0 <= value < len(kind.names)
    if isinstance(kind, Many):
        return 0 <= value <= kind.most
    if isinstance(kind, Each) and isinstance(kind.kind, Whole):
        few = kind.kind.low <= value <= kind.kind.high
        return few if kind.kind.high <= FEW else len(kind.keys) == 2 and abs(value) <= LEVEL
    return False


def _may_be_given(of: inspect.Parameter, value: int) -> bool:
    if of.annotation != "int" or of.name in WorkSpace.NAMES:
        return False
    first, count = {**RANGES, **DRILL}.get(of.name, (-1000, 2001))
    return first <= value < first + count


def _copied(one: Any) -> Any:
    if isinstance(one, list):
        return [*one]
    return one.copy() if hasattr(one, "fields") else one
