"""Rolls: which dice are rerolls of which."""

from __future__ import annotations

from hashmark.engine.dice import RerollRule
from hashmark.engine.game import Game, SeededDice
from hashmark.engine.record import AWAY, HOME
from hashmark.engine.rolls import RolledDie, reroll_sources

SIXES = RerollRule(6, 2)


def make_dice(*faces: int) -> list[RolledDie]:
    """Return dice of home; negative faces are of away."""
    return [RolledDie(HOME if face > 0 else AWAY, "d6", abs(face)) for face in faces]


def test_a_reroll_follows_its_six() -> None:
    assert reroll_sources(make_dice(6, 2, -1, -5, 4), SIXES) == {4: 0}


def test_sixes_are_rerolled_in_order_each_to_its_end() -> None:
    assert reroll_sources(make_dice(6, 6, -6, -3, 6, 1, 2, -5), SIXES) == {4: 0, 5: 4, 6: 1, 7: 2}


def test_a_new_roll_is_not_a_reroll() -> None:
    assert reroll_sources(make_dice(1, 1, -1, -1, 6, 2, -3, -4, 5), SIXES) == {8: 4}
    assert reroll_sources(make_dice(6, 1, -5, -5, 3, 6, 6, -2, -2, 1, 1), SIXES) == {
        4: 0,
        9: 5,
        10: 6,
    }


def test_dice_without_a_reroll_rule_are_never_rerolls() -> None:
    assert reroll_sources(make_dice(6, 6, 6), None) == {}


def test_rerolls_of_a_game_follow_sixes_of_the_same_team() -> None:
    game = Game("roll-for-yardage", {}, dice=SeededDice(3))
    coach = game.rules.coach("book")
    count = 0
    while not game.is_over:
        turn = game.play(game.decide(coach))
        for group in game.roll_groups(turn):
            dice = group.to_json()["dice"]
            for die in dice:
                if "after" in die:
                    count += 1
                    before = dice[die["after"]]
                    assert before["face"] == 6
                    assert before["team"] == die["team"]
            if group.reroll is not None and not _snake_eyes(dice):
                sixes = sum(die["face"] == 6 for die in dice)
                assert sixes == sum("after" in die for die in dice)
    assert count > 10


def _snake_eyes(dice: list[dict[str, object]]) -> bool:
    """Two ones at once end a roll, regardless of the other team."""
    first = [die["face"] for die in dice[:4]]
    return first[:2] == [1, 1] or first[2:] == [1, 1]
