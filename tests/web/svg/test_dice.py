"""Drawings of the dice of turns."""

from __future__ import annotations

import pytest

from hashmark.web.svg import STYLE_SHEET
from hashmark.web.svg.dice import draw_dice
from web.svg.game_positions import GAMES, check_markup, elements, positions, text_of


def die(face: int, team: str = "home", **more: int) -> dict[str, object]:
    return {"team": team, "die": "d6", "face": face, **more}


@pytest.mark.parametrize("name", GAMES)
def test_every_roll_of_a_game_is_drawn(name: str) -> None:
    for game in positions(name, seed=5):
        if game.turns:
            rolls = [item.to_json() for item in game.roll_groups(game.turns[-1])]
            root = check_markup(draw_dice(rolls, game.names))
            faces = [item["face"] for roll in rolls for item in roll["dice"]]
            titles = [text_of(item) for item in elements(root, "title")]
            assert sorted(int(title.rpartition(": ")[2]) for title in titles) == sorted(faces)


def test_no_rolls_draw_nothing() -> None:
    assert draw_dice([], ("A", "B")) == ""


def test_rerolled_dice_are_chained() -> None:
    thrown = [
        die(6),
        die(2),
        die(6, "away"),
        die(6, after=0),
        die(3, after=3),
        die(1, "away", after=2),
    ]
    root = check_markup(draw_dice([{"for": "yardage", "dice": thrown, "outcome": 4}], ("A", "B")))
    chains = [element for element in root.iter() if element.get("class") == "chain"]
    assert [[text_of(title) for title in elements(chain, "title")] for chain in chains] == [
        ["A, d6: 6", "A, d6, rolled again: 6", "A, d6, rolled again: 3"],
        ["B, d6: 6", "B, d6, rolled again: 1"],
    ]


def test_a_roll_shows_its_purpose_bonus_and_reading() -> None:
    roll = {"for": "a <kick>", "dice": [die(4)], "outcome": 4, "reads": "24, INC", "bonus": -2}
    root = check_markup(draw_dice([roll], ("Otters", "Herons")))
    assert text_of(root) == "a <kick> Otters Otters, d6: 4 -2 = 24, INC"


def test_the_animation_can_be_switched_off() -> None:
    sheet = STYLE_SHEET.read_text(encoding="utf-8")
    rule = "@media (prefers-reduced-motion: reduce) { .tumbles { animation: none; } }"
    assert rule in sheet
    assert "[data-motion=off] .tumbles" in sheet
    assert "tumbles" in draw_dice([{"for": "x", "dice": [die(4)], "outcome": 4}], ("A", "B"))
