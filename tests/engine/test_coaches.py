"""Coaches that are not part of a rule set."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hashmark.engine import coaches, registry
from hashmark.engine.rule_set import RANDOM_COACH, Coach, RuleSet, SolverHooks

RULES = registry.load("fourth-down")


def first_of_fourth_down(rules: RuleSet) -> Coach | None:
    return RULES.coaches[0] if rules.name == RULES.name else None


def test_a_factory_is_registered_once_and_may_decline_a_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(coaches, "_FACTORIES", [])
    for _ in range(2):
        coaches.register(f"{__name__}:first_of_fourth_down")
    assert [coach.name for coach in coaches.registered_coaches(RULES)] == [RULES.coaches[0].name]
    assert coaches.registered_coaches(registry.load("rapid-roll")) == []


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(ValueError, match="'Legend' is not a level"):
        Coach("guest", "Plays anyhow.", None, level="Legend")


def test_coaches_are_sorted_by_strength_and_then_as_declared() -> None:
    guests = (
        Coach("strong", "", None, level="All-Pro"),
        Coach("first", "", None, level="Rookie"),
        Coach("second", "", None, level="Rookie"),
        Coach("unrated", "", None),
    )
    rules = replace(RULES, coaches=(RANDOM_COACH, *guests), solver=SolverHooks())
    names = [coach.name for coach in rules.coaches_by_strength()]
    assert names == ["random", "unrated", "first", "second", "strong"]
    assert guests[0].title == "All-Pro (strong)"
    assert guests[3].title == "unrated"
