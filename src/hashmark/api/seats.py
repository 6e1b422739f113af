"""Teams and coaches as users name them: `bold`, `coach:bold`, `2008:ARI`, `ARI-2008`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hashmark.api.teams import parse_season
from hashmark.engine import registry
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import HashmarkError

DATA_DRIVEN, PLAN_COACH = "data-driven", "plan"
CoachSpec = str | Callable[[Any, Any], int]


def load_rules(rules: str | RuleSet) -> RuleSet:
    """Return a rule set by name."""
    return registry.load(rules) if isinstance(rules, str) else rules


def choose_seats(
    rules: RuleSet, home: CoachSpec, away: CoachSpec, options: Mapping[str, Any] | None
) -> tuple[tuple[CoachSpec, CoachSpec], dict[str, Any]]:
    """Return the two coaches and the options; real teams are coached with their real plans.

    Both sides are coaches, or both are real teams. Options of the user take precedence.
    """
    from hashmark.league.seasons.real_teams import parse_real_team, real_game_options

    real = [parse_real_team(side) if isinstance(side, str) else None for side in (home, away)]
    if real[0] is None and real[1] is None:
        return (_coach_name(home), _coach_name(away)), dict(options or {})
    if real[0] is None or real[1] is None:
        raise HashmarkError(
            f"home {home!r} and away {away!r}: name two teams, e.g. '2008:ARI', or two coaches"
        )
    parse_season(real[0][0])
    if rules.name != DATA_DRIVEN:
        raise HashmarkError(f"{rules.name} has no real teams: they play {DATA_DRIVEN}")
    return (PLAN_COACH, PLAN_COACH), {**real_game_options(real[0], real[1]), **(options or {})}


def _coach_name(coach: CoachSpec) -> CoachSpec:
    return coach.removeprefix("coach:") if isinstance(coach, str) else coach
