"""Teams and seasons as users name them."""

from __future__ import annotations

from typing import Any

import pytest

import hashmark as hm
from api.looks import check_looks
from hashmark.api.teams import parse_season


def test_teams_have_the_codes_and_names_of_the_time() -> None:
    teams = hm.teams(2008)
    names = dict(teams)
    assert len(teams) == 32
    assert names["STL"] == "St. Louis Rams"
    assert "LA" not in names
    assert dict(hm.teams(2020))["LA"] == "Los Angeles Rams"
    assert repr(teams) == "<32 teams of 2008>"
    assert "St. Louis Rams" in str(teams)
    check_looks(teams, has_picture=False)


@pytest.mark.parametrize("season", [2008, "2008"])
def test_seasons_are_numbers_or_texts(season: Any) -> None:
    assert parse_season(season) == 2008


@pytest.mark.parametrize("season", [1950, "1950"])
@pytest.mark.parametrize(
    "ask",
    [
        hm.teams,
        hm.season,
        lambda season: hm.plan("ARI", season),
        lambda season: hm.whatif(season, "ARI", pass_rate="+10%"),
        lambda season: hm.Game("data-driven", home=f"{season}:ARI", away="2008:PIT"),
    ],
)
def test_unknown_seasons_are_refused_with_those_that_are_known(ask: Any, season: Any) -> None:
    with pytest.raises(hm.HashmarkError, match=r"^unknown season 1950: allowed: .*2008, 2009"):
        ask(season)


@pytest.mark.parametrize("season", [None, "last year", 20.08, True, "²⁰⁰⁸", []])
def test_what_is_no_season_is_refused(season: Any) -> None:
    with pytest.raises(hm.HashmarkError, match="a season is a year such as 2008"):
        hm.teams(season)
