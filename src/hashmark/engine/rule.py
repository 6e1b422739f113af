"""Decorator of rules: plain functions that can also be compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

REGISTERED_RULES: list[Callable[..., Any]] = []


def rule(function: Function) -> Function:
    """Register a function for the compiled readers and return it unchanged.

    A rule works on integers, positions, matches and the tables of its game. It may call other rules
    and the effects (`roll`, `check`, `emit`, `draw`, `scratch`), and nothing else.
    """
    REGISTERED_RULES.append(function)
    return function
