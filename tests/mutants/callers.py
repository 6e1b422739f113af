"""Which lines a rule comes by, as its code says: its own, and those of all that it can call.

To ask every rule alone while somebody watches takes minutes; to read what it names takes none.
More is found than is run, never less, as long as functions are called by their names or lie in
tables that have one.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator
from functools import cache
from types import FunctionType
from typing import Any

import golden_rules
from golden_near import codes, meant
from mutants.surgery import GAMES

INSIDE = f"{GAMES}/"
LINE = 100_000  # steps of a golden line of a rule, about

Lines = dict[str, frozenset[int]]  # by file below games/


def surveyed(rules: str) -> dict[str, tuple[int, Lines]]:
    """Of each rule its steps and lines; for each line those come first that call it directly."""
    found = {}
    for key, function in golden_rules.rules_of(rules).items():
        assert isinstance(function, FunctionType)
        lines: dict[str, set[int]] = {}
        for one in _reached(function):
            file = one.__code__.co_filename.removeprefix(INSIDE)
            lines.setdefault(file, set()).update(_lines(one))
        found[key] = LINE, {file: frozenset(seen) for file, seen in lines.items()}
    return found


def naming(rules: str, names: Iterable[str]) -> list[str]:
    """The rules that name one of these constants, few names first."""
    wanted = set(names)
    found = []
    for key, function in golden_rules.rules_of(rules).items():
        said = {name for code in codes(function.__code__) for name in code.co_names}
        if said & wanted:
            found.append((len(said), key))
    return [key for _, key in sorted(found)]


def bound(statement: ast.stmt) -> list[str]:
    """The names that a statement of a module binds."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    return [
        node.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]


def _reached(function: FunctionType) -> list[FunctionType]:
    """A function and all that it can call, near ones first."""
    found = [function]
    known = {function}
    for one in found:
        further = [other for other in _called(one) if other not in known]
        known.update(further)
        found += dict.fromkeys(further)
    return found


@cache
def _called(function: FunctionType) -> list[FunctionType]:
    """The functions of the games that a function names, alone or in a table."""
    return [
        one
        for code in codes(function.__code__)
        for value in meant(function, code)
        for one in _functions(value)
    ]


def _functions(value: Any) -> Iterator[FunctionType]:
    if isinstance(value, tuple | list):
        for one in value:
            yield from _functions(one)
    elif isinstance(value, dict):
        yield from _functions(list(value.values()))
    elif callable(value):
        plain = inspect.unwrap(value)
        if isinstance(plain, FunctionType) and plain.__code__.co_filename.startswith(INSIDE):
            yield plain
    elif type(value).__module__.startswith("hashmark."):  # such as dice, with how they fall
        yield from _functions([one for one in vars(value).values() if callable(one)])


def _lines(function: FunctionType) -> set[int]:
    return {line for code in codes(function.__code__) for *_, line in code.co_lines() if line}
