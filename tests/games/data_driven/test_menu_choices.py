"""Choices that the menu offers before a game of Data-Driven Football: seasons, teams and plans."""

from __future__ import annotations

from typing import Any

import pytest

from hashmark.games.data_driven import menu_choices
from hashmark.games.data_driven.charts import files as charts
from hashmark.games.data_driven.menu_choices import DEFAULT_CHARTS, PLAN_COACH

PEOPLE = {"home": "person", "away": "person"}
FREE = {"charts": DEFAULT_CHARTS, "home_team": None, "away_team": None}
PLANS = [("book", "by the book"), ("bold", "aggressive")]


def test_real_seasons_come_first_with_the_newest_on_top() -> None:
    picks = list(menu_choices.pick_charts(FREE, PEOPLE))
    seasons = [name for name, text in picks if text == "real teams"]
    assert "2008" in seasons
    assert seasons == sorted(seasons, reverse=True) == [name for name, _ in picks[: len(seasons)]]
    assert (DEFAULT_CHARTS, "two invented teams") in picks[len(seasons) :]
    assert [name for name, _ in picks if name not in seasons] == [
        name for name in charts.list_names() if not name.isdecimal()
    ]


def test_a_team_is_not_offered_as_its_own_opponent() -> None:
    teams = charts.load(DEFAULT_CHARTS).teams
    both = list(menu_choices.pick_home(FREE, PEOPLE))
    assert sorted(both) == sorted((key, team.name) for key, team in teams.items())
    assert [name for _, name in both] == sorted(name for _, name in both)
    assert list(menu_choices.pick_away(FREE, PEOPLE)) == both
    for key, name in both:
        for named in (key, name):
            values = {**FREE, "home_team": named}
            assert list(menu_choices.pick_away(values, PEOPLE)) == [
                pick for pick in both if pick[0] != key
            ]


@pytest.mark.parametrize("side", ["home", "away"])
def test_a_plan_is_asked_for_where_a_coach_follows_one(side: str) -> None:
    pick = {"home": menu_choices.pick_home_plan, "away": menu_choices.pick_away_plan}[side]
    other = {"home": "away", "away": "home"}[side]
    followed = {**PEOPLE, side: PLAN_COACH}
    assert not pick(FREE, PEOPLE)
    assert not pick(FREE, {**PEOPLE, other: PLAN_COACH})
    assert list(pick(FREE, followed)) == PLANS
    values: dict[str, Any] = {"charts": "2008", "home_team": None, "away_team": None}
    assert list(pick({**values, other + "_team": "ARI"}, followed)) == PLANS
    real, *rest = pick({**values, side + "_team": "ARI"}, followed)
    team = charts.find_team(charts.load("2008"), "ARI")
    assert real == ("2008:ARI", f"the real play-calling of the 2008 {team.name}")
    assert rest == PLANS
