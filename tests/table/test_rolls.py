"""Dice as they were rolled: which of them were rolled again."""

from __future__ import annotations

from hashmark.table.dice import Again
from hashmark.table.game import Game, SeededDice
from hashmark.table.record import AWAY, HOME
from hashmark.table.rolls import Thrown, follows

SIXES = Again(6, 2)


def thrown(*faces: int) -> list[Thrown]:
    """Dice of home, those of away as negative numbers."""
    return [Thrown(HOME if face > 0 else AWAY, "d6", abs(face)) for face in faces]


def test_a_six_is_rolled_again_for_itself() -> None:
    assert follows(thrown(6, 2, -1, -5, 4), SIXES) == {4: 0}


def test_sixes_in_their_order_each_to_its_end() -> None:
    assert follows(thrown(6, 6, -6, -3, 6, 1, 2, -5), SIXES) == {4: 0, 5: 4, 6: 1, 7: 2}


def test_a_roll_that_begins_anew_is_no_chain() -> None:
    assert follows(thrown(1, 1, -1, -1, 6, 2, -3, -4, 5), SIXES) == {8: 4}
    assert follows(thrown(6, 1, -5, -5, 3, 6, 6, -2, -2, 1, 1), SIXES) == {4: 0, 9: 5, 10: 6}


def test_other_dice_are_never_chained() -> None:
    assert follows(thrown(6, 6, 6), None) == {}


def test_a_game_tells_it() -> None:
    game = Game("roll-for-yardage", {}, dice=SeededDice(3))
    coach = game.rules.coach("book")
    found = 0
    while not game.is_over:
        turn = game.play(game.decide(coach) if game.wants_call else None)
        for one in game.rolled(turn):
            dice = one.to_json()["dice"]
            for die in dice:
                if "after" in die:
                    found += 1
                    before = dice[die["after"]]
                    assert before["face"] == 6
                    assert before["team"] == die["team"]
            if one.again is not None and not _snake_eyes(dice):
                sixes = sum(die["face"] == 6 for die in dice)
                assert sixes == sum("after" in die for die in dice)
    assert found > 10


def _snake_eyes(dice: list[dict[str, object]]) -> bool:
    """Two ones at once end a roll, whatever the other team shows."""
    first = [die["face"] for die in dice[:4]]
    return first[:2] == [1, 1] or first[2:] == [1, 1]
