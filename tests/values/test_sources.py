"""Selection of the best value source."""

from __future__ import annotations

import pytest

from hashmark.engine import registry
from hashmark.engine.record import MatchRecord, PositionRecord
from hashmark.engine.rule_set import RuleSet
from hashmark.values import solution, sources
from hashmark.values.analysis import analyze_position
from hashmark.values.heuristic_values import HeuristicValues
from hashmark.values.rollouts import Rollouts
from hashmark.values.solution import NotSolved
from hashmark.values.sources import SourceChain, instant_source, source_of
from hashmark.values.value import CallValues, Method, MixedStrategy, NoValue, Value


def test_without_a_solution_rollouts_are_used() -> None:
    rules = registry.load("rapid-roll")
    source = source_of(rules, {"overtime": "none"}, tie=0.25, games=50, seed=3, engine="plain")
    assert isinstance(source, Rollouts)
    assert (source.tie, source.games, source.seed) == (0.25, 50, 3)
    assert source.rules is rules
    assert "50 games" in source.description


def test_heuristic_values_are_used_for_default_options() -> None:
    rules = registry.load("two-minute-drill")
    assert isinstance(source_of(rules), HeuristicValues)
    assert isinstance(source_of(rules, {"reply": True}, engine="plain"), Rollouts)


class Known:
    """A solution that contains a single position."""

    tie, description = 1.0, "exact"

    def __init__(self, rules: RuleSet, m: MatchRecord) -> None:
        self.rules, self.m = rules, m

    def value(self, g: PositionRecord) -> Value:
        if g.spot != 30:
            raise NotSolved("not there")
        return Value(0.25, 0.5, 0.25)

    def judge(self, g: PositionRecord, before: PositionRecord | None = None) -> CallValues:
        return CallValues(0, {0: self.value(g)}, {0: 0.0})


def test_a_solution_comes_first_with_rollouts_for_missing_positions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = registry.load("fourth-down")
    m = rules.new_match()
    known = Known(rules, m)
    monkeypatch.setattr(solution, "find", lambda *given: known)
    source = source_of(rules, m=m, tie=1.0, games=4, engine="plain")
    given = {"phase": "drive", "possession": "home", "period": 2, "clock": 5}
    included, missing = (rules.new_position(m, {**given, "spot": spot}) for spot in (30, 31))
    assert source.value(included) == Value(0.25, 0.5, 0.25)
    assert source.judge(included).value == Value(0.25, 0.5, 0.25)
    assert source.description == "exact"
    assert not source.value(missing).is_exact
    assert not source.judge(missing).value.is_exact
    assert source.description.startswith("exact; elsewhere, rollouts, both teams")


def test_values_from_rollouts_alone_are_not_labeled_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = registry.load("fourth-down")
    m = rules.new_match({"late_half_ends": True})  # the value function is for the default options
    known = Known(rules, m)
    monkeypatch.setattr(solution, "find", lambda *given: known)
    source = source_of(rules, m=m, games=4, engine="plain")
    missing = rules.new_position(
        m, {"phase": "drive", "possession": "home", "period": 2, "clock": 5, "spot": 31}
    )
    found = analyze_position(source, missing).to_json()
    assert found["exact"] is False
    assert found["method"] == source.description
    assert source.description.startswith("rollouts, both teams coached by book, 4 games")


def test_the_value_function_answers_where_the_solution_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = registry.load("fourth-down")
    m = rules.new_match()
    known = Known(rules, m)
    known.tie = 0.5
    monkeypatch.setattr(solution, "find", lambda *given: known)
    source = source_of(rules, m=m)
    missing = rules.new_position(m, {"phase": "drive", "possession": "home", "spot": 31})
    assert source.value(missing).method == Method.FITTED
    assert source.description.startswith("value function shipped with the game")
    included = rules.new_position(m, {"phase": "drive", "possession": "home", "spot": 30})
    assert source.value(included).method == Method.EXACT
    assert source.description.startswith("exact; elsewhere, value function")


def test_instant_sources_never_play_games_out() -> None:
    rapid, drill = registry.load("rapid-roll"), registry.load("two-minute-drill")
    assert instant_source(rapid, rapid.new_match({"overtime": "none"})) is None
    assert isinstance(instant_source(drill, drill.new_match()), HeuristicValues)
    assert instant_source(drill, drill.new_match(), with_heuristics=False) is None
    fourth = registry.load("fourth-down")
    m = fourth.new_match()
    chain = SourceChain([Known(fourth, m)])
    with pytest.raises(NoValue, match="without rollouts"):
        chain.value(fourth.new_position(m, {"phase": "drive", "possession": "home", "spot": 31}))


class Mixing(Known):
    """A table that knows mixes of secret calls."""

    def mixes(self, g: PositionRecord) -> tuple[MixedStrategy, ...]:
        return (MixedStrategy(0, {1: (1.0, 0.5, 0.0)}, 0.5, 0.01, "table"),)


def test_a_chain_has_the_mixes_of_its_tables() -> None:
    rules = registry.load("fourth-down")
    m = rules.new_match()
    g = rules.new_position(m)
    assert SourceChain([Known(rules, m), Mixing(rules, m)]).mixes(g)[0].method == "table"
    with pytest.raises(NoValue, match="mixes"):
        SourceChain([Known(rules, m)]).mixes(g)


def test_a_table_of_the_user_registers_a_finder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "TABLE_FINDERS", ["values.test_sources:find_known"])
    rules = registry.load("fourth-down")
    assert isinstance(sources.solved_source(rules, rules.new_match()), Known)


def find_known(rules: RuleSet, m: MatchRecord, tie: float) -> Known:
    return Known(rules, m)


def test_there_is_no_source_without_a_solution() -> None:
    rules = registry.load("fourth-down")
    assert sources.solved_source(rules, rules.new_match()) is None
    drill = registry.load("two-minute-drill")
    assert sources.solved_source(drill, drill.new_match()) is None
