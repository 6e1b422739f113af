"""Coaches that are not part of a rule set."""

from __future__ import annotations

import pytest

from hashmark.engine import coaches, registry
from hashmark.engine.rule_set import Coach, RuleSet

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
