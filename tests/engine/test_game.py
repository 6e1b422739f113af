"""A game takes calls as codes; names are parsed, and illegal calls refused with a reason."""

from __future__ import annotations

import pytest

from hashmark.engine.game import Game, SeededDice
from hashmark.engine.rule_set import NO_CALL
from hashmark.errors import HashmarkError, IllegalCall

DOWN = {"phase": "fourth-down", "possession": "home", "spot": 60, "to_go": 3}


def new_game() -> Game:
    return Game("fourth-down", dice=SeededDice(1), start=DOWN)


def test_a_call_by_name_is_the_call_by_code() -> None:
    by_name, by_code = new_game(), new_game()
    by_name.play_named("punt")
    by_code.play(by_code.rules.call_codes["punt"])
    assert by_name.turns == by_code.turns
    assert by_name.position == by_code.position


def test_an_illegal_code_is_refused_like_its_name() -> None:
    game = new_game()
    before, code = game.position.copy(), game.rules.call_codes["balanced"]
    with pytest.raises(IllegalCall) as by_name:
        game.play_named("balanced")
    with pytest.raises(IllegalCall) as by_code:
        game.play(code)
    assert str(by_name.value) == str(by_code.value)
    assert str(by_code.value).startswith("'balanced' is not allowed here")
    assert game.position == before
    assert not game.turns


@pytest.mark.parametrize("code", [-2, 99])
def test_a_code_of_no_call_is_refused(code: int) -> None:
    with pytest.raises(IllegalCall, match=f"'{code}' is not allowed here; allowed: go-for-it"):
        new_game().play(code)


def test_a_team_to_act_must_call() -> None:
    with pytest.raises(HashmarkError, match="home must call one of: go-for-it, field-goal, punt"):
        new_game().play()


def test_without_a_team_to_act_coaches_make_no_call() -> None:
    game = Game("fourth-down", dice=SeededDice(1))
    assert game.decide(game.rules.coach("book")) == NO_CALL
    with pytest.raises(IllegalCall, match="'punt' is not allowed here; allowed: nothing"):
        game.play_named("punt")
    assert game.play(NO_CALL).has_dice


def test_nothing_is_played_after_the_end() -> None:
    game = new_game()
    coach = game.rules.coach("book")
    while not game.is_over:
        game.play(game.decide(coach))
    with pytest.raises(HashmarkError, match=r"^the game is over$"):
        game.play()
    with pytest.raises(HashmarkError, match=r"^the game is over$"):
        game.play_named("punt")
