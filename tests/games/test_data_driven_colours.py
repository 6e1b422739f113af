"""Colors of the teams."""

from __future__ import annotations

from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.team_colours import COLOURS, FORMER, colours, of_code
from hashmark.table import drawings
from hashmark.table.drawings import USUAL, Colours


def colors_for(**given: str) -> tuple[Colours, Colours]:
    return colours(RULES.read_options(given))


def test_colors_go_by_the_team_code() -> None:
    teams = colors_for(charts="2008", home_team="Chicago", away_team="GB")
    assert teams == (COLOURS["CHI"], COLOURS["GB"])


def test_every_real_team_has_two_supported_colors() -> None:
    codes = {key.partition("-")[0] for key in charts.load("2008").teams}
    assert {FORMER.get(code, code) for code in codes} == set(COLOURS)
    for code in codes:
        first, second = of_code(code, ("", ""))
        assert {first, second} <= set(drawings.COLOURS)
        assert first != second


def test_a_former_code_has_the_colors_of_the_current_team() -> None:
    teams = colors_for(charts="data-driven-examples", home_team="STL-2006", away_team="SD-2006")
    assert teams == (COLOURS["LA"], COLOURS["LAC"])


def test_invented_teams_have_the_default_colors() -> None:
    assert colors_for() == USUAL
