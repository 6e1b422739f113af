"""Choices that the menu offers before a game: season, teams, and the coaches' plans."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from hashmark.errors import HashmarkError
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.charts.chart_file import ChartFile, Team
from hashmark.games.data_driven.plans import plan as plans

Picks = Sequence[tuple[str, str]]
ListChoices = Callable[[Mapping[str, Any], Mapping[str, str]], Picks]
DEFAULT_CHARTS = "invented"
PLAN_COACH = "coach:plan"
INVENTED_NOTICE = "The teams are invented and stand for no real team or season."


def is_invented(file: ChartFile) -> bool:
    """Return whether the charts are shipped with the game and belong to no real season."""
    return file.league.season == 0 and file.path.parent == charts.SHIPPED.resolve()


def options_notice(values: Mapping[str, Any]) -> str:
    """Return a notice if the teams are invented, else an empty text."""
    return INVENTED_NOTICE if is_invented(load_charts(values)) else ""


def load_charts(values: Mapping[str, Any]) -> ChartFile:
    """Load the named charts, or those of the season that a team names: ARI-2008, 2008:ARI."""
    name = values["charts"]
    if name == DEFAULT_CHARTS:
        keys = (values["home_team"] or "", values["away_team"] or "")
        named = {part for key in keys for part in (key.rpartition("-")[2], key.rpartition(":")[0])}
        seasons = named & set(charts.list_names())
        name = min((season for season in seasons if season.isdecimal()), default=name)
    return charts.load(name)


def pick_charts(values: Mapping[str, Any], seats: Mapping[str, str]) -> Picks:
    """Return the seasons, newest first, then other chart files."""
    names = charts.list_names()
    seasons = sorted((name for name in names if name.isdecimal()), reverse=True)
    others = [name for name in names if not name.isdecimal()]
    return [
        *((name, "real teams") for name in seasons),
        *((name, "two invented teams" if name == DEFAULT_CHARTS else "") for name in others),
    ]


def pick_home(values: Mapping[str, Any], seats: Mapping[str, str]) -> Picks:
    """Return the teams of the chart file, sorted by name."""
    return _teams(values["charts"])


def pick_away(values: Mapping[str, Any], seats: Mapping[str, str]) -> Picks:
    """Return the teams other than the home team."""
    home = _team(values, "home_team")
    return [pick for pick in _teams(values["charts"]) if home is None or pick[0] != home.key]


def _team(values: Mapping[str, Any], option: str) -> Team | None:
    """Return the team that was picked, under any spelling of its name; None if not picked yet."""
    name = values[option]
    return None if name is None else charts.find_team(charts.load(values["charts"]), name)


def _teams(name: str) -> Picks:
    teams = charts.load(name).teams
    return sorted(((key, team.name) for key, team in teams.items()), key=lambda pick: pick[1])


def pick_home_plan(values: Mapping[str, Any], seats: Mapping[str, str]) -> Picks:
    """Return the choices of home's plan, if a coach follows it."""
    return _plans(values, "home_team") if seats["home"] == PLAN_COACH else ()


def pick_away_plan(values: Mapping[str, Any], seats: Mapping[str, str]) -> Picks:
    """Return the choices of the visitors' plan, if a coach follows it."""
    return _plans(values, "away_team") if seats["away"] == PLAN_COACH else ()


def _plans(values: Mapping[str, Any], option: str) -> Picks:
    picks = [("book", "by the book"), ("bold", "aggressive")]
    team = _team(values, option)
    with suppress(HashmarkError):
        if team is not None:
            picks.insert(0, _real_plan(team))
    return picks


def _real_plan(team: Team) -> tuple[str, str]:
    """Return the team's real calls of its season, if they are known."""
    name = f"{team.season}:{team.key.partition('-')[0]}"
    plans.load(name)
    return name, f"the real play-calling of the {team.season} {team.name}"
