"""Whoever asks gets the best source there is."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

import pytest

from hashmark.table import registry
from hashmark.values import sources
from hashmark.values.reckoned import Reckoned
from hashmark.values.rollouts import Rollouts
from hashmark.values.sources import source_of


def test_without_a_solution_games_are_played_out() -> None:
    rules = registry.load("rapid-roll")
    source = source_of(rules, {}, tie=0.25, games=50, seed=3, engine="plain")
    assert isinstance(source, Rollouts)
    assert (source.tie, source.games, source.seed) == (0.25, 50, 3)
    assert source.rules is rules
    assert "50 games" in source.said


def test_a_game_that_reckons_itself_is_asked_under_its_usual_options() -> None:
    rules = registry.load("two-minute-drill")
    assert isinstance(source_of(rules), Reckoned)
    assert isinstance(source_of(rules, {"reply": True}, engine="plain"), Rollouts)


def test_a_solution_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, m = registry.load("fourth-down"), object()
    table = object()
    module = ModuleType("a_solution")
    module.__spec__ = ModuleSpec("a_solution", None)
    module.find = lambda *given: table if given == (rules, m, 1.0) else None  # type: ignore[attr-defined]
    monkeypatch.setattr(sources, "SOLUTION", "a_solution")
    monkeypatch.setitem(sys.modules, "a_solution", module)
    assert source_of(rules, m=m, tie=1.0) is table


def test_nobody_has_solved_what_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "SOLUTION", "hashmark.values.nothing_of_the_kind")
    rules = registry.load("fourth-down")
    assert sources.solved_source(rules, rules.new_match()) is None
