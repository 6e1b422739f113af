"""Characteristic habits of a plan."""

from __future__ import annotations

import pytest

from hashmark.games.data_driven.plans import plan as plans
from hashmark.games.data_driven.plans.plan import Entry
from hashmark.league.plans.habits import HABITS, habit_shares


def test_shares_are_summed_in_the_matching_entry() -> None:
    plan = plans.build_plan(
        "mine",
        {
            "play": [
                Entry({"down": (1, 1)}, {"draw": 1, "end-run": 2, "long-pass": 1}),
                Entry({}, {"screen": 1}),
            ],
            "instead": [
                Entry({"to-go": (1, 1)}, {"play": 3, "punt": 1}),
                Entry({}, {"punt": 1}),
            ],
        },
    )
    shares = habit_shares(plan)
    assert list(shares) == list(HABITS)
    assert shares["runs on 1st & 10"] == pytest.approx(0.75)
    assert shares["long on 1st & 10"] == pytest.approx(0.25)
    assert shares["runs on 2nd & 8"] == 0
    assert shares["go on 4th & 1 at their 43"] == pytest.approx(0.75)
    assert shares["go on 4th & 3 at their 37"] == 0


def test_an_empty_plan_has_no_habits() -> None:
    assert set(habit_shares(plans.build_plan("empty", {})).values()) == {0}
