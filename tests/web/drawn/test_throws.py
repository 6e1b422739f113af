"""Drawings of the dice of turns."""

from __future__ import annotations

import pytest

from hashmark.web.drawn import CSS
from hashmark.web.drawn.throws import dice
from web.drawn.moments import GAMES, look_at, moments, tags, words


def die(face: int, team: str = "home", **more: int) -> dict[str, object]:
    return {"team": team, "die": "d6", "face": face, **more}


@pytest.mark.parametrize("name", GAMES)
def test_every_roll_of_a_game_is_drawn(name: str) -> None:
    for game in moments(name, seed=5):
        if game.turns:
            rolls = [item.to_json() for item in game.rolled(game.turns[-1])]
            root = look_at(dice(rolls, game.names))
            faces = [item["face"] for roll in rolls for item in roll["dice"]]
            titles = [words(item) for item in tags(root, "title")]
            assert sorted(int(title.rpartition(": ")[2]) for title in titles) == sorted(faces)


def test_no_rolls_draw_nothing() -> None:
    assert dice([]) == ""


def test_rerolled_dice_are_chained() -> None:
    thrown = [
        die(6),
        die(2),
        die(6, "away"),
        die(6, after=0),
        die(3, after=3),
        die(1, "away", after=2),
    ]
    root = look_at(dice([{"for": "yardage", "dice": thrown, "outcome": 4}], ("A", "B")))
    chains = [element for element in root.iter() if element.get("class") == "chain"]
    assert [[words(title) for title in tags(chain, "title")] for chain in chains] == [
        ["A, d6: 6", "A, d6, rolled again: 6", "A, d6, rolled again: 3"],
        ["B, d6: 6", "B, d6, rolled again: 1"],
    ]


def test_a_roll_shows_its_purpose_bonus_and_reading() -> None:
    roll = {"for": "a <kick>", "dice": [die(4)], "outcome": 4, "reads": "24, INC", "bonus": -2}
    root = look_at(dice([roll], ("Otters", "Herons")))
    assert words(root) == "a <kick> Otters Otters, d6: 4 -2 = 24, INC"


def test_the_animation_can_be_switched_off() -> None:
    sheet = CSS.read_text(encoding="utf-8")
    rule = "@media (prefers-reduced-motion: reduce) { .tumbles { animation: none; } }"
    assert rule in sheet
    assert "[data-motion=off] .tumbles" in sheet
    assert "tumbles" in dice([{"for": "x", "dice": [die(4)], "outcome": 4}])
