"""Win probability after every play, where it is known at once."""

from __future__ import annotations

import pytest

from hashmark.engine.game import Game, SeededDice
from hashmark.web.tables.win_probability import chance_points

pytest.importorskip("numpy")


def test_a_game_with_a_table_of_its_own_has_a_curve() -> None:
    game = Game("two-minute-drill", {"start-clock": 6}, dice=SeededDice(2))
    assert chance_points(game) == [], "its table covers the default options only"
    game = Game("two-minute-drill", dice=SeededDice(2))
    coach = game.rules.coach("book")
    for _ in range(12):
        game.play(game.decide(coach))
    points = chance_points(game)
    assert [point.turn for point in points] == [
        turn
        for turn, position in enumerate([*(t.before for t in game.turns), game.position])
        if game.rules.begins_play(game.match, position)
    ]
    assert all(0 <= point.home <= 1 and point.margin >= 0 for point in points)


def test_where_only_rollouts_know_there_is_none() -> None:
    assert chance_points(Game("data-driven", {"quarter_seconds": 300}, dice=SeededDice(2))) == []
