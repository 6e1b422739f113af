"""Hashmark: gridiron football dice games, played, simulated and solved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hashmark.table import guests

if TYPE_CHECKING:
    from hashmark.table.rules import Coach, RuleSet

__version__ = "0.1.0"


def _best_coach(rules: RuleSet) -> Coach | None:
    """Return the coach `best`; its module is imported only when coaches are listed."""
    from hashmark.values.coach import coach_of

    return coach_of(rules)


guests.offer(_best_coach)
