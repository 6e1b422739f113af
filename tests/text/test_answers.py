"""Questions and their answers on screens of any size."""

from __future__ import annotations

from typing import Any

import pytest

from hashmark.engine import registry
from hashmark.engine.game import Game, ListedDice
from hashmark.text.answers import (
    answer_keys,
    group_answers,
    list_answers,
    make_screen,
    question_lines,
)

MAGIC = {
    "phase": "scrimmage",
    "possession": "home",
    "spot": 30,
    "down": 2,
    "to_go": 8,
    "window": "magic",
    "call": "line-run",
    "play": "run",
    "at": 34,
    "gain": 4,
    "roll": 34,
    "carrier": "home",
    "magic": {"home": 99, "away": 0},
}


def make_game(rules: str, **start: Any) -> Game:
    return Game(rules, dice=ListedDice([[], []]), start=start)


def fourth_down() -> Game:
    return make_game("fourth-down", phase="fourth-down", possession="home", spot=60, to_go=3)


def test_answers_are_shown_in_full_where_there_is_room() -> None:
    lines = question_lines(fourth_down())
    assert lines[0] == " home: Go for it, kick or punt?"
    assert [line.split()[:2] for line in lines[1:]] == [
        ["1", "go-for-it"],
        ["2", "field-goal"],
        ["3", "punt"],
    ]
    assert question_lines(fourth_down(), 200, 50) == lines


def test_a_narrow_screen_breaks_lines_between_words_and_then_cuts() -> None:
    lines = question_lines(fourth_down())
    longest = max(map(len, lines))
    narrow = question_lines(fourth_down(), longest - 4, 50)
    assert len(narrow) > len(lines)
    assert " ".join(narrow).split() == " ".join(lines).split()
    low = question_lines(fourth_down(), longest - 4, len(lines))
    assert len(low) == len(lines)
    assert any(line.endswith("...") for line in low)


def test_the_default_is_always_marked() -> None:
    for rows in (70, 12, 4):
        lines = question_lines(make_game("rapid-roll", **MAGIC), 80, rows)
        assert sum("(Enter)" in line for line in lines) == 1
        assert len(lines) <= max(rows, 68)


def test_only_the_first_of_very_many_answers_are_listed() -> None:
    lines = question_lines(make_game("rapid-roll", **MAGIC), 80, 6)
    assert len(lines) == 6
    assert lines[-1].startswith("  ... and ")
    left_out = int(lines[-1].split()[2])
    assert sum(line.count("magic-") for line in lines) + left_out == 67


@pytest.mark.parametrize("size", [(80, 21), (60, 18), (120, 40)])
def test_a_screenful_fits(size: tuple[int, int]) -> None:
    down = {"phase": "scrimmage", "possession": "home", "spot": 30}
    for shown in (
        make_screen(make_game("rapid-roll", **MAGIC), *size),
        make_screen(make_game("data-driven", **down), *size),
        make_screen(make_game("rapid-roll", **down), *size),
    ):
        assert len(shown.lines) <= size[1]
        assert max(map(len, shown.lines)) <= size[0]
        assert "HOME 0" in shown.situation[0]


@pytest.mark.parametrize("rules", registry.names())
def test_a_call_has_one_key_in_all_questions_of_a_game(rules: str) -> None:
    game = registry.load(rules)
    keys = answer_keys(game)
    for question in game.questions:
        if question.name in game.presentation.number_questions:
            continue
        pressed = [keys[game.calls[call]] for call in question.calls]
        assert all(pressed)
        assert len(set(pressed)) == len(pressed), question.name
        assert not set(pressed) & set("uhb?"), "these are commands of the page"


@pytest.mark.parametrize("rules", registry.names())
def test_declared_groups_name_calls_of_the_game_once(rules: str) -> None:
    game = registry.load(rules)
    names = [name for group in game.presentation.call_groups for name in group.calls]
    assert len(set(names)) == len(names)
    assert set(names) <= set(game.calls)


def test_many_answers_are_grouped_as_a_play_sheet_and_few_are_not() -> None:
    start = {"phase": "scrimmage", "possession": "home", "spot": 60, "down": 1, "to_go": 10}
    game = make_game("rapid-roll", **start)
    answers = list_answers(game)
    sheet = group_answers(game.rules, answers)
    assert [group.title for group in sheet] == ["Runs", "Passes", "Kicks", "Fakes"]
    assert [group.is_rare for group in sheet] == [False, False, False, True]
    assert {a for group in sheet for a in group.answers} == set(answers)
    assert [group.title for group in group_answers(game.rules, answers[:3])] == [""]
    assert group_answers(game.rules, []) == []
