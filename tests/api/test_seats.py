"""Teams and coaches as users name them."""

from __future__ import annotations

import pytest

from hashmark.api.seats import choose_seats
from hashmark.engine import registry
from hashmark.errors import HashmarkError
from hashmark.league.seasons.real_teams import parse_real_team


@pytest.mark.parametrize(
    ("text", "team"),
    [
        ("2008:ARI", (2008, "ARI")),
        ("ARI-2008", (2008, "ARI")),
        ("2008:Steelers", (2008, "PIT")),
        ("STL-2008", (2008, "LA")),
        ("bold", None),
        ("coach:bold", None),
    ],
)
def test_real_teams_are_recognized(text: str, team: tuple[int, str] | None) -> None:
    assert parse_real_team(text) == team


def test_a_wrong_team_is_refused_with_a_suggestion() -> None:
    with pytest.raises(HashmarkError, match="unknown team 'ARX': did you mean ARI"):
        parse_real_team("2008:ARX")


def test_coaches_may_carry_their_prefix() -> None:
    rules = registry.load("fourth-down")
    assert choose_seats(rules, "coach:bold", "book", None) == (("bold", "book"), {})


def test_real_teams_call_as_they_did() -> None:
    rules = registry.load("data-driven")
    coaches, options = choose_seats(rules, "2008:ARI", "PIT-2007", {"mode": "basic"})
    assert coaches == ("plan", "plan")
    assert options["charts"] == "2008"
    assert (options["home_team"], options["away_team"]) == ("ARI", "2007:PIT")
    assert (options["home_plan"], options["away_plan"]) == ("2008:ARI", "2007:PIT")
    assert options["mode"] == "basic"


@pytest.mark.parametrize(
    ("game", "home", "away", "message"),
    [
        ("data-driven", "2008:ARI", "book", "name two teams"),
        ("data-driven", "2008:ARI", "ARI-2008", "cannot play itself"),
        ("fourth-down", "2008:ARI", "2008:PIT", "fourth-down has no real teams"),
    ],
)
def test_impossible_pairings_are_refused(game: str, home: str, away: str, message: str) -> None:
    with pytest.raises(HashmarkError, match=message):
        choose_seats(registry.load(game), home, away, None)
