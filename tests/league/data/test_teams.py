"""Teams by code, city and nickname, and their names in each season."""

from __future__ import annotations

import pytest

from hashmark.errors import HashmarkError
from hashmark.league.data import teams
from hashmark.league.data.schedule import TEAMS


@pytest.mark.parametrize("text", ["ARI", "ari", "Arizona", "CARDINALS", "Arizona Cardinals", "ARZ"])
def test_a_team_may_be_given_in_many_ways(text: str) -> None:
    assert teams.parse_team(text) == "ARI"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Cardnals", "did you mean ARI \\(Arizona Cardinals\\)"),
        ("New York", "is ambiguous: NYG \\(New York Giants\\) or NYJ"),
        ("xyzzy", "unknown team 'xyzzy'"),
    ],
)
def test_an_unknown_or_ambiguous_team_is_an_error(text: str, said: str) -> None:
    with pytest.raises(HashmarkError, match=said):
        teams.parse_team(text)


def test_names_follow_the_season() -> None:
    assert teams.full_name("LAC", 2008) == "San Diego Chargers"
    assert teams.full_name("LAC", 2020) == "Los Angeles Chargers"
    assert teams.full_name("WAS", 2008) == "Washington Redskins"
    assert teams.full_name("WAS", 2020) == "Washington Football Team"
    assert teams.full_name("WAS") == "Washington Commanders"
    assert teams.full_name("LA", 2015) == "St. Louis Rams"
    assert teams.full_name("LA", 2016) == "Los Angeles Rams"
    assert teams.full_name("XYZ", 2008) == "XYZ"


def test_codes_follow_the_season() -> None:
    seasons = {"LV": ("OAK", 2019), "LAC": ("SD", 2016), "LA": ("STL", 2015)}
    for team, (former, last) in seasons.items():
        assert [teams.code_in_season(team, season) for season in (2006, last, last + 1)] == [
            former,
            former,
            team,
        ]
    others = set(TEAMS) - set(seasons)
    assert {teams.code_in_season(team, 2008) for team in others} == others
    assert all(teams.parse_team(teams.code_in_season(team, 2008)) == team for team in TEAMS)


def test_former_names_are_accepted() -> None:
    assert teams.parse_team("St. Louis Rams") == teams.parse_team("st louis") == "LA"
    assert teams.parse_team("Washington Football Team") == "WAS"
    assert {teams.parse_team(code) for code in teams.NAMES} == set(TEAMS)
