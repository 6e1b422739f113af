"""The form of a what-if: sliders and rules become changes of a plan; nonsense is refused."""

from __future__ import annotations

import pytest

from hashmark.club import whatif_form
from hashmark.club.plan_view import PlanView
from hashmark.games.data_driven.plans.text import write_plan
from hashmark.table.errors import HashmarkError

FORM = {"season": "2008", "team": "ARI"}


def test_a_form_as_it_is_changes_nothing() -> None:
    asked = whatif_form.read({**FORM, "pass_rate": "0", "play-draw": "", "fourth": "real"})
    assert not asked.wanted.anything
    assert asked.changed().rows == asked.base.rows
    with pytest.raises(HashmarkError, match="nothing is changed yet"):
        whatif_form.must_change(asked)


def test_sliders_and_rules_are_changes_in_words_and_settings() -> None:
    asked = whatif_form.read(
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
    assert asked.settings() == {
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
    assert "always went for it on fourth down with 2 or less to go" in asked.words()
    assert "10 % more passes" in asked.words()


def test_the_changed_plan_is_what_the_words_say() -> None:
    asked = whatif_form.read({**FORM, "pass_rate": "10", "name": " Air  raid "})
    before, after = PlanView(asked.base).plays[0], PlanView(asked.changed()).plays[0]
    assert after.runs == pytest.approx(before.runs - 0.1, abs=0.005)
    assert asked.changed().name == "Air raid"


def test_a_kept_plan_is_gone_on_from() -> None:
    first = whatif_form.read({**FORM, "pass_rate": "10"}).changed()
    asked = whatif_form.read({**FORM, "pass_rate": "5"}, write_plan(first))
    assert asked.base.rows == first.rows
    assert "plan" in asked.settings()
    whatif_form.must_change(whatif_form.read(FORM, write_plan(first)))


def test_what_only_a_simulation_finds_can_be_asked_but_not_kept() -> None:
    asked = whatif_form.read({**FORM, "fourth": "best"})
    assert asked.settings()["fourth_down"] == "best"
    with pytest.raises(HashmarkError, match="found by simulation"):
        asked.changed()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"pass_rate": "a lot"}, "passes: 'a lot' is not a number"),
        ({"pass_rate": "61"}, "from -60 to 60"),
        ({"play-draw": "1e9"}, "not a number of points"),
        ({"fourth": "never"}, "unknown rule for fourth down"),
        ({"fourth": "go", "fourth-to-go-most": "-1"}, "not a range"),
        ({"fourth": "go", "fourth-spot": "x"}, "expected a number"),
        ({"rule-1-points": "5"}, "unknown call of rule 1"),
        ({"rule-1-points": "5", "rule-1-what": "play:bomb"}, "unknown call of rule 1"),
        ({"rule-1-points": "5", "rule-1-what": "tempo", "rule-1-down": "9"}, "not a range"),
        ({"rule-2-points": "5", "rule-2-to-go": "9", "rule-2-to-go-most": "3"}, "^rule 2: "),
        ({"fourth": "go", "fourth-spot": "80", "fourth-spot-most": "20"}, "^fourth down: "),
        ({"pass_rate": "5", "rule-1-down": "3"}, "rule 1: say how many points"),
        ({"pass_rate": "5", "fourth-to-go-most": "2"}, "fourth down: choose a rule"),
        ({"runs": "1000000"}, "unknown number of seasons"),
        ({"name": "x" * 81}, "at most 80 letters"),
        ({"season": "1999"}, "no season"),
        ({"team": "<b>"}, "unknown team"),
    ],
)
def test_what_cannot_be_is_refused(given: dict[str, str], said: str) -> None:
    with pytest.raises(HashmarkError, match=said):
        whatif_form.read({**FORM, **given})


def test_the_sliders_begin_where_the_plan_is() -> None:
    plan = whatif_form.read(FORM).base
    now = whatif_form.drawn_from(plan, 2008, "ARI")["now"]
    assert sum(now["play"].values()) == pytest.approx(1)
    assert sum(now["formation"].values()) == pytest.approx(1)
    assert now["rates"]["passes"] == pytest.approx(1 - PlanView(plan).plays[0].runs, abs=0.01)
