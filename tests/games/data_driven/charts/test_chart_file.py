"""Lookup of a team in a chart file."""

from __future__ import annotations

import pytest

from hashmark.errors import HashmarkError
from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.charts.chart_file import Team, find_team_key

NAMES = {
    "ARI-2008": "Arizona Cardinals",
    "LV-2008": "Oakland Raiders",
    "NYG-2008": "New York Giants",
    "NYJ-2008": "New York Jets",
    "CAR-2008": "Carolina Panthers",
    "DEMO": "Demo",
}
TEAMS = {key: Team(key, name, 2008, {}, {}) for key, name in NAMES.items()}


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ("ARI-2008", "ARI-2008"),
        ("ARI", "ARI-2008"),
        ("ari", "ARI-2008"),
        ("oakland", "LV-2008"),
        ("Oakland Raiders", "LV-2008"),
        ("JETS", "NYJ-2008"),
        ("demo", "DEMO"),
    ],
)
def test_a_team_is_found_by_key_code_town_or_nickname(given: str, key: str) -> None:
    assert find_team_key(TEAMS, given, "2008.toml") == key


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("New York", "is ambiguous: NYG-2008, NYJ-2008"),
        ("ARZ", "did you mean 'ARI-2008' \\(Arizona Cardinals\\)"),
        ("arz-2008", "did you mean 'ARI-2008'"),
        ("Oaklend", "did you mean 'LV-2008' \\(Oakland Raiders\\)"),
        ("xyzzy", "unknown team in 2008.toml 'xyzzy': allowed: ARI-2008"),
        ("2008", "unknown team"),
        ("", "unknown team"),
    ],
)
def test_an_unknown_or_ambiguous_team_is_refused_with_a_hint(given: str, said: str) -> None:
    with pytest.raises(HashmarkError, match=said):
        find_team_key(TEAMS, given, "2008.toml")


def test_a_team_in_two_seasons_is_ambiguous() -> None:
    both = {**TEAMS, "ARI-2009": TEAMS["ARI-2008"]}
    with pytest.raises(HashmarkError, match="is ambiguous: ARI-2008, ARI-2009"):
        find_team_key(both, "ARI", "both.toml")


def test_options_accept_a_code_without_the_season() -> None:
    short, whole = (
        RULES.new_match({"charts": "2008", "home_team": name, "away_team": "PIT-2008"})
        for name in ("ARI", "ARI-2008")
    )
    assert short.to_json() == whole.to_json()


def test_a_key_with_its_season_selects_the_charts() -> None:
    assert RULES.team_names({"home_team": "ARI-2008", "away_team": "PIT-2008"}) == (
        "Arizona",
        "Pittsburgh",
    )
    with pytest.raises(
        HashmarkError, match=r"for real teams choose a season, such as -o charts=2008"
    ):
        RULES.new_match({"home_team": "ARI"})
