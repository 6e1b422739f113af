"""Levels of coaches, and the registry of coaches that are not part of a rule set.

A coach's level says how strong it is among the coaches of its game, so that menus can list coaches
from the weakest to the strongest. Two coaches may share a level.

A factory is registered by its name, `module:function`, and imported when coaches are first listed.
The coaches of `hashmark.values` are always registered.
"""

from __future__ import annotations

import pkgutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashmark.engine.rule_set import Coach, RuleSet

LEVELS = (  # from the weakest to the strongest
    "Walk-on",
    "Rookie",
    "Backup",
    "Starter",
    "Veteran",
    "Pro Bowler",
    "All-Pro",
    "Best play",
)

_FACTORIES = [
    "hashmark.values.coach:best_coach",
    *(f"hashmark.values.pairing_coach:{level}" for level in ("veteran", "starter", "rookie")),
]


def register(factory: str) -> None:
    """Register a factory that returns a coach for each rule set it supports, and None otherwise."""
    if factory not in _FACTORIES:
        _FACTORIES.append(factory)


def registered_coaches(rules: RuleSet) -> list[Coach]:
    """Return the registered coaches that support a rule set."""
    found = (pkgutil.resolve_name(factory)(rules) for factory in _FACTORIES)
    return [coach for coach in found if coach is not None]
