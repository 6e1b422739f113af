"""Position analysis: the value of every call, and break-evens against a direct computation."""

from __future__ import annotations

from typing import Any

import pytest

from hashmark.engine import registry
from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.odds.outlook import outlook
from hashmark.values.analysis import (
    BreakEven,
    PositionAnalysis,
    analyze_position,
    decisions_per_game,
    describe_small_differences,
    format_loss,
)
from hashmark.values.sources import source_of
from hashmark.values.value import CallValues, Method, Value
from values.enumerated import Enumerated

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


def test_every_call_has_probabilities_that_add_up(source: Enumerated) -> None:
    analysis = analyze_position(source, late(phase="fourth-down", spot=70, to_go=4))
    assert analysis.call_values is not None
    assert set(analysis.call_values.calls) == {GO, KICK, PUNT}
    assert analysis.value == analysis.call_values.calls[analysis.call_values.best]
    for value in analysis.call_values.calls.values():
        assert value.home + value.tie + value.away == pytest.approx(1, abs=1e-12)


def test_json_has_the_documented_keys(source: Enumerated) -> None:
    data = analyze_position(source, late(phase="fourth-down", spot=70, to_go=4)).to_json()
    keys = ["team", "home", "tie", "away", "exact", "standard_error", "method", "label"]
    assert list(data) == [*keys, "best", "calls"]
    assert data["label"] == "exact"
    assert data["team"] == "home"
    assert data["exact"] is True
    assert data["standard_error"] == 0
    assert [list(entry) for entry in data["calls"]] == [["call", "home", "tie", "away"]] * 3
    best = next(entry for entry in data["calls"] if entry["call"] == data["best"])
    assert best["home"] == data["home"] == max(entry["home"] for entry in data["calls"])


def test_a_position_without_a_question_has_no_calls() -> None:
    data = analyze_position(Tossed(), RULES.new_position(M)).to_json()
    assert (data["team"], data["best"], data["calls"]) == (None, None, [])
    assert data["home"] == 0.5


class Tossed:
    """Source that considers every position even, with an error."""

    tie, description = 0.5, ""

    def __init__(self, rules: RuleSet = RULES, m: MatchRecord = M) -> None:
        self.rules, self.m = rules, m

    def value(self, g: PositionRecord) -> Value:
        return Value(0.5, 0.0, 0.5, 0.01, Method.ROLLOUTS)

    def judge(self, g: PositionRecord, before: PositionRecord | None = None) -> CallValues:
        calls = dict.fromkeys(self.rules.legal_calls(self.m, g), self.value(g))
        return CallValues(self.rules.team_to_act(self.m, g), calls, dict.fromkeys(calls, 0.01))


def test_a_kick_equals_the_best_alternative_at_its_break_even(source: Enumerated) -> None:
    """Reweight the kick's outcomes to the break-even success rate."""
    g = late(phase="fourth-down", spot=70, to_go=4)
    analysis = analyze_position(source, g)
    assert analysis.call_values is not None
    even = analysis.break_evens[KICK]
    good: list[tuple[float, float]] = []
    missed: list[tuple[float, float]] = []
    for outcome in outlook(RULES, M, g, KICK, "plain").outcomes:
        is_good = outcome.position.score[0] > g.score[0]
        (good if is_good else missed).append(
            (outcome.chance, source.value(outcome.position).worth(0))
        )
    works = sum(chance for chance, _ in good)
    assert even.success_rate == pytest.approx(works)
    mixed = even.required_rate * mean(good) + (1 - even.required_rate) * mean(missed)
    assert mixed == pytest.approx(analysis.call_values.calls[even.alternative].worth(0), abs=1e-12)
    is_right = even.success_rate > even.required_rate
    assert is_right == (analysis.call_values.best == KICK)


def mean(pairs: list[tuple[float, float]]) -> float:
    return sum(chance * worth for chance, worth in pairs) / sum(chance for chance, _ in pairs)


def test_a_punt_and_a_drive_have_no_break_even(source: Enumerated) -> None:
    assert (
        PUNT
        not in analyze_position(source, late(phase="fourth-down", spot=70, to_go=4)).break_evens
    )
    assert analyze_position(source, late(phase="drive", spot=60)).break_evens == {}


def test_small_differences_are_added_up_over_a_game(source: Enumerated) -> None:
    g = late(phase="fourth-down", spot=70, to_go=4, score={"home": 60, "away": 0})
    calls = {GO: Value(0.5, 0.0, 0.5), KICK: Value(0.498, 0.0, 0.502)}
    judged = CallValues(0, calls, dict.fromkeys(calls, 0.0))
    text = describe_small_differences(PositionAnalysis(source, calls[GO], judged), g)
    decisions = decisions_per_game(RULES, M, "fourth-down")
    assert 10 < decisions < 25  # 16.0 in 40 games of book
    assert (
        f"0.20 lost on each of the {decisions:.0f} such decisions of a game (fourth-down)" in text
    )
    same = CallValues(0, dict.fromkeys(calls, calls[GO]), dict.fromkeys(calls, 0.0))
    text = describe_small_differences(PositionAnalysis(source, calls[GO], same), g)
    assert text == "All calls are within 0.5 percentage points of each other."


def test_a_flag_is_followed_to_the_better_answer() -> None:
    """Half of the fourth downs had no break-even while a flag counted as undecided."""
    rules = registry.load("roll-for-yardage")
    m = rules.new_match()
    given = {"phase": "scrimmage", "possession": "home", "down": 4, "period": 3, "clock": 12}
    scrimmage = rules.call_codes["scrimmage"]
    for spot, to_go in ((60, 3), (75, 2), (45, 1)):
        g = rules.new_position(m, {**given, "spot": spot, "to_go": to_go})
        assert scrimmage in analyze_position(source_of(rules, m=m), g).break_evens


def test_an_estimate_has_no_break_even() -> None:
    assert analyze_position(Tossed(), late(phase="fourth-down", spot=70, to_go=4)).break_evens == {}


def test_a_break_even_is_described_in_a_sentence() -> None:
    sentence = BreakEven(GO, PUNT, 0.524, 0.377).describe(RULES)
    assert sentence == (
        "going for it beats punting if it succeeds more than 38 % of the time; here it succeeds "
        "52 %"
    )


def test_a_call_without_a_phrase_is_named_in_a_break_even() -> None:
    calls = registry.load("data-driven").calls
    even = BreakEven(calls.index("long-pass"), calls.index("punt"), 0.5, 0.4)
    sentence = even.describe(registry.load("data-driven"))
    assert sentence.startswith("calling long-pass beats punting if it succeeds more than 40 %")


def test_a_loss_is_shown_with_its_error_if_it_is_estimated() -> None:
    values = {GO: Value(0.6, 0, 0.4), KICK: Value(0.597, 0, 0.403), PUNT: Value(0.4, 0, 0.6)}
    exact = CallValues(0, values, dict.fromkeys(values, 0.0))
    assert [format_loss(exact, call) for call in values] == ["best", "same", "-20.0"]
    rough = CallValues(0, values, dict.fromkeys(values, 0.01))
    assert format_loss(rough, KICK) == "-0.3 ± 1.0"


def test_a_secret_call_in_the_position_is_reported() -> None:
    rules = registry.load("data-driven")
    m = rules.new_match()
    given = {"phase": "scrimmage", "possession": "home", "spot": 40, "down": 1, "to_go": 10}
    g = rules.new_position(m, given)

    source = Tossed(rules, m)
    assert not knows_secret_call(analyze_position(source, g, before=g))
    rules.step(m, g, rules.legal_calls(m, g)[0])
    assert knows_secret_call(analyze_position(source, g))


def knows_secret_call(analysis: PositionAnalysis) -> bool:
    return analysis.knows_secret
