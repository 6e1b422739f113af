"""Plan views: shares by situation, the fourth-down map, and comparison of two plans."""

from __future__ import annotations

import json

import pytest

from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.plan import Entry, Plan
from hashmark.league.plans.habits import habit_shares
from hashmark.league.whatifs import fourth_down_policy, plan_changes
from hashmark.reports.shapes import Datum, frames_overlap
from hashmark.web.seasons import plan_view
from hashmark.web.seasons.plan_view import PlanView, compare_plans, count_changed_entries


@pytest.fixture(scope="module")
def real() -> Plan:
    return plans.load("2008:ARI")


def test_shares_are_those_of_the_entry_that_fits(real: Plan) -> None:
    first = PlanView(real).plays[0]
    assert first.name == "1st & 10"
    assert first.runs == pytest.approx(habit_shares(real)["runs on 1st & 10"])
    assert sum(first.shares.values()) == pytest.approx(1)


def test_the_map_of_fourth_down_follows_a_rule(real: Plan) -> None:
    always = fourth_down_policy.predefined_policy(
        "go", plan_changes.parse_situation("to-go=..2")
    ).apply(real)
    for (to_go, _), mix in PlanView(always).fourth_downs().items():
        if to_go <= 2:
            assert mix.shares == {"go": 1.0}
    before, after = PlanView(real).fourth_downs(), PlanView(always).fourth_downs()
    assert all(before[key] == after[key] for key in before if key[0] > 2)


def test_only_differences_are_listed(real: Plan) -> None:
    assert compare_plans(real, real) == []
    assert count_changed_entries(real, real) == {}
    more = plan_changes.apply_changes(real, [plan_changes.parse_pass_rate("+10%")])
    differences = compare_plans(real, more)
    assert {change.section for change in differences} == {"play"}
    moved = [abs(change.after - change.before) for change in differences]
    assert moved == sorted(moved, reverse=True)
    assert count_changed_entries(real, more)["play"] > 50


def test_an_empty_plan_can_be_drawn() -> None:
    empty = plans.build_plan("empty", {"play": [Entry({"down": (4, 4)}, {"screen": 1})]})
    view = PlanView(empty)
    assert view.plays[0].shares == {}
    assert "not in the plan" in [words.text for words in view.plays_chart().texts()]
    assert view.fourth_chart().shapes
    json.dumps(view.to_json())


def test_texts_do_not_overlap_and_every_bar_has_a_description(real: Plan) -> None:
    view = PlanView(real)
    charts = (view.plays_chart(), view.formations_chart(), view.tempo_chart(), view.fourth_chart())
    for chart in charts:
        labels = list(chart.texts())
        for index, label in enumerate(labels):
            assert label.frame[2] <= chart.width
            assert not any(frames_overlap(label.frame, other.frame) for other in labels[:index]), (
                label.text
            )
        assert all(shape.tooltip for shape in chart.shapes if isinstance(shape, Datum))


@pytest.mark.parametrize(("part", "sure"), [(1.0, 3), (0.7, 2), (0.4, 1)])
def test_sureness_has_three_steps(part: float, sure: int) -> None:
    assert plan_view.predictability(part) == sure
