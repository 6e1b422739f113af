"""The model of a pairing: what its table depends on, and the levels of its coaches."""

from __future__ import annotations

import pytest

from hashmark.games.data_driven import RULES, pairing

OPTIONS = {"charts": "2008", "home_team": "ARI", "away_team": "PIT", "preset": "recommended"}


def test_plans_do_not_matter_but_charts_and_options_do() -> None:
    keys = [
        pairing.content_key(RULES.new_match({**OPTIONS, **changed}))
        for changed in ({}, {"home_plan": "bold"}, {"away_team": "SEA"}, {"audibles": "off"})
    ]
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3


@pytest.mark.parametrize(("weaker", "stronger"), [("rookie", "starter"), ("veteran", "best")])
def test_a_stronger_coach_mixes_its_hidden_calls_more_often(weaker: str, stronger: str) -> None:
    assert pairing.level_of(weaker)[0] < pairing.level_of(stronger)[0]
