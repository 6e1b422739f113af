"""Default opponents and the order of coaches and games in menus."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hashmark.table import guests, registry
from hashmark.table.errors import HashmarkError
from hashmark.table.rules import Coach, RuleSet


def default_opponent(rules: str) -> str:
    """Return the seat of the default opponent: the coach `book`, or else the last one."""
    names = [coach.name for coach in registry.load(rules).coaches]
    return f"coach:{'book' if 'book' in names else names[-1]}"


def check_away(rules: RuleSet, options: Mapping[str, Any], away: str | None) -> None:
    """Refuse an away coach if the game with these options is played alone."""
    if away is not None and rules.alone(rules.new_match(options)):
        raise HashmarkError(f"{rules.name} is played alone: there is no seat for away")


def in_order(rules: RuleSet) -> list[Coach]:
    """Return the coaches, the default opponent first and the random one last.

    Registered coaches are included if they can play the game with its default options.
    """
    default = default_opponent(rules.name).partition(":")[2]
    order = {default: -1, "random": len(rules.coaches)}
    available = [*rules.coaches, *(coach for coach in guests.of(rules) if _is_ready(coach, rules))]
    return sorted(available, key=lambda coach: order.get(coach.name, 0))


def _is_ready(coach: Coach, rules: RuleSet) -> bool:
    try:
        return coach.ready is None or coach.ready(rules.new_match()) is None
    except HashmarkError:
        return False


def by_ease() -> list[RuleSet]:
    """Return all games, the easiest first; games without a difficulty come last."""
    games = [registry.load(name) for name in registry.names()]
    last = (len(games), 0)
    return sorted(games, key=lambda game: game.effort.order if game.effort else last)
