"""Games between real teams: how users name them, and the options of their games."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from hashmark.errors import HashmarkError
from hashmark.league.data.teams import parse_team
from hashmark.league.seasons.game_options import season_options

RealTeam = tuple[int, str]
"""Season and current code of a team."""

TEAM_PATTERN = re.compile(
    r"(?P<season>[0-9]{4}):(?P<team>.+)|(?P<team_first>.+)-(?P<season_last>[0-9]{4})"
)


def parse_real_team(text: str) -> RealTeam | None:
    """Return season and code of a real team (`2008:ARI`, `ARI-2008`), or None for other texts."""
    match = TEAM_PATTERN.fullmatch(text.strip())
    if match is None:
        return None
    season = int(match["season"] or match["season_last"])
    return season, parse_team(match["team"] or match["team_first"])


def check_different(home: RealTeam, away: RealTeam) -> None:
    """Raise if both teams are the same."""
    if home == away:
        raise HashmarkError("a team cannot play itself: choose another team or season")


def team_options(
    home: RealTeam, away: RealTeam, plans: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return the teams' options: charts of home's season, and their real plans or other ones."""
    check_different(home, away)
    (season, home_team), (away_season, away_team) = home, away
    return {
        "charts": str(season),
        "home_team": home_team,
        "away_team": away_team if away_season == season else f"{away_season}:{away_team}",
        "home_plan": f"{season}:{home_team}",
        "away_plan": f"{away_season}:{away_team}",
        **(plans or {}),
    }


def real_game_options(home: RealTeam, away: RealTeam) -> dict[str, Any]:
    """Return all options of a game between two real teams, under the rules of home's season."""
    return {**season_options(home[0]), **team_options(home, away)}
