"""Who sits across the table if nobody is named, and where nobody can."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hashmark.table import guests, registry
from hashmark.table.errors import HashmarkError
from hashmark.table.rules import Coach, RuleSet


def default_opponent(rules: str) -> str:
    """The seat of the opponent if the player names none: the book's coach, or any."""
    names = [coach.name for coach in registry.load(rules).coaches]
    return f"coach:{'book' if 'book' in names else names[-1]}"


def check_away(rules: RuleSet, options: Mapping[str, Any], away: str | None) -> None:
    """Refuse a coach for a seat that a game with these options does not have."""
    if away is not None and rules.alone(rules.new_match(options)):
        raise HashmarkError(f"{rules.name} is played alone: there is no seat for away")


def in_order(rules: RuleSet) -> list[Coach]:
    """The coaches, the usual opponent first and the one that knows nothing last.

    Guests are among them if they can play the game as it is usually played.
    """
    usual = default_opponent(rules.name).partition(":")[2]
    order = {usual: -1, "random": len(rules.coaches)}
    there = [*rules.coaches, *(one for one in guests.of(rules) if _is_ready(one, rules))]
    return sorted(there, key=lambda one: order.get(one.name, 0))


def _is_ready(coach: Coach, rules: RuleSet) -> bool:
    try:
        return coach.ready is None or coach.ready(rules.new_match()) is None
    except HashmarkError:
        return False


def by_ease() -> list[RuleSet]:
    """All games, the easiest first; those that do not say how hard they are come last."""
    games = [registry.load(name) for name in registry.names()]
    last = (len(games), 0)
    return sorted(games, key=lambda game: game.effort.order if game.effort else last)
