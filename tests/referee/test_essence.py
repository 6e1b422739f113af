"""What a game declares of its essence can be wrong, and the kit sees it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hashmark.referee import essence
from hashmark.referee.checks import CHECKS
from hashmark.referee.referee import Referee
from hashmark.table import registry
from hashmark.table.rules import RuleSet


def forget_the_spot(m: Any, g: Any) -> None:
    g.spot = 50


def never(m: Any, g: Any) -> bool:
    return False


def differ(rules: RuleSet, given: dict[str, Any], call: str) -> list[str]:
    """What changes the outcomes of a call, although the game declares that it does not."""
    m = rules.new_match({})
    g = rules.new_position(m, given)
    code = rules.call_codes[call]
    rows = essence.rows(rules, m, g, code)
    return [
        what
        for what, twin in essence.twins(rules, m, g)
        if essence.rows(rules, m, twin, code) != rows
    ]


DRIVE = {"phase": "drive", "possession": "home", "spot": 30}
LAST = {"phase": "scrimmage", "possession": "home", "spot": 70, "period": 4, "clock": 1}


def test_a_game_that_forgets_what_counts() -> None:
    rules = registry.load("fourth-down")
    assert differ(rules, DRIVE, "balanced") == []
    assert differ(replace(rules, forget=forget_the_spot), DRIVE, "balanced") == ["forgetting"]


def test_a_game_whose_score_counts_at_the_end() -> None:
    rules = registry.load("roll-for-yardage")
    assert differ(rules, LAST, "field-goal") == []
    assert differ(replace(rules, score_counts=never), LAST, "field-goal") == ["the lead"]


@pytest.mark.long
@pytest.mark.parametrize("rules", registry.built_in())
def test_essences_of_many_games(rules: str) -> None:
    """Under every switch."""
    CHECKS["equal essences lead to equal outcomes"](Referee(rules, games=400, seed=9))
