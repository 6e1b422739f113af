"""Sweep over edges: from every path through a rule, each field and number moved across its limits.

Random positions seldom meet three conditions at once, and a rule with `<` for `<=` differs in one
value of one field. So calls of a rule are kept that differ in their result: in events, changes and
called rules. From each of them everything that the rule reads is set to a value beside each of the
numbers that it names, one at a time. New paths that this finds are swept as well.
"""

from __future__ import annotations

import inspect
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from golden_near import Neighborhood
from golden_numbers import DRILL, RANGES, WorkSpace
from hashmark.engine.generator import RandomStream
from hashmark.engine.record import FieldKind, IntField, KeyedField, ListField, NameField
from hashmark.games import PACKAGE_PATH as GAME_PATHS

MAX_PER_PATH = 3  # invocations kept for each path, each with another answer
SWEEP_SIZE, MIN_STARTS = 1500, 12  # invocations in a sweep, and minimum number of its starts
MAX_SWEEP_CALLS = (
    40_000  # of functions in a sweep, after which it ends: some rules compute for long
)
SMALL_LIMIT, LEVEL_SCORE = 20, 40  # highest value of a small count; points of both teams if level


@dataclass(frozen=True)
class Invocation:
    """Invocation of a rule: the position before it, all arguments, and the seed of the dice."""

    g: Any
    arguments: list[Any]  # with None in place of the position
    seed: int

    def fresh_copy(self) -> tuple[Any, list[Any]]:
        """Return fresh copies of the position and the arguments."""
        g = self.g.copy()
        return g, [g if argument is None else _copy(argument) for argument in self.arguments]

    def list_writes(self, given: list[Any]) -> list[tuple[int, int]]:
        """Return the indexes and new values that were written to lists among the arguments."""
        return [
            (index, new)
            for before, after in zip(self.arguments, given, strict=True)
            if isinstance(before, list) and before != after
            for index, (old, new) in enumerate(zip(before, after, strict=False))
            if old != new
        ]


@dataclass
class RulePaths:
    """Paths that a rule has taken, with a few invocations of each."""

    invocations_by_path: dict[Any, dict[Any, Invocation]] = field(default_factory=dict)

    def record(self, way: Any, answer: Any, asking: Callable[[], Invocation]) -> None:
        invocations = self.invocations_by_path.setdefault(way, {})
        answer_key = repr(answer) if isinstance(answer, list) else answer
        if len(invocations) < MAX_PER_PATH and answer_key not in invocations:
            invocations[answer_key] = asking()

    def invocations(self) -> Iterator[Invocation]:
        """Yield the first invocation of each path, including new paths; then the others."""
        for number in range(MAX_PER_PATH):
            index = 0
            while index < len(self.invocations_by_path):
                invocations = list(self.invocations_by_path.values())[index]
                yield from list(invocations.values())[number : number + 1]
                index += 1


def edge_values(
    near: Neighborhood, kinds: Mapping[str, FieldKind], takes: list[inspect.Parameter]
) -> list[Any]:
    """Return every field and argument with every valid value beside one of the numbers."""
    beside = sorted({number + offset for number in near.marks for offset in (-1, 0, 1)})
    fields = [
        (key, value)
        for key in near.fields
        for value in beside
        if _is_valid_field(kinds[key], value)
    ]
    numbers = [
        (index, value)
        for index, parameter in enumerate(takes)
        for value in beside
        if _is_valid_argument(parameter, value)
    ]
    return [*fields, *numbers]


def sweep(ways: RulePaths, changes: list[Any]) -> Iterator[Invocation]:
    """Yield each invocation of the sweep; the caller notes the paths."""
    for invocation in islice(
        ways.invocations(), max(MIN_STARTS, SWEEP_SIZE // max(1, len(changes)))
    ):
        random = RandomStream(invocation.seed, 0, 0)
        for key, value in changes:
            g, given = invocation.fresh_copy()
            if isinstance(key, int):
                given[key] = value
            else:
                set_field(g, key, value, random)
            yield Invocation(
                g, [None if argument is g else argument for argument in given], invocation.seed
            )


def set_field(g: Any, key: str, value: int, random: RandomStream) -> None:
    """Set a field of a position: scores differ by the value, a list has it as its length."""
    kind = g.fields[key]
    if isinstance(kind, KeyedField) and isinstance(kind.kind, IntField):
        if kind.kind.high <= SMALL_LIMIT:
            setattr(g, key, [value] * len(kind.keys))
        else:
            pair = [LEVEL_SCORE + value, LEVEL_SCORE]
            setattr(g, key, pair if random.randbelow(2) else pair[::-1])
    elif isinstance(kind, ListField):
        getattr(g, key)[0] = value
    else:
        setattr(g, key, value)


def call_traced(function: Callable[..., Any], given: list[Any]) -> tuple[Any, Counter[str]]:
    """Return the answer of a rule, and how often it calls which functions of the games."""
    names: Counter[str] = Counter()

    def count_call(frame: Any, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(GAME_PATHS) and code.co_name[0] != "<":
            names[code.co_name] += 1

    previous = sys.getprofile()
    sys.setprofile(count_call)
    try:
        answer = function(*given)
    except Exception as fault:
        answer = type(fault)
    finally:
        sys.setprofile(previous)
    return answer, names


def _is_valid_field(kind: FieldKind, value: int) -> bool:
    if isinstance(kind, IntField):
        return kind.low <= value <= kind.high
    if isinstance(kind, NameField):
        return 0 <= value < len(kind.names)
    if isinstance(kind, ListField):
        return 0 <= value <= kind.max_length
    if isinstance(kind, KeyedField) and isinstance(kind.kind, IntField):
        few = kind.kind.low <= value <= kind.kind.high
        return (
            few
            if kind.kind.high <= SMALL_LIMIT
            else len(kind.keys) == 2 and abs(value) <= LEVEL_SCORE
        )
    return False


def _is_valid_argument(parameter: inspect.Parameter, value: int) -> bool:
    if parameter.annotation != "int" or parameter.name in WorkSpace.NAMES:
        return False
    first, count = {**RANGES, **DRILL}.get(parameter.name, (-1000, 2001))
    return first <= value < first + count


def _copy(value: Any) -> Any:
    if isinstance(value, list):
        return [*value]
    return value.copy() if hasattr(value, "fields") else value
