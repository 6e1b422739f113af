"""Teams and coaches as users name them: `bold`, `coach:bold`, `2008:ARI`, `ARI-2008`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from hashmark.engine import registry
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import HashmarkError

TEAM_PATTERN = re.compile(
    r"(?P<season>[0-9]{4}):(?P<team>.+)|(?P<team_first>.+)-(?P<season_last>[0-9]{4})"
)
DATA_DRIVEN, PLAN_COACH = "data-driven", "plan"
CoachSpec = str | Callable[[Any, Any], int]


def load_rules(rules: str | RuleSet) -> RuleSet:
    """Return a rule set by name."""
    return registry.load(rules) if isinstance(rules, str) else rules


def parse_real_team(text: str) -> tuple[int, str] | None:
    """Return season and code of a real team (`2008:ARI`, `ARI-2008`), or None for other texts."""
    match = TEAM_PATTERN.fullmatch(text.strip())
    if match is None:
        return None
    from hashmark.league.data.teams import parse_team

    season = int(match["season"] or match["season_last"])
    return season, parse_team(match["team"] or match["team_first"])


def choose_seats(
    rules: RuleSet, home: CoachSpec, away: CoachSpec, options: Mapping[str, Any] | None
) -> tuple[tuple[CoachSpec, CoachSpec], dict[str, Any]]:
    """Return the two coaches and the options; real teams are coached with their real plans.

    Both sides are coaches, or both are real teams. Options of the user take precedence.
    """
    real = [parse_real_team(side) if isinstance(side, str) else None for side in (home, away)]
    if real[0] is None and real[1] is None:
        return (_coach_name(home), _coach_name(away)), dict(options or {})
    if real[0] is None or real[1] is None:
        raise HashmarkError(
            f"home {home!r} and away {away!r}: name two teams, e.g. '2008:ARI', or two coaches"
        )
    if rules.name != DATA_DRIVEN:
        raise HashmarkError(f"{rules.name} has no real teams: they play {DATA_DRIVEN}")
    return (PLAN_COACH, PLAN_COACH), {**real_team_options(real[0], real[1]), **(options or {})}


def real_team_options(home: tuple[int, str], away: tuple[int, str]) -> dict[str, Any]:
    """Return the options of a game between two real teams, under the rules of home's season."""
    from hashmark.league.seasons.game_options import season_options

    (season, home_team), (away_season, away_team) = home, away
    if home == away:
        raise HashmarkError("a team cannot play itself: choose another team or season")
    return {
        **season_options(season),
        "charts": str(season),
        "home_team": home_team,
        "away_team": away_team if away_season == season else f"{away_season}:{away_team}",
        "home_plan": f"{season}:{home_team}",
        "away_plan": f"{away_season}:{away_team}",
    }


def _coach_name(coach: CoachSpec) -> CoachSpec:
    return coach.removeprefix("coach:") if isinstance(coach, str) else coach
