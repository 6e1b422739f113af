"""Tests of the abstraction checks: wrong declarations of a game are found."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hashmark.conformance import abstraction
from hashmark.conformance.checks import CHECKS
from hashmark.conformance.kit import ConformanceKit, Violation
from hashmark.engine import registry
from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.games.fourth_down.position import Match, Position
from hashmark.games.roll_for_yardage import abstraction as roll_for_yardage


def drop_the_spot(m: Match, g: Position) -> None:
    g.spot = 50


def never(m: MatchRecord, g: PositionRecord) -> bool:
    return False


def differences(rules: RuleSet, given: dict[str, Any], call: str) -> list[str]:
    """Return what changes the outcomes of a call although the game declares that it does not."""
    m = rules.new_match({})
    g = rules.new_position(m, given)
    code = rules.call_codes[call]
    rows = abstraction.outcome_chances(rules, m, g, code)
    return [
        difference
        for difference, twin in abstraction.equivalent_twins(rules, m, g)
        if abstraction.outcome_chances(rules, m, twin, code) != rows
    ]


DRIVE = {"phase": "drive", "possession": "home", "spot": 30}
LAST = {"phase": "scrimmage", "possession": "home", "spot": 70, "period": 4, "clock": 1}


def test_dropping_a_relevant_field_is_found() -> None:
    rules = registry.load("fourth-down")
    assert differences(rules, DRIVE, "balanced") == []
    assert differences(
        replace(rules, solver=replace(rules.solver, drop_irrelevant=drop_the_spot)),
        DRIVE,
        "balanced",
    ) == ["forgetting"]


def test_a_score_that_counts_at_the_end_is_found() -> None:
    rules = registry.load("roll-for-yardage")
    assert differences(rules, LAST, "field-goal") == []
    assert differences(
        replace(rules, solver=replace(rules.solver, score_matters=never)), LAST, "field-goal"
    ) == ["the lead"]


@pytest.mark.long
@pytest.mark.parametrize("rules", registry.builtin_names())
def test_abstractions_of_many_games_are_valid(rules: str) -> None:
    """Under every switch."""
    CHECKS["equal abstractions have equal outcomes"](ConformanceKit(rules, games=400, seed=9))


def solvable(name: str, **declared: Any) -> ConformanceKit:
    """Return the kit of a game with a solver spec, optionally with wrong declarations."""
    rules = registry.load(name)
    if name == "roll-for-yardage":
        rules = replace(rules, solver=replace(rules.solver, spec=roll_for_yardage.SOLVING))
    assert rules.solver.spec is not None
    return ConformanceKit(
        replace(rules, solver=replace(rules.solver, spec=replace(rules.solver.spec, **declared))),
        games=24,
    )


CHECK_SOLVER_SPEC = CHECKS["solver spec holds"]


@pytest.mark.parametrize("name", ["fourth-down", "roll-for-yardage"])
def test_solver_specs_hold(name: str) -> None:
    CHECK_SOLVER_SPEC(solvable(name))


def test_a_position_wrongly_declared_steady_is_found() -> None:
    rules = registry.load("fourth-down")
    assert rules.solver.spec is not None
    always = replace(
        rules,
        solver=replace(rules.solver, spec=replace(rules.solver.spec, steady_layer=lambda m, g: 1)),
    )
    m, call = rules.new_match(), rules.call_codes["run-first"]
    for clock, expected in ((100, set()), (12, {"the time"})):
        g = rules.new_position(m, {**DRIVE, "period": 2, "clock": clock})
        rows = abstraction.solver_outcome_chances(always, m, g, call)
        twins = abstraction.solver_equivalents(always, m, g)
        assert {difference for difference, _ in twins} == {"which team is which", "the time"}
        differing = {
            difference
            for difference, twin in twins
            if abstraction.solver_outcome_chances(always, m, twin, call) != rows
        }
        assert differing == expected


def test_a_decision_wrongly_declared_instant_is_found() -> None:
    with pytest.raises(Violation, match="is not decided at once"):
        CHECK_SOLVER_SPEC(solvable("fourth-down", is_instant=lambda m, g: True))
