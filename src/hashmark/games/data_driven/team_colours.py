"""Team colors: our own choice from the colors that the screen supports.

They go by the code of a team, in every season; former codes belong to the same team. Teams that are
not listed (invented ones, or teams of a user's file) play in the default colors.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hashmark.games.data_driven.charts.files import Team
from hashmark.games.data_driven.invitation import charts_of
from hashmark.games.data_driven.setup import teams_of
from hashmark.table.drawings import USUAL, Colours

COLOURS: dict[str, Colours] = {
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
FORMER = {"ARZ": "ARI", "OAK": "LV", "SD": "LAC", "STL": "LA"}


def colours(values: Mapping[str, Any]) -> tuple[Colours, Colours]:
    """Return the colors of the two teams that the options name."""
    home, away = teams_of(charts_of(values), values)
    return _colors_of(home, USUAL[0]), _colors_of(away, USUAL[1])


def _colors_of(team: Team, usual: Colours) -> Colours:
    """Return a team's colors by its key without the season."""
    code, dash, season = team.key.rpartition("-")
    return of_code(code if dash and season.isdigit() else team.key, usual)


def of_code(code: str, usual: Colours = USUAL[0]) -> Colours:
    """Return the colors of a team by its current or former code."""
    return COLOURS.get(FORMER.get(code, code), usual)
