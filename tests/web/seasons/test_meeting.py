"""Meetings of any two teams: forms become playable games."""

from __future__ import annotations

from typing import Any

import pytest

from hashmark.errors import HashmarkError
from hashmark.games.data_driven import RULES
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.text import pack
from hashmark.storage import search_path
from hashmark.web.seasons import meeting
from hashmark.web.seasons.meeting import Meeting
from hashmark.web.seasons.season_view import SeasonView

FORM = {
    "home-season": "2008",
    "home-team": "ARI",
    "home-who": "me",
    "away-season": "2007",
    "away-team": "NE",
}


def test_teams_of_two_seasons_meet_under_the_rules_of_the_home_season() -> None:
    game = Meeting.from_form({**FORM, "ground": "neutral"})
    options = game.options()
    assert (options["charts"], options["away_team"]) == ("2008", "2007:NE")
    assert (options["home_plan"], options["away_plan"]) == ("2008:ARI", "2007:NE")
    assert game.seats() == {"home": "me", "away": "coach:plan"}
    assert game.names()["away"] == "2007 New England Patriots"
    with search_path.shipped_only():
        m = RULES.new_match(options)
    assert m.home_field == 0


@pytest.mark.parametrize("rules", meeting.RULE_CHOICES)
def test_every_rules_choice_makes_a_match(rules: str) -> None:
    options = Meeting.from_form({**FORM, "options": rules}).options()
    m = RULES.new_match(options)
    assert m.short_field == int(rules == "season")
    assert m.max_usage == int(rules != "rulebook")


def test_teams_are_named_by_city_unless_these_are_the_same() -> None:
    same = {**FORM, "away-season": "2008"}
    assert Meeting.from_form({**same, "away-team": "PIT"}).names() == {}
    twins = {**same, "home-team": "NYG", "away-team": "NYJ"}
    assert Meeting.from_form(twins).names()["home"] == "2008 New York Giants"


def test_a_saved_plan_is_embedded() -> None:
    packed_plan = pack(plans.load("bold"))
    keys: list[str] = []

    def packed(key: str) -> str:
        keys.append(key)
        return packed_plan

    form = {**FORM, "home-plan": "kept", "home-key": "http://here/plans/abc/ "}
    assert Meeting.from_form(form, packed).options()["home_plan"] == packed_plan
    assert keys == ["abc"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"away-season": "2008", "away-team": "ARI"}, "cannot play itself"),
        ({"home-who": "nobody"}, "unknown player"),
        ({"home-plan": "x"}, "unknown plan"),
        ({"home-plan": "kept"}, "enter the link or key of a saved plan"),
        ({"ground": "moon"}, "unknown ground"),
        ({"options": "x"}, "unknown kind of rules"),
        ({"away-team": "../x"}, "unknown team"),
        ({"home-season": "1950"}, "no season"),
    ],
)
def test_invalid_forms_are_rejected(given: dict[str, Any], message: str) -> None:
    with pytest.raises(HashmarkError, match=message):
        Meeting.from_form({**FORM, **given})


def test_the_default_opponent_is_the_last_one() -> None:
    assert meeting.default_opponent(SeasonView.of(2008), "ARI") == "PIT"
