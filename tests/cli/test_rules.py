"""Tests of `hashmark rules`: every game in words and as JSON."""

from __future__ import annotations

import json

import pytest

from fuzz.in_process import run_ok
from hashmark.engine import registry


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_text_and_json_agree(rules: str) -> None:
    output = run_ok("rules", rules).out
    data = json.loads(run_ok("rules", rules, "--json").out)
    game = registry.load(rules)
    assert data["name"] == game.name
    assert game.title in output
    for coach in game.coaches:
        assert coach.name in output
    for option in game.setup.options:
        assert option.name in output


def test_the_list_has_a_line_for_each_game() -> None:
    output = run_ok("rules").out.splitlines()
    assert [line.split()[0] for line in output[2:]] == registry.names()


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_special_meanings_belong_to_calls_that_are_asked(rules: str) -> None:
    game = registry.load(rules)
    asked = {(q.name, game.calls[call]) for q in game.questions for call in q.calls}
    assert set(game.words.call_meanings_by_question) <= asked


def test_going_for_it_has_another_meaning_on_the_untimed_down() -> None:
    game = registry.load("fourth-down")
    m, call = game.new_match(), game.call_codes["go-for-it"]
    for phase in ("fourth-down", "untimed-down"):
        g = game.new_position(m, {"phase": phase, "possession": "home", "spot": 60, "to_go": 5})
        here = game.words.meaning_at(m, g, call, "go-for-it", ("home", "away"))
        assert here == game.words.meaning_for_question(phase, "go-for-it")
        assert ("a touchdown or nothing" in here) == (phase == "untimed-down")
        assert f"{phase:<12}  go-for-it   {here}" in run_ok("rules", "fourth-down").out
