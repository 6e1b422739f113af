"""The mark of a rule: a plain function that compiled readers may compile too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

RULES: list[Callable[..., Any]] = []


def rule(function: Function) -> Function:
    """Note the function for the compiled readers; it stays the plain function it is.

    A rule works on integers, positions, matches and the tables of its game. It may call
    other rules and the effects (`roll`, `check`, `tell`, `draw`, `scratch`), and nothing else.
    """
    RULES.append(function)
    return function
