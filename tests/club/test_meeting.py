"""Any two teams: what a form asks for becomes a game that can be played."""

from __future__ import annotations

from typing import Any

import pytest

from hashmark.club import meeting
from hashmark.club.meeting import Meeting
from hashmark.club.season_view import SeasonView
from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.text import pack
from hashmark.table import places
from hashmark.table.errors import HashmarkError

FORM = {
    "home-season": "2008",
    "home-team": "ARI",
    "home-who": "me",
    "away-season": "2007",
    "away-team": "NE",
}


def test_two_seasons_meet_on_the_rules_of_the_first() -> None:
    made = Meeting.read({**FORM, "ground": "neutral"})
    given = made.options()
    assert (given["charts"], given["away_team"]) == ("2008", "2007:NE")
    assert (given["home_plan"], given["away_plan"]) == ("2008:ARI", "2007:NE")
    assert made.seats() == {"home": "me", "away": "coach:plan"}
    assert made.names()["away"] == "New England Patriots 2007"
    with places.only_shipped():
        m = RULES.new_match(given)
    assert m.home_field == 0


@pytest.mark.parametrize("rules", meeting.OPTIONS)
def test_every_kind_of_rules_makes_a_match(rules: str) -> None:
    given = Meeting.read({**FORM, "options": rules}).options()
    m = RULES.new_match(given)
    assert m.short_field == int(rules == "season")
    assert m.max_usage == int(rules != "rulebook")


def test_teams_of_one_season_have_their_towns_unless_these_are_the_same() -> None:
    same = {**FORM, "away-season": "2008"}
    assert Meeting.read({**same, "away-team": "PIT"}).names() == {}
    twins = {**same, "home-team": "NYG", "away-team": "NYJ"}
    assert Meeting.read(twins).names()["home"] == "New York Giants 2008"


def test_a_kept_plan_comes_whole() -> None:
    word = pack(plans.load("bold"))
    asked: list[str] = []

    def packed(key: str) -> str:
        asked.append(key)
        return word

    form = {**FORM, "home-plan": "kept", "home-key": "http://here/plans/abc/ "}
    assert Meeting.read(form, packed).options()["home_plan"] == word
    assert asked == ["abc"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"away-season": "2008", "away-team": "ARI"}, "cannot play itself"),
        ({"home-who": "nobody"}, "unknown player"),
        ({"home-plan": "x"}, "unknown plan"),
        ({"home-plan": "kept"}, "which plan"),
        ({"ground": "moon"}, "unknown ground"),
        ({"options": "x"}, "unknown kind of rules"),
        ({"away-team": "../x"}, "unknown team"),
        ({"home-season": "1950"}, "no season"),
    ],
)
def test_what_cannot_be_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(HashmarkError, match=said):
        Meeting.read({**FORM, **given})


def test_without_another_word_the_last_opponent_is_met() -> None:
    assert meeting.usual_opponent(SeasonView.of(2008), "ARI") == "PIT"
