"""Team colors: our own choice from the colors that the screen supports.

They go by the code of a team, in every season; former codes belong to the same team. Teams that are
not listed (invented ones, or teams of a user's file) play in the default colors.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hashmark.engine.drawings import DEFAULT_COLORS, TeamColors
from hashmark.games.data_driven.charts.chart_file import Team
from hashmark.games.data_driven.menu_choices import load_charts
from hashmark.games.data_driven.setup import find_teams

TEAM_COLORS: dict[str, TeamColors] = {
    "ARI": ("red", "black"),
    "ATL": ("black", "red"),
    "BAL": ("purple", "gold"),
    "BUF": ("blue", "red"),
    "CAR": ("teal", "black"),
    "CHI": ("navy", "orange"),
    "CIN": ("orange", "black"),
    "CLE": ("brown", "orange"),
    "DAL": ("navy", "silver"),
    "DEN": ("orange", "navy"),
    "DET": ("blue", "silver"),
    "GB": ("green", "gold"),
    "HOU": ("navy", "red"),
    "IND": ("blue", "silver"),
    "JAX": ("teal", "gold"),
    "KC": ("red", "gold"),
    "LA": ("blue", "gold"),
    "LAC": ("blue", "gold"),
    "LV": ("black", "silver"),
    "MIA": ("teal", "orange"),
    "MIN": ("purple", "gold"),
    "NE": ("navy", "red"),
    "NO": ("gold", "black"),
    "NYG": ("blue", "red"),
    "NYJ": ("green", "black"),
    "PHI": ("green", "silver"),
    "PIT": ("black", "gold"),
    "SEA": ("navy", "green"),
    "SF": ("red", "gold"),
    "TB": ("red", "brown"),
    "TEN": ("navy", "teal"),
    "WAS": ("brown", "gold"),
}
FORMER_CODES = {"ARZ": "ARI", "OAK": "LV", "SD": "LAC", "STL": "LA"}


def team_colors(values: Mapping[str, Any]) -> tuple[TeamColors, TeamColors]:
    """Return the colors of the two teams that the options name."""
    home, away = find_teams(load_charts(values), values)
    return _colors_of(home, DEFAULT_COLORS[0]), _colors_of(away, DEFAULT_COLORS[1])


def _colors_of(team: Team, usual: TeamColors) -> TeamColors:
    """Return a team's colors by its key without the season."""
    code, dash, season = team.key.rpartition("-")
    return colors_of_code(code if dash and season.isdigit() else team.key, usual)


def colors_of_code(code: str, usual: TeamColors = DEFAULT_COLORS[0]) -> TeamColors:
    """Return the colors of a team by its current or former code."""
    return TEAM_COLORS.get(FORMER_CODES.get(code, code), usual)
