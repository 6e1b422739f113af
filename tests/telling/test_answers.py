"""Questions and their answers on screens of any size."""

from __future__ import annotations

from typing import Any

import pytest

from hashmark.table.game import Game, ListedDice
from hashmark.telling.answers import choices, screenful

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


def game(rules: str, **start: Any) -> Game:
    return Game(rules, dice=ListedDice([[], []]), start=start)


def fourth_down() -> Game:
    return game("fourth-down", phase="fourth-down", possession="home", spot=60, to_go=3)


def test_everything_is_told_where_there_is_room() -> None:
    told = choices(fourth_down())
    assert told[0] == " home: Fourth down?"
    assert [line.split()[:2] for line in told[1:]] == [
        ["1", "go-for-it"],
        ["2", "field-goal"],
        ["3", "punt"],
    ]
    assert choices(fourth_down(), 200, 50) == told


def test_a_narrow_screen_breaks_between_words_and_then_cuts() -> None:
    told = choices(fourth_down())
    longest = max(map(len, told))
    narrow = choices(fourth_down(), longest - 4, 50)
    assert len(narrow) > len(told)
    assert " ".join(narrow).split() == " ".join(told).split()
    low = choices(fourth_down(), longest - 4, len(told))
    assert len(low) == len(told)
    assert any(line.endswith("...") for line in low)


def test_the_default_is_marked_however_little_room_there_is() -> None:
    for rows in (70, 12, 4):
        told = choices(game("rapid-roll", **MAGIC), 80, rows)
        assert sum("(Enter)" in line for line in told) == 1
        assert len(told) <= max(rows, 68)


def test_of_very_many_answers_the_first_are_named() -> None:
    told = choices(game("rapid-roll", **MAGIC), 80, 6)
    assert len(told) == 6
    assert told[-1].startswith("  ... and ")
    left_out = int(told[-1].split()[2])
    assert sum(line.count("magic-") for line in told) + left_out == 67


@pytest.mark.parametrize("size", [(80, 21), (60, 18), (120, 40)])
def test_a_screenful_fits(size: tuple[int, int]) -> None:
    down = {"phase": "scrimmage", "possession": "home", "spot": 30}
    for shown in (
        screenful(game("rapid-roll", **MAGIC), *size),
        screenful(game("data-driven", **down), *size),
        screenful(game("rapid-roll", **down), *size),
    ):
        assert len(shown.lines) <= size[1]
        assert max(map(len, shown.lines)) <= size[0]
        assert "HOME 0" in shown.standing[0]
