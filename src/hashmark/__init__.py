"""Hashmark: gridiron football dice games, played, simulated and solved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hashmark.table import guests

if TYPE_CHECKING:
    from hashmark.table.rules import Coach, RuleSet

__version__ = "0.1.0"


def _best(rules: RuleSet) -> Coach | None:
    """The coach `best`, of whom nothing is imported before somebody asks for coaches."""
    from hashmark.values.coach import coach_of

    return coach_of(rules)


guests.offer(_best)
