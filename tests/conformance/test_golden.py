"""Tests of golden playthroughs: a change of a game's behavior must be noticed and intended."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import golden_games
import golden_rules
import golden_steps
from hashmark.conformance.golden import playthrough
from hashmark.engine import registry

FOLDER = Path(__file__).parents[1] / "golden"
COACHES = ("random", "book")
RULE_STRIDE = 24  # every test run checks one in this many rules


@pytest.mark.parametrize("coach", COACHES)
@pytest.mark.parametrize("rules", registry.builtin_names())
def test_playthroughs_are_unchanged(rules: str, coach: str) -> None:
    path = FOLDER / f"{rules}-{coach}.txt"
    played = playthrough(rules, coach, 1)
    if os.environ.get("UPDATE_GOLDEN"):
        FOLDER.mkdir(exist_ok=True)
        path.write_text(played, encoding="utf-8")
    assert played == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_first_games_are_unchanged(rules: str) -> None:
    """The rule set's own line, and the first of its games."""
    series = golden_games.SERIES[rules]
    if os.environ.get("UPDATE_GOLDEN"):
        lines = [golden_games.current_line(rules, number) for number in range(series.games + 1)]
        golden_games.path_of(rules).write_text("\n".join(lines) + "\n", encoding="utf-8")
    compare(rules, 0, series.quick + 1)


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_some_rules_alone_are_unchanged(rules: str) -> None:
    """Some rules in made-up positions; see `golden_rules`."""
    if os.environ.get("UPDATE_GOLDEN"):
        keys = golden_rules.covered_functions(rules)
        lines = [
            golden_rules.current_line(rules, key, golden_rules.neighborhood_of(rules, key))
            for key in keys
        ]
        golden_rules.path_of(rules).write_text("\n".join(lines) + "\n", encoding="utf-8")
    compare_rules(rules, RULE_STRIDE)


@pytest.mark.long
@pytest.mark.parametrize("rules", registry.builtin_names())
def test_all_rules_alone_are_unchanged(rules: str) -> None:
    assert list(golden_rules.stored_lines(rules)) == list(golden_rules.covered_functions(rules))
    compare_rules(rules, 1)


def compare_rules(rules: str, every: int) -> None:
    for key, line in list(golden_rules.stored_lines(rules).items())[::every]:
        assert golden_rules.current_line(rules, key) == line


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_first_steps_are_unchanged(rules: str) -> None:
    """Positions that games seldom reach, and what each call makes of them."""
    if os.environ.get("UPDATE_GOLDEN"):
        lines = [
            golden_steps.current_line(rules, number) for number in range(2 * golden_steps.LINES)
        ]
        golden_steps.path_of(rules).write_text("\n".join(lines) + "\n", encoding="utf-8")
    compare_steps(rules, 0, golden_steps.QUICK)


@pytest.mark.long
@pytest.mark.parametrize("rules", registry.builtin_names())
def test_all_steps_are_unchanged(rules: str) -> None:
    assert len(golden_steps.stored_lines(rules)) == 2 * golden_steps.LINES
    compare_steps(rules, golden_steps.QUICK, golden_steps.LINES)


def compare_steps(rules: str, first: int, last: int) -> None:
    """Compare the lines of both kinds in a range of numbers with those of the file."""
    stored, lines = golden_steps.stored_lines(rules), golden_steps.LINES
    for number in (*range(first, last), *range(lines + first, lines + last)):
        assert golden_steps.current_line(rules, number) == stored[number]


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_events_of_scenarios_are_unchanged(rules: str) -> None:
    """All events of each scenario, not only the expected ones."""
    lines = [golden_games.current_scenario_line(*entry) for entry in golden_games.scenarios(rules)]
    if os.environ.get("UPDATE_GOLDEN"):
        text = "\n".join(lines) + "\n"
        golden_games.scenario_path(rules).write_text(text, encoding="utf-8")
    assert lines == golden_games.stored_scenario_lines(rules)


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_messages_about_positions_are_unchanged(rules: str) -> None:
    """Made-up positions: the message about each, or the digest of an accepted one."""
    if os.environ.get("UPDATE_GOLDEN"):
        lines = map(golden_games.set_up_to_json, golden_games.new_set_ups(rules))
        golden_games.set_up_path(rules).write_text("\n".join(lines) + "\n", encoding="utf-8")
    for set_up in golden_games.stored_set_ups(rules):
        assert set_up.evaluate(rules) == set_up.result


@pytest.mark.long
@pytest.mark.parametrize("rules", registry.builtin_names())
def test_all_games_are_unchanged(rules: str) -> None:
    series = golden_games.SERIES[rules]
    assert len(golden_games.stored_lines(rules)) == series.games + 1
    compare(rules, series.quick + 1, series.games + 1)


def compare(rules: str, first: int, last: int) -> None:
    """Compare a range of games with those of the file."""
    stored = golden_games.stored_lines(rules)
    for number in range(first, last):
        assert golden_games.current_line(rules, number) == stored[number]
