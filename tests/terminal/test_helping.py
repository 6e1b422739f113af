"""`help` and `ask` at the prompt, as a script reads them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from fuzz.in_process import hashmark
from hashmark.table import registry
from hashmark.table.game import Game, ListedDice
from hashmark.telling.book import rules_about

PLAY = ("play", "fourth-down", "--seed", "5")
DOWN = {"phase": "scrimmage", "possession": "home", "spot": 30, "period": 1}


def test_help_has_the_rules_of_the_question_and_no_others() -> None:
    said = hashmark(*PLAY, said="help\nq\n").out
    assert "### The drive roll" in said
    assert "### The try" not in said
    assert "the beginning of it" in said
    assert said.count("balanced") > 2


def test_help_finds_other_sections_by_words() -> None:
    said = hashmark(*PLAY, said="help try\nhelp hail mary\nq\n").out
    assert "### The try" in said
    assert "### The drive roll" not in said
    assert "No heading of the rules has these words in it. There are: Rules," in said


def test_a_question_without_a_part_of_the_rules_says_so() -> None:
    rules = replace(registry.load("fourth-down"), sections={})
    game = Game(rules, {}, dice=ListedDice([[], []]))
    said = rules_about(game)
    assert said.startswith("No part of the rules is about this question alone. There are: Rules,")
    assert rules_about(game, "hail mary").startswith("No heading of the rules has")


def test_help_names_the_whole_history() -> None:
    said = hashmark(*PLAY, said="help\nq\n").out
    assert "  h all " in said


@pytest.fixture
def down(tmp_path: Path) -> str:
    path = tmp_path / "down.json"
    path.write_text(json.dumps(DOWN), encoding="utf-8")
    return str(path)


def test_standing_orders_are_told_and_given(down: str) -> None:
    play = ("play", "data-driven", "--seed", "5", "--position", down)
    said = hashmark(*play, said="ask\nask never tempo\nask sometimes\nask always play\nq\n").out
    assert "tempo            asked when it can matter, else let-it-run" in said
    assert "tempo            never asked, else let-it-run" in said
    assert "unknown standing order 'sometimes'" in said
    assert "unknown window 'play'" in said


def test_orders_change_what_is_asked(down: str) -> None:
    play = ("play", "data-driven", "--seed", "1", "--position", down)
    usual = hashmark(*play, said="line\nq\n").out
    always = hashmark(*play, said="ask always\nline\nq\n").out
    assert "a timeout?" not in usual
    assert "a timeout?" in always


def test_a_game_without_windows_has_nothing_to_order() -> None:
    assert "This game has no windows" in hashmark(*PLAY, said="ask\nq\n").out
