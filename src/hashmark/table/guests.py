"""Registry of coaches that are not part of a rule set."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashmark.table.rules import Coach, RuleSet

    Offer = Callable[[RuleSet], Coach | None]

_FACTORIES: list[Offer] = []


def offer(make: Offer) -> None:
    """Register a factory that returns a coach for each rule set it supports, and None otherwise."""
    _FACTORIES.append(make)


def of(rules: RuleSet) -> list[Coach]:
    """Return the registered coaches that support a rule set."""
    return [coach for make in _FACTORIES if (coach := make(rules)) is not None]
