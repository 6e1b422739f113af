"""Coaches that are no part of a rule set: whoever knows more than the rules may offer them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashmark.table.rules import Coach, RuleSet

    Offer = Callable[[RuleSet], Coach | None]

_OFFERS: list[Offer] = []


def offer(make: Offer) -> None:
    """From now on, this coach comes to every game that it knows; None where it does not."""
    _OFFERS.append(make)


def of(rules: RuleSet) -> list[Coach]:
    """The guests that know a game."""
    return [coach for make in _OFFERS if (coach := make(rules)) is not None]
