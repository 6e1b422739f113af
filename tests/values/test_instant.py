"""Live win probability: instant, labeled, and never from rollouts."""

from __future__ import annotations

import pytest

from hashmark.engine import registry
from hashmark.values import sources
from hashmark.values.instant import instant_value, win_probability_json, win_probability_text
from hashmark.values.value import Method, Value


@pytest.mark.parametrize(
    "name", ["fourth-down", "roll-for-yardage", "two-minute-drill", "data-driven"]
)
def test_a_new_game_has_an_instant_value(name: str) -> None:
    rules = registry.load(name)
    m = rules.new_match()
    value = instant_value(rules, m, rules.new_position(m))
    assert value is not None
    assert value.method in (Method.FITTED, Method.HEURISTIC)


def test_without_a_table_there_is_none() -> None:
    rules = registry.load("data-driven")
    m = rules.new_match({"quarter_seconds": 300})
    assert instant_value(rules, m, rules.new_position(m)) is None


def test_a_damaged_table_counts_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "TABLE_FINDERS", ["values.test_instant:find_damaged"])
    rules = registry.load("fourth-down")
    m = rules.new_match({"punt_touchback": "goal-line"})
    assert instant_value(rules, m, rules.new_position(m)) is None


def find_damaged(*given: object) -> None:
    from hashmark.errors import HashmarkError

    raise HashmarkError("damaged")


def test_the_text_carries_the_half_width_of_the_interval() -> None:
    estimate = Value(0.6, 0.06, 0.34, 0.012, Method.ROLLOUTS)
    assert win_probability_text(estimate, 0) == "WP 63 % ± 2"
    assert win_probability_text(estimate, 1) == "WP 37 % ± 2"
    assert win_probability_text(Value(0.6, 0.0, 0.4, 0.0001, Method.FITTED), 0) == "WP 60 % ± 1"
    assert win_probability_text(Value(0.25, 0.5, 0.25), 0) == "WP 50.0 %"


def test_the_json_names_the_method() -> None:
    data = win_probability_json(Value(0.6, 0.06, 0.34, 0.012, Method.ROLLOUTS))
    assert data == {
        "home": 0.6, "away": 0.34, "tie": 0.06, "standard_error": 0.012, "method": "rollouts",
    }  # fmt: skip
