"""The colours in which teams play."""

from __future__ import annotations

from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.team_colours import COLOURS, colours
from hashmark.table.drawings import USUAL, Colours


def of(**given: str) -> tuple[Colours, Colours]:
    return colours(RULES.read_options(given))


def test_by_the_code_of_the_team() -> None:
    teams = of(charts="2008", home_team="Chicago", away_team="GB")
    assert teams == (COLOURS["CHI"], COLOURS["GB"])


def test_a_code_of_the_past_is_the_same_team() -> None:
    teams = of(charts="data-driven-examples", home_team="STL-2006", away_team="SD-2006")
    assert teams == (COLOURS["LA"], COLOURS["LAC"])


def test_invented_teams_play_in_the_usual_colours() -> None:
    assert of() == USUAL
