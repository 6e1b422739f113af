"""What the menu asks before a game of Data-Driven Football: season, teams, and plans of coaches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.charts.files import ChartFile, Team
from hashmark.games.data_driven.plans import plan as plans
from hashmark.table.errors import HashmarkError

Picks = Sequence[tuple[str, str]]
SHIPPED_CHARTS = "invented"
OWN_PLAN = "coach:plan"
INVENTED = "The teams are invented: no real team and no real season is meant."


def is_invented(file: ChartFile) -> bool:
    """Whether the charts came with the game and are of no real season."""
    return file.league.season == 0 and file.path.parent == charts.SHIPPED.resolve()


def notice(values: Mapping[str, Any]) -> str:
    """A word where the teams are none that ever played."""
    return INVENTED if is_invented(charts_of(values)) else ""


def charts_of(values: Mapping[str, Any]) -> ChartFile:
    """The charts that are named, or of the season that a team names: ARI-2008, 2008:ARI."""
    name = values["charts"]
    if name == SHIPPED_CHARTS:
        keys = (values["home_team"] or "", values["away_team"] or "")
        named = {part for key in keys for part in (key.rpartition("-")[2], key.rpartition(":")[0])}
        seasons = named & set(charts.names())
        name = min((one for one in seasons if one.isdecimal()), default=name)
    return charts.load(name)


def pick_charts(values: Mapping[str, Any], seats: Mapping[str, str]) -> Picks:
    """The seasons, the newest first, then other chart files."""
    names = charts.names()
    seasons = sorted((name for name in names if name.isdecimal()), reverse=True)
    others = [name for name in names if not name.isdecimal()]
    return [
        *((name, "real teams") for name in seasons),
        *((name, "two invented teams" if name == SHIPPED_CHARTS else "") for name in others),
    ]


def pick_home(values: Mapping[str, Any], seats: Mapping[str, str]) -> Picks:
    """The teams of the chart file, by their names."""
    return _teams(values["charts"])


def pick_away(values: Mapping[str, Any], seats: Mapping[str, str]) -> Picks:
    """The others."""
    home = _team(values, "home_team")
    return [pick for pick in _teams(values["charts"]) if home is None or pick[0] != home.key]


def _team(values: Mapping[str, Any], option: str) -> Team | None:
    """The team that was picked or named, by whatever name; None before."""
    named = values[option]
    return None if named is None else charts.team_of(charts.load(values["charts"]), named)


def _teams(name: str) -> Picks:
    found = charts.load(name).teams
    return sorted(((key, team.name) for key, team in found.items()), key=lambda pick: pick[1])


def pick_home_plan(values: Mapping[str, Any], seats: Mapping[str, str]) -> Picks:
    """Home's plan, if a coach follows it."""
    return _plans(values, "home_team") if seats["home"] == OWN_PLAN else ()


def pick_away_plan(values: Mapping[str, Any], seats: Mapping[str, str]) -> Picks:
    """The visitors' plan, if a coach follows it."""
    return _plans(values, "away_team") if seats["away"] == OWN_PLAN else ()


def _plans(values: Mapping[str, Any], option: str) -> Picks:
    found = [("book", "by the book"), ("bold", "boldly")]
    team = _team(values, option)
    with suppress(HashmarkError):
        if team is not None:
            found.insert(0, _real_plan(team))
    return found


def _real_plan(team: Team) -> tuple[str, str]:
    """How the team really called in its season, where that is known."""
    name = f"{team.season}:{team.key.partition('-')[0]}"
    plans.load(name)
    return name, f"as the {team.name} really called in {team.season}"
