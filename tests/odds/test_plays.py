"""Whole plays: compiled and plain agree, and the drill's answers are followed to the end."""

from __future__ import annotations

from typing import Any

import pytest

from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.errors import TooManyOutcomes
from hashmark.games.data_driven import RULES as DATA_DRIVEN
from hashmark.games.two_minute_drill import RULES as DRILL
from hashmark.odds import Follower, Matrix, Outlook
from hashmark.odds.outlook import QUICK_ENGINE
from hashmark.odds.sampled_plays import SampledPlays

SHORT = {"phase": "scrimmage", "possession": "home", "spot": 97, "down": 3, "to_go": 3}
DICE = {"d4": 2, "d6a": 3, "d6b": 5, "d8": 7, "d10": 0, "d12": 0, "dta": 1, "dtb": 4}
REROLL = {"phase": "reroll", "clock": 9, "dice": {k: v or None for k, v in DICE.items()}}


def ends(one: Outlook) -> dict[Any, float]:
    return {outcome.key: outcome.chance for outcome in one.outcomes if outcome.chance > 1e-13}


def assert_alike(ours: Outlook, theirs: Outlook) -> None:
    """Check that distribution, statistics and figures are equal up to rounding."""
    assert ends(ours) == pytest.approx(ends(theirs), rel=1e-9, abs=1e-12)
    assert ours.figures == pytest.approx(theirs.figures, rel=1e-9, abs=1e-12)
    for team in range(2):
        assert ours.distribution.means[team] == pytest.approx(
            theirs.distribution.means[team], abs=1e-11
        )
        assert ours.distribution.positive_chances[team] == pytest.approx(
            theirs.distribution.positive_chances[team], abs=1e-11
        )


def play_on_both_engines(
    rules: RuleSet, m: MatchRecord, g: PositionRecord, call: str, against: str
) -> list[Outlook]:
    return [Follower(rules, m, engine).play(g, call, against) for engine in ("compiled", "plain")]


@pytest.mark.long
@pytest.mark.parametrize("call", ["line-plunge", "screen", "medium-pass", "sideline-pass"])
@pytest.mark.parametrize("given", [SHORT, {**SHORT, "spot": 40, "down": 4, "to_go": 8}], ids=str)
def test_compiled_plays_equal_plain_plays(call: str, given: dict[str, Any]) -> None:
    m = DATA_DRIVEN.new_match({})
    assert_alike(
        *play_on_both_engines(DATA_DRIVEN, m, DATA_DRIVEN.new_position(m, given), call, "nickel")
    )


def test_a_play_without_flags_is_equal_on_both_engines() -> None:
    m = DATA_DRIVEN.new_match({"def_penalties": False})
    assert_alike(
        *play_on_both_engines(
            DATA_DRIVEN, m, DATA_DRIVEN.new_position(m, SHORT), "line-plunge", "blitz"
        )
    )


@pytest.mark.long
def test_answers_of_the_drill_are_equal_on_both_engines() -> None:
    m = DRILL.new_match({})
    g = DRILL.new_position(m, REROLL)
    calls = DRILL.legal_calls(m, g)
    ours, theirs = (
        Follower(DRILL, m, engine).outlooks(g, calls) for engine in ("compiled", "plain")
    )
    for one, other in zip(ours, theirs, strict=True):
        assert_alike(one, other)


def test_every_answer_of_the_drill_ends_its_play() -> None:
    m = DRILL.new_match({})
    g = DRILL.new_position(m, REROLL)
    for answer in Follower(DRILL, m, "plain").outlooks(g, DRILL.legal_calls(m, g)):
        assert sum(outcome.chance for outcome in answer.outcomes) == pytest.approx(1)
        assert all(DRILL.is_play_over(m, outcome.position) for outcome in answer.outcomes)
        kinds = ("good_play", "incomplete", "fumble", "offence_penalty", "group")
        total = sum(answer.figures[f"{kind}_chance"] or 0 for kind in kinds)
        assert total == pytest.approx(1)


def test_the_error_names_the_shared_limit() -> None:
    m = DRILL.new_match({})
    dice = {"d4": 3, "d6a": 6, "d6b": 1, "d8": 4, "d10": 8, "d12": 12, "dta": 6, "dtb": 6}
    g = DRILL.new_position(m, {"phase": "reroll", "clock": 30, "spot": 25, "dice": dice})
    with pytest.raises(TooManyOutcomes, match=r"have more than 3,000 outcomes$"):
        Follower(DRILL, m, QUICK_ENGINE).outlooks(g, DRILL.legal_calls(m, g))


def test_matrix_tables_omit_missing_figures_and_mark_impossible_pairs() -> None:
    cells = {("run", "blitz"): {"expected_yards": 2.5}, ("pass", "deep"): {"expected_yards": 7.0}}
    assert Matrix(["run", "pass"], ["blitz", "deep"], cells).tables() == [
        (
            "Mean yards",
            ["call", "blitz", "deep"],
            [["run", "+2.50", "-"], ["pass", "-", "+7.00"]],
        )
    ]


def test_sampled_plays_come_near_the_exact_odds() -> None:
    m = DRILL.new_match({})
    g = DRILL.new_position(m, REROLL)
    calls = DRILL.legal_calls(m, g)
    exact = Follower(DRILL, m, "plain").outlooks(g, calls)
    sampled = SampledPlays(DRILL, m, g, 0, seconds=1e9)
    distributions = sampled.follow([g] * len(calls), calls)
    assert sampled.plays_per_call == 400
    for answer, distribution in zip(exact, distributions, strict=True):
        rough = Outlook(DRILL, m, g, 0, answer.call, distribution)
        for name in ("good_play_chance", "group_chance", "first_down_chance"):
            assert rough.figures[name] == pytest.approx(answer.figures[name], abs=0.12)
    assert "95 % CI within 5 percentage points" in sampled.describe_accuracy()
