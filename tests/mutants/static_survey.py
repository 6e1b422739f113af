"""Static survey of the rules: the lines of each rule and of everything that it can call.

Running every rule alone under a tracer takes minutes; reading the names in its code takes no time.
The result may have more lines than actually run, never fewer, as long as functions are called by
name or through tables that have a name.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator
from functools import cache
from types import FunctionType
from typing import Any

import golden_rules
from golden_near import nested_codes, referenced_values
from mutants.injection import GAMES

GAMES_PREFIX = f"{GAMES}/"
RULE_CHECK_STEPS = 100_000  # approximate steps of a golden line of a rule

Lines = dict[str, frozenset[int]]  # by file below games/


def survey_lines(rules: str) -> dict[str, tuple[int, Lines]]:
    """Return the steps and lines of each rule; for each line, direct callers come first."""
    by_rule = {}
    for key, function in golden_rules.covered_functions(rules).items():
        assert isinstance(function, FunctionType)
        lines: dict[str, set[int]] = {}
        for callee in _reached(function):
            file = callee.__code__.co_filename.removeprefix(GAMES_PREFIX)
            lines.setdefault(file, set()).update(_lines(callee))
        by_rule[key] = (
            RULE_CHECK_STEPS,
            {file: frozenset(numbers) for file, numbers in lines.items()},
        )
    return by_rule


def rules_naming(rules: str, names: Iterable[str]) -> list[str]:
    """Return the rules that name one of these constants, those with few names first."""
    wanted = set(names)
    matches = []
    for key, function in golden_rules.covered_functions(rules).items():
        used = {name for code in nested_codes(function.__code__) for name in code.co_names}
        if used & wanted:
            matches.append((len(used), key))
    return [key for _, key in sorted(matches)]


def bound_names(statement: ast.stmt) -> list[str]:
    """Return the names that a module-level statement binds."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    return [
        node.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]


def _reached(function: FunctionType) -> list[FunctionType]:
    """Return a function and everything that it can call, closest first."""
    reached = [function]
    known = {function}
    for current in reached:
        further = [other for other in _called(current) if other not in known]
        known.update(further)
        reached += dict.fromkeys(further)
    return reached


@cache
def _called(function: FunctionType) -> list[FunctionType]:
    """Return the functions of the games that a function names, directly or in a table."""
    return [
        callee
        for code in nested_codes(function.__code__)
        for value in referenced_values(function, code)
        for callee in _functions(value)
    ]


def _functions(value: Any) -> Iterator[FunctionType]:
    if isinstance(value, tuple | list):
        for item in value:
            yield from _functions(item)
    elif isinstance(value, dict):
        yield from _functions(list(value.values()))
    elif callable(value):
        plain = inspect.unwrap(value)
        if isinstance(plain, FunctionType) and plain.__code__.co_filename.startswith(GAMES_PREFIX):
            yield plain
    elif type(value).__module__.startswith("hashmark."):  # such as dice with their distribution
        yield from _functions([item for item in vars(value).values() if callable(item)])


def _lines(function: FunctionType) -> set[int]:
    return {
        line for code in nested_codes(function.__code__) for *_, line in code.co_lines() if line
    }
