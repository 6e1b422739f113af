"""Colors of the teams."""

from __future__ import annotations

from hashmark.engine import drawings
from hashmark.engine.drawings import DEFAULT_COLORS, TeamColors
from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.team_colors import (
    FORMER_CODES,
    TEAM_COLORS,
    colors_of_code,
    team_colors,
)


def colors_for(**given: str) -> tuple[TeamColors, TeamColors]:
    return team_colors(RULES.parse_options(given))


def test_colors_go_by_the_team_code() -> None:
    teams = colors_for(charts="2008", home_team="Chicago", away_team="GB")
    assert teams == (TEAM_COLORS["CHI"], TEAM_COLORS["GB"])


def test_every_real_team_has_two_supported_colors() -> None:
    codes = {key.partition("-")[0] for key in charts.load("2008").teams}
    assert {FORMER_CODES.get(code, code) for code in codes} == set(TEAM_COLORS)
    for code in codes:
        first, second = colors_of_code(code, ("", ""))
        assert {first, second} <= set(drawings.TEAM_COLORS)
        assert first != second


def test_a_former_code_has_the_colors_of_the_current_team() -> None:
    teams = colors_for(charts="data-driven-examples", home_team="STL-2006", away_team="SD-2006")
    assert teams == (TEAM_COLORS["LA"], TEAM_COLORS["LAC"])


def test_invented_teams_have_the_default_colors() -> None:
    assert colors_for() == DEFAULT_COLORS
