"""Default opponents and the order of coaches and games in menus."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hashmark.engine import registry
from hashmark.engine.rule_set import Coach, RuleSet
from hashmark.errors import HashmarkError


def default_opponent(rules: str) -> str:
    """Return the seat of the default opponent: the coach `book`, or else the last one."""
    names = [coach.name for coach in registry.load(rules).coaches]
    return f"coach:{'book' if 'book' in names else names[-1]}"


def check_away_seat(rules: RuleSet, options: Mapping[str, Any], away: str | None) -> None:
    """Refuse an away coach if the game with these options is played alone."""
    if away is not None and rules.is_solo(rules.new_match(options)):
        raise HashmarkError(f"{rules.name} is a solo game: leave --away out")


def coaches_in_order(rules: RuleSet) -> list[Coach]:
    """Return the coaches that can play the game with its default options, the weakest first."""
    return [coach for coach in rules.coaches_by_strength() if _is_ready(coach, rules)]


def _is_ready(coach: Coach, rules: RuleSet) -> bool:
    try:
        return coach.check_match is None or coach.check_match(rules.new_match()) is None
    except HashmarkError:
        return False


def games_by_difficulty() -> list[RuleSet]:
    """Return all games, the easiest first; games without a difficulty come last."""
    games = [registry.load(name) for name in registry.names()]
    last = (len(games), 0)
    return sorted(
        games,
        key=lambda game: (
            game.presentation.difficulty.sort_key if game.presentation.difficulty else last
        ),
    )
