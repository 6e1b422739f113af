"""Best calls: what is said of every call, and break-evens against the obvious reckoning."""

from __future__ import annotations

from typing import Any

import pytest

from hashmark.odds.outlook import outlook
from hashmark.table import registry
from hashmark.table.rules import RuleSet
from hashmark.values.best import Best, BreakEven, best_of, difference
from hashmark.values.value import Judgement, Value

from .enumerated import Enumerated

RULES = registry.load("fourth-down")
M = RULES.new_match()
LATE = {"period": 2, "clock": 2, "possession": "home", "received_first": "away"}
DOWN_TWO = {"score": {"home": 20, "away": 22}}
GO, KICK, PUNT = (RULES.call_codes[name] for name in ("go-for-it", "field-goal", "punt"))


@pytest.fixture(scope="module")
def source() -> Enumerated:
    return Enumerated(RULES, M)


def late(**more: Any) -> Any:
    return RULES.new_position(M, {**LATE, **DOWN_TWO, **more})


def test_every_call_has_its_chances(source: Enumerated) -> None:
    found = best_of(source, late(phase="fourth-down", spot=70, to_go=4))
    assert found.judgement is not None
    assert set(found.judgement.calls) == {GO, KICK, PUNT}
    assert found.value == found.judgement.calls[found.judgement.best]
    for one in found.judgement.calls.values():
        assert one.home + one.tie + one.away == pytest.approx(1, abs=1e-12)


def test_json_is_as_the_reference_says(source: Enumerated) -> None:
    said = best_of(source, late(phase="fourth-down", spot=70, to_go=4)).to_json()
    keys = ["team", "home", "tie", "away", "exact", "standard_error", "best", "calls"]
    assert list(said) == keys
    assert said["team"] == "home"
    assert said["exact"] is True
    assert said["standard_error"] == 0
    assert [list(one) for one in said["calls"]] == [["call", "home", "tie", "away"]] * 3
    best = next(one for one in said["calls"] if one["call"] == said["best"])
    assert best["home"] == said["home"] == max(one["home"] for one in said["calls"])


def test_where_nobody_is_asked_there_are_no_calls() -> None:
    said = best_of(Tossed(), RULES.new_position(M)).to_json()
    assert (said["team"], said["best"], said["calls"]) == (None, None, [])
    assert said["home"] == 0.5


class Tossed:
    """Knows that a new game is even, and that it does not know exactly."""

    tie, said = 0.5, ""

    def __init__(self, rules: RuleSet = RULES, m: Any = M) -> None:
        self.rules, self.m = rules, m

    def value(self, g: Any) -> Value:
        return Value(0.5, 0.0, 0.5, 0.01)

    def judge(self, g: Any, before: Any = None) -> Judgement:
        calls = dict.fromkeys(self.rules.legal_calls(self.m, g), Value(0.5, 0.0, 0.5, 0.01))
        return Judgement(self.rules.asked(self.m, g), calls, dict.fromkeys(calls, 0.01))


def test_a_kick_is_right_from_its_break_even_on(source: Enumerated) -> None:
    """Mix the kick's outcomes so that it works as often as that: it is as good as the other."""
    g = late(phase="fourth-down", spot=70, to_go=4)
    found = best_of(source, g)
    assert found.judgement is not None
    even = found.break_evens[KICK]
    good: list[tuple[float, float]] = []
    missed: list[tuple[float, float]] = []
    for one in outlook(RULES, M, g, KICK, "plain").outcomes:
        made = one.position.score[0] > g.score[0]
        (good if made else missed).append((one.chance, source.value(one.position).worth(0)))
    works = sum(chance for chance, _ in good)
    assert even.works == pytest.approx(works)
    mixed = even.needed * mean(good) + (1 - even.needed) * mean(missed)
    assert mixed == pytest.approx(found.judgement.calls[even.other].worth(0), abs=1e-12)
    is_right = even.works > even.needed
    assert is_right == (found.judgement.best == KICK)


def mean(pairs: list[tuple[float, float]]) -> float:
    return sum(chance * worth for chance, worth in pairs) / sum(chance for chance, _ in pairs)


def test_a_punt_and_a_drive_have_no_break_even(source: Enumerated) -> None:
    assert PUNT not in best_of(source, late(phase="fourth-down", spot=70, to_go=4)).break_evens
    assert best_of(source, late(phase="drive", spot=60)).break_evens == {}


def test_an_estimate_has_no_break_even() -> None:
    assert best_of(Tossed(), late(phase="fourth-down", spot=70, to_go=4)).break_evens == {}


def test_a_break_even_is_said_in_a_sentence() -> None:
    said = BreakEven(GO, PUNT, 0.524, 0.377).said(RULES.calls)
    assert said == (
        "go-for-it is right against punt if it works more than 38% of the time; it works 52%"
    )


def test_differences_are_told_as_they_are_known() -> None:
    values = {GO: Value(0.6, 0, 0.4), KICK: Value(0.597, 0, 0.403), PUNT: Value(0.4, 0, 0.6)}
    exact = Judgement(0, values, dict.fromkeys(values, 0.0))
    assert [difference(exact, call) for call in values] == ["best", "no matter", "-20.0"]
    rough = Judgement(0, values, dict.fromkeys(values, 0.01))
    assert difference(rough, KICK) == "-0.3 ± 1.0"


def test_a_secret_call_in_the_position_is_owned_up_to() -> None:
    rules = registry.load("data-driven")
    m = rules.new_match()
    given = {"phase": "scrimmage", "possession": "home", "spot": 40, "down": 1, "to_go": 10}
    g = rules.new_position(m, given)

    asked = Tossed(rules, m)
    assert not known(best_of(asked, g, before=g))
    rules.step(m, g, rules.legal_calls(m, g)[0])
    assert known(best_of(asked, g))


def known(found: Best) -> bool:
    return found.knows_secret
