"""Heuristic values of the two-minute drill."""

from __future__ import annotations

import math
from typing import Any

import pytest

from hashmark.engine import registry
from hashmark.engine.game import Game, SeededDice
from hashmark.errors import HashmarkError
from hashmark.values.heuristic_values import HeuristicValues
from hashmark.values.value import Value

DRILL = registry.load("two-minute-drill")
M = DRILL.new_match()
LATE = {"clock": 6, "timeouts": 0, "spot": 60, "down": 3, "to_go": 8}


def late() -> Game:
    """Return a drive that may well fail, at the first question of its play."""
    game = Game(DRILL, dice=SeededDice(3), start=LATE)
    game.play()
    assert game.wants_call
    return game


def test_every_legal_call_has_a_value_with_an_error() -> None:
    game = late()
    source = HeuristicValues(DRILL, game.match)
    judged = source.judge(game.position)
    assert set(judged.calls) == set(DRILL.legal_calls(game.match, game.position))
    for value in judged.calls.values():
        assert math.isclose(value.home + value.away, 1)
        assert value.tie == 0
        assert 0.001 < value.error <= 0.06
    assert source.value(game.position) == judged.value
    assert judged.errors[judged.best] == 0


def test_dice_have_the_value_of_the_table() -> None:
    source = HeuristicValues(DRILL, M)
    early, hopeless = DRILL.new_position(M), DRILL.new_position(M, {**LATE, "clock": 1})
    assert source.value(early).home > 0.99
    assert source.value(hopeless).home < 0.2
    with pytest.raises(HashmarkError, match="no call is pending"):
        source.judge(early)


def test_the_value_of_dice_is_near_the_mean_of_their_outcomes() -> None:
    """Compare the table with the lookahead after twenty rolls."""
    source, values = HeuristicValues(DRILL, M), []
    for number in range(20):
        game = Game(DRILL, dice=SeededDice(3, number), start=LATE)
        game.play()
        values.append(source.value(game.position).home)
    expected = source.value(DRILL.new_position(M, LATE)).home
    assert abs(sum(values) / 20 - expected) < 0.2


def test_a_finished_drive_has_an_exact_value() -> None:
    g: Any = DRILL.new_position(M)
    g.phase, g.score, g.winner = DRILL.over_phase, [6, 5], 0
    assert HeuristicValues(DRILL, M).value(g) == Value(1.0, 0.0, 0.0)


def test_heuristic_values_exist_only_for_default_options_of_the_drill() -> None:
    assert HeuristicValues.is_available(DRILL, M)
    assert not HeuristicValues.is_available(DRILL, DRILL.new_match({"reply": True}))
    other = registry.load("fourth-down")
    assert not HeuristicValues.is_available(other, other.new_match())
    with pytest.raises(HashmarkError, match="fourth-down"):
        HeuristicValues(other, other.new_match())
