"""What a game declares of its essence can be wrong, and the kit sees it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hashmark.games.roll_for_yardage import essence as roll_for_yardage
from hashmark.referee import essence
from hashmark.referee.checks import CHECKS
from hashmark.referee.referee import Foul, Referee
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


def solvable(name: str, **declared: Any) -> Referee:
    """A referee of a game that declares itself to a solver, maybe wrongly."""
    rules = registry.load(name)
    if name == "roll-for-yardage":
        rules = replace(rules, solving=roll_for_yardage.SOLVING)
    assert rules.solving is not None
    return Referee(replace(rules, solving=replace(rules.solving, **declared)), games=24)


TOLD = CHECKS["what a solver is told is so"]


@pytest.mark.parametrize("name", ["fourth-down", "roll-for-yardage"])
def test_what_games_tell_a_solver_is_so(name: str) -> None:
    TOLD(solvable(name))


def test_a_game_that_is_not_as_steady_as_it_says() -> None:
    rules = registry.load("fourth-down")
    assert rules.solving is not None
    always = replace(rules, solving=replace(rules.solving, steady=lambda m, g: 1))
    m, call = rules.new_match(), rules.call_codes["run-first"]
    for clock, unlike in ((100, set()), (12, {"the time"})):
        g = rules.new_position(m, {**DRIVE, "period": 2, "clock": clock})
        rows = essence.as_a_solver_sees(always, m, g, call)
        twins = essence.solved_alike(always, m, g)
        assert {what for what, _ in twins} == {"which team is which", "the time"}
        found = {
            what for what, twin in twins if essence.as_a_solver_sees(always, m, twin, call) != rows
        }
        assert found == unlike


def test_a_decision_that_is_not_instant() -> None:
    with pytest.raises(Foul, match="is not decided at once"):
        TOLD(solvable("fourth-down", instant=lambda m, g: True))
