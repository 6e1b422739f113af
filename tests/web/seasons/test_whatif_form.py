"""What-if form: sliders and rules become changes of a plan; invalid input is rejected."""

from __future__ import annotations

import pytest

from hashmark.errors import HashmarkError
from hashmark.games.data_driven.plans.text import write_plan
from hashmark.web.seasons import whatif_form
from hashmark.web.seasons.plan_view import PlanView

FORM = {"season": "2008", "team": "ARI"}


def test_an_untouched_form_changes_nothing() -> None:
    question = whatif_form.parse_form({**FORM, "pass_rate": "0", "play-draw": "", "fourth": "real"})
    assert not question.change_request.has_changes
    assert question.changed_plan().rows == question.base_plan.rows
    with pytest.raises(HashmarkError, match="nothing has changed yet"):
        whatif_form.require_change(question)


def test_sliders_and_rules_become_settings_and_words() -> None:
    question = whatif_form.parse_form(
        {
            **FORM,
            "pass_rate": "10",
            "play-long-pass": "-3",
            "blitz_rate": "+2.5",
            "fourth": "go",
            "fourth-to-go-most": "2",
            "rule-1-points": "20",
            "rule-1-what": "pass_rate",
            "rule-1-down": "3",
            "rule-1-to-go": "4",
            "rule-1-to-go-most": "7",
            "rule-2-points": "-5",
            "rule-2-what": "formation:nickel",
            "rule-2-lead": "1",
            "answered": "on",
            "runs": "500",
        }
    )
    assert question.settings() == {
        "season": 2008,
        "team": "ARI",
        "runs": 500,
        "seed": 0,
        "pass_rate": ["+10%", "+20%@down=3..3 to-go=4..7"],
        "play": ["long-pass=-3%"],
        "blitz_rate": ["+2.5%"],
        "formation": ["nickel=-5%@lead=1.."],
        "fourth_down": "go@to-go=..2",
        "answered": True,
    }
    assert "always going for it on fourth down with 2 or less to go" in question.describe()
    assert "10 percentage points more passes" in question.describe()


def test_the_changed_plan_is_what_the_words_say() -> None:
    question = whatif_form.parse_form({**FORM, "pass_rate": "10", "name": " Air  raid "})
    before, after = (
        PlanView(question.base_plan).plays[0],
        PlanView(question.changed_plan()).plays[0],
    )
    assert after.runs == pytest.approx(before.runs - 0.1, abs=0.005)
    assert question.changed_plan().name == "Air raid"


def test_a_saved_plan_can_be_changed_further() -> None:
    first = whatif_form.parse_form({**FORM, "pass_rate": "10"}).changed_plan()
    question = whatif_form.parse_form({**FORM, "pass_rate": "5"}, write_plan(first))
    assert question.base_plan.rows == first.rows
    assert "plan" in question.settings()
    whatif_form.require_change(whatif_form.parse_form(FORM, write_plan(first)))


def test_a_change_found_by_simulation_cannot_be_saved() -> None:
    question = whatif_form.parse_form({**FORM, "fourth": "best"})
    assert question.settings()["fourth_down"] == "best"
    with pytest.raises(HashmarkError, match="found by simulation"):
        question.changed_plan()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"pass_rate": "a lot"}, "passes: expected -60 to 60 percentage points, not 'a lot'"),
        ({"pass_rate": "61"}, "expected -60 to 60 percentage points, not '61'"),
        ({"play-draw": "1e9"}, "draw: expected -60 to 60 percentage points, not '1e9'"),
        ({"fourth": "never"}, "unknown fourth-down rule"),
        ({"fourth": "go", "fourth-to-go-most": "-1"}, "expected a range within 0 to 99"),
        ({"fourth": "go", "fourth-spot": "x"}, "expected a number"),
        ({"rule-1-points": "5"}, "unknown call of rule 1"),
        ({"rule-1-points": "5", "rule-1-what": "play:bomb"}, "unknown call of rule 1"),
        (
            {"rule-1-points": "5", "rule-1-what": "tempo", "rule-1-down": "9"},
            "expected a range within 0 to 4",
        ),
        ({"rule-2-points": "5", "rule-2-to-go": "9", "rule-2-to-go-most": "3"}, "^rule 2: "),
        ({"fourth": "go", "fourth-spot": "80", "fourth-spot-most": "20"}, "^fourth down: "),
        ({"pass_rate": "5", "rule-1-down": "3"}, "rule 1: enter its percentage points"),
        ({"pass_rate": "5", "fourth-to-go-most": "2"}, "fourth down: choose a rule"),
        ({"runs": "1000000"}, "unknown number of seasons"),
        ({"name": "x" * 81}, "at most 80 characters"),
        ({"season": "1999"}, "no season"),
        ({"team": "<b>"}, "unknown team"),
    ],
)
def test_invalid_forms_are_rejected(given: dict[str, str], message: str) -> None:
    with pytest.raises(HashmarkError, match=message):
        whatif_form.parse_form({**FORM, **given})


def test_sliders_start_at_the_shares_of_the_plan() -> None:
    plan = whatif_form.parse_form(FORM).base_plan
    now = whatif_form.form_values(plan, 2008, "ARI")["now"]
    assert sum(now["play"].values()) == pytest.approx(1)
    assert sum(now["formation"].values()) == pytest.approx(1)
    assert now["rates"]["passes"] == pytest.approx(1 - PlanView(plan).plays[0].runs, abs=0.01)
