"""Plans drawn: what a plan answers in a situation, the map of fourth down, two plans compared."""

from __future__ import annotations

import json

import pytest

from hashmark.club import plan_view
from hashmark.club.plan_view import PlanView, compared, entries_changed
from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.plan import Entry, Plan
from hashmark.league.plans.habits import habits
from hashmark.league.whatifs import changes, fourth
from hashmark.pages.shapes import Datum, meet


@pytest.fixture(scope="module")
def real() -> Plan:
    return plans.load("2008:ARI")


def test_shares_are_those_of_the_entry_that_fits(real: Plan) -> None:
    first = PlanView(real).plays[0]
    assert first.name == "1st and 10"
    assert first.runs == pytest.approx(habits(real)["runs on 1st & 10"])
    assert sum(first.shares.values()) == pytest.approx(1)


def test_the_map_of_fourth_down_follows_a_rule(real: Plan) -> None:
    always = fourth.policy_of("go", changes.read_situation("to-go=..2")).apply(real)
    for (to_go, _), one in PlanView(always).fourth().items():
        if to_go <= 2:
            assert one.shares == {"go": 1.0}
    before, after = PlanView(real).fourth(), PlanView(always).fourth()
    assert all(before[at] == after[at] for at in before if at[0] > 2)


def test_only_what_differs_is_compared(real: Plan) -> None:
    assert compared(real, real) == []
    assert entries_changed(real, real) == {}
    more = changes.apply(real, [changes.pass_rate("+10%")])
    found = compared(real, more)
    assert {one.section for one in found} == {"play"}
    moved = [abs(one.after - one.before) for one in found]
    assert moved == sorted(moved, reverse=True)
    assert entries_changed(real, more)["play"] > 50


def test_a_plan_that_says_nothing_is_drawn_all_the_same() -> None:
    empty = plans.make("empty", {"play": [Entry({"down": (4, 4)}, {"screen": 1})]})
    view = PlanView(empty)
    assert view.plays[0].shares == {}
    assert "the plan says nothing" in [words.text for words in view.plays_chart().words()]
    assert view.fourth_chart().shapes
    json.dumps(view.to_json())


def test_no_two_texts_overlap_and_every_bar_says_what_it_is(real: Plan) -> None:
    view = PlanView(real)
    charts = (view.plays_chart(), view.formations_chart(), view.tempo_chart(), view.fourth_chart())
    for chart in charts:
        words = list(chart.words())
        for at, one in enumerate(words):
            assert one.frame[2] <= chart.width
            assert not any(meet(one.frame, other.frame) for other in words[:at]), one.text
        assert all(shape.said for shape in chart.shapes if isinstance(shape, Datum))


@pytest.mark.parametrize(("part", "sure"), [(1.0, 3), (0.7, 2), (0.4, 1)])
def test_how_sure_a_call_is(part: float, sure: int) -> None:
    assert plan_view.sureness(part) == sure
