"""What is typed at the prompt: numbers, names and prefixes of calls, `help` and `ask`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from fuzz.in_process import run_ok
from hashmark.engine import registry
from hashmark.engine.game import Game, ListedDice
from hashmark.errors import HashmarkError
from hashmark.terminal.prompt import resolve_call
from hashmark.text.rules_page import rules_about

CALLS = ("punt", "pooch-5", "pooch-10", "field-goal")
PLAY = ("play", "fourth-down", "--seed", "5")
DOWN = {"phase": "scrimmage", "possession": "home", "spot": 30, "period": 1}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("1", "punt"),
        ("4", "field-goal"),
        ("f", "field-goal"),
        ("pu", "punt"),
        ("pooch-1", "pooch-10"),
        ("pooch-10", "pooch-10"),
        ("5", "5"),
        ("blitz", "blitz"),
        ("", ""),
    ],
)
def test_numbers_names_and_prefixes_are_resolved(typed: str, meant: str) -> None:
    assert resolve_call(typed, CALLS) == meant


def test_an_unlisted_name_is_not_a_prefix() -> None:
    assert resolve_call("pooch-1", CALLS, {"pooch-1", "pooch-2"}) == "pooch-1"


def test_an_ambiguous_prefix_is_refused() -> None:
    with pytest.raises(HashmarkError, match="'p' is ambiguous: punt, pooch-5, pooch-10"):
        resolve_call("p", CALLS)


def test_a_prefix_is_expanded_to_the_full_name() -> None:
    output = run_ok(*PLAY, stdin_text="pass\nq\n").out
    assert "calls pass-first" in output


def test_help_shows_only_the_rules_of_the_question() -> None:
    output = run_ok(*PLAY, stdin_text="help\nq\n").out
    assert "The drive roll" in output
    assert "The try" not in output
    assert "the first letters do" in output
    assert output.count("balanced") > 2


def test_help_finds_other_sections_by_words() -> None:
    output = run_ok(*PLAY, stdin_text="help try\nhelp hail mary\nq\n").out
    assert "The try" in output
    assert "The drive roll" not in output
    assert "No section title contains these words. Sections: Rules," in output


def test_a_question_without_rule_sections_says_so() -> None:
    rules = replace(
        registry.load("fourth-down"),
        presentation=replace(registry.load("fourth-down").presentation, rules_sections={}),
    )
    game = Game(rules, {}, dice=ListedDice([[], []]))
    text = rules_about(game)
    assert text.startswith("No section of the rules covers this question alone. Sections: Rules,")
    assert rules_about(game, "hail mary").startswith("No section title contains these words.")


def test_help_lists_the_full_history_command() -> None:
    output = run_ok(*PLAY, stdin_text="help\nq\n").out
    assert "  h all " in output


@pytest.fixture
def down(tmp_path: Path) -> str:
    path = tmp_path / "down.json"
    path.write_text(json.dumps(DOWN), encoding="utf-8")
    return str(path)


def test_help_for_a_script_is_plain_text_of_80_columns(down: str) -> None:
    """Tables and links of the rules are rendered: no markup is left."""
    commands = "help priority chart\nhelp file layout\nhelp clock management\nq\n"
    output = run_ok("play", "data-driven", "--position", down, stdin_text=commands).out
    rules = [line for line in output.splitlines() if not line.startswith("Saved.")]
    assert max(map(len, rules)) <= 80
    assert "breakaway" in output
    for markup in ("](", "|--", "##", "**"):
        assert markup not in output


def test_standing_orders_are_shown_and_changed(down: str) -> None:
    play = ("play", "data-driven", "--seed", "5", "--position", down)
    output = run_ok(
        *play, stdin_text="ask\nask never tempo\nask sometimes\nask always play\nq\n"
    ).out
    assert "tempo            asked when it matters, else let-it-run" in output
    assert "tempo            never asked, else let-it-run" in output
    assert "unknown standing order 'sometimes'" in output
    assert "unknown window 'play'" in output


def test_standing_orders_change_what_is_asked(down: str) -> None:
    play = ("play", "data-driven", "--seed", "1", "--position", down)
    default = run_ok(*play, stdin_text="line\nq\n").out
    always = run_ok(*play, stdin_text="ask always\nline\nq\n").out
    assert "a time-out?" not in default
    assert "a time-out?" in always


def test_a_game_without_windows_has_no_standing_orders() -> None:
    assert "This game has no optional questions" in run_ok(*PLAY, stdin_text="ask\nq\n").out
