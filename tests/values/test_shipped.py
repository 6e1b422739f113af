"""Shipped value functions: their error is as stated, and calls are means over the dice."""

from __future__ import annotations

import math
import time
from typing import Any

import pytest

from hashmark.engine import registry
from hashmark.engine.record import HOME, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import HashmarkError
from hashmark.odds.outlook import outlook
from hashmark.values.shipped import ShippedSource
from hashmark.values.value import Method, NoValue, Value
from values.enumerated import Enumerated

GAMES = ("fourth-down", "roll-for-yardage")
MAX_MEAN_ERROR, MAX_P99_ERROR = 0.01, 0.04
MAX_BYTES = 3_000_000
POSITIONS: dict[str, list[dict[str, Any]]] = {
    "fourth-down": [
        {"phase": "drive", "possession": "home", "spot": 30},
        {"phase": "fourth-down", "possession": "away", "spot": 71, "to_go": 4, "clock": 77},
        {"phase": "try", "possession": "home", "period": 2, "clock": 30},
    ],
    "roll-for-yardage": [
        {"phase": "scrimmage", "possession": "home", "spot": 62, "down": 4, "to_go": 3},
        {"phase": "kickoff", "possession": "away", "period": 3, "clock": 17},
        {"phase": "try", "possession": "home", "period": 4, "clock": 9},
    ],
}


def source_for(rules: RuleSet) -> ShippedSource:
    source = ShippedSource.find(rules, rules.new_match(), 0.5)
    assert source is not None
    return source


@pytest.mark.parametrize("name", GAMES)
def test_the_measured_errors_are_within_the_promise(name: str) -> None:
    rules = registry.load(name)
    error = source_for(rules).function.error
    assert error.mean < MAX_MEAN_ERROR
    assert error.p99 < MAX_P99_ERROR
    assert error.positions > 5_000
    assert f"within {100 * error.mean:.1f} percentage points" in source_for(rules).description


def test_the_files_are_small() -> None:
    pages = [registry.load(name).presentation.rules_page for name in GAMES]
    assert sum((page.parent / "values.bin").stat().st_size for page in pages if page) < MAX_BYTES


def test_the_end_of_a_game_is_as_enumerated() -> None:
    """Compare positions of the last blocks with the obvious method."""
    rules = registry.load("fourth-down")
    m = rules.new_match()
    source, exact = source_for(rules), Enumerated(rules, m)
    given = {"phase": "fourth-down", "period": 2, "clock": 2, "received_first": "away"}
    errors = []
    for spot in range(5, 99, 7):
        for lead in (-4, -3, -1, 0, 2, 7):
            score = {"home": 20 + lead, "away": 20}
            fields = {"possession": "home", "spot": spot, "to_go": 5, "score": score}
            g = rules.new_position(m, {**given, **fields})
            errors.append(abs(source.value(g).worth(HOME) - exact.value(g).worth(HOME)))
    assert sum(errors) / len(errors) < MAX_MEAN_ERROR
    assert max(errors) < 2 * MAX_P99_ERROR


@pytest.mark.parametrize("name", GAMES)
def test_a_call_is_the_mean_over_its_dice(name: str) -> None:
    rules = registry.load(name)
    m, source = rules.new_match(), source_for(rules)
    g = rules.new_position(m, POSITIONS[name][1])
    judged = source.judge(g)
    assert set(judged.calls) == set(rules.legal_calls(m, g))
    assert judged.errors[judged.best] == 0
    for call, value in judged.calls.items():
        assert value.method == Method.FITTED
        outcomes = outlook(rules, m, g, call, "plain").outcomes
        mean = sum(one.chance * source.value(one.position).worth(HOME) for one in outcomes)
        assert value.worth(HOME) == pytest.approx(mean, abs=1e-9)
        assert call == judged.best or judged.errors[call] == source.function.error.calls


@pytest.mark.parametrize("name", GAMES)
def test_a_position_has_nearly_the_value_of_its_best_call(name: str) -> None:
    rules = registry.load(name)
    m, source = rules.new_match(), source_for(rules)
    for given in POSITIONS[name]:
        g = rules.new_position(m, given)
        best = source.judge(g).value
        assert source.value(g).worth(HOME) == pytest.approx(best.worth(HOME), abs=MAX_P99_ERROR)


@pytest.mark.parametrize("name", GAMES)
def test_teams_are_alike(name: str) -> None:
    """A new game is even, and swapping the teams swaps the chances."""
    rules = registry.load(name)
    m, source = rules.new_match(), source_for(rules)
    assert source.value(rules.new_position(m)).worth(HOME) == pytest.approx(0.5, abs=0.01)
    for given in POSITIONS[name]:
        other = {"home": "away", "away": "home"}[given["possession"]]
        swapped = {**given, "possession": other}
        if given.get("period", 1) == 1:
            swapped["received_first" if name == "fourth-down" else "second_half_choice"] = "home"
            given = {**given, "received_first" if name == "fourth-down" else "second_half_choice":
                     "away"}  # fmt: skip
        value, mirrored = (source.value(rules.new_position(m, one)) for one in (given, swapped))
        assert math.isclose(value.home, mirrored.away, abs_tol=1e-12)


def test_a_position_is_valued_in_milliseconds() -> None:
    """Count processor time of many positions: the promise is 5 ms, the measured time 0.02 ms."""
    rules = registry.load("fourth-down")
    m, source = rules.new_match(), source_for(rules)
    positions = [
        rules.new_position(m, {"phase": "drive", "possession": "home", "spot": spot})
        for spot in range(1, 99)
    ]
    source.value(positions[0])
    started = time.process_time()
    for g in positions:
        source.value(g)
    assert (time.process_time() - started) / len(positions) < 0.005


def test_a_finished_game_is_exact_and_a_large_lead_decided() -> None:
    rules = registry.load("fourth-down")
    m, source = rules.new_match(), source_for(rules)
    score = {"home": 30, "away": 20}
    over = rules.new_position(m, {"phase": "over", "period": 2, "clock": 0, "score": score})
    assert source.value(over) == Value(1.0, 0.0, 0.0)
    assert source.value(over).is_exact
    ahead = {"phase": "drive", "possession": "away", "spot": 50, "score": {"home": 90, "away": 3}}
    assert source.value(rules.new_position(m, ahead)).home == 1.0


def test_other_options_and_ties_have_no_value_function() -> None:
    rules = registry.load("fourth-down")
    m = rules.new_match()
    assert ShippedSource.find(rules, rules.new_match({"late_half_ends": True}), 0.5) is None
    assert ShippedSource.find(rules, m, 0.25) is None
    with pytest.raises(HashmarkError, match="no call is pending"):
        source_for(rules).judge(rules.new_position(m))


def test_secret_calls_are_not_covered() -> None:
    rules = registry.load("data-driven")
    m = rules.new_match()
    source = ShippedSource(rules, m, source_for(registry.load("fourth-down")).function)
    g: PositionRecord = rules.new_position(m, {"phase": "scrimmage", "possession": "home",
                                               "spot": 30, "down": 1, "to_go": 10})  # fmt: skip
    with pytest.raises(NoValue, match="secret"):
        source.judge(g)
