"""The playout coach: compiled code trusts its calls to be legal."""

from __future__ import annotations

from typing import Any

import pytest

from hashmark.engine.game import Game, SeededDice
from hashmark.engine.rule_set import NO_CALL
from hashmark.games.rapid_roll import RULES
from hashmark.games.rapid_roll import position as p
from hashmark.games.rapid_roll.thumb import THUMB, thumb


@pytest.mark.parametrize(
    "options", [{}, {"repeat": "column"}, {"repeat": "off", "numbers_per_quarter": 12}]
)
def test_every_call_of_the_playout_coach_is_legal(options: dict[str, Any]) -> None:
    for number in range(4):
        game = Game(RULES, options, dice=SeededDice(3, number), seed=3, number=number)
        while not game.is_over:
            call = game.decide(THUMB)
            assert call == NO_CALL or call in game.legal_calls()
            game.play(call)


@pytest.mark.parametrize(
    ("where", "call"),
    [
        ({"down": 1, "to_go": 10, "spot": 30}, p.LONG_PASS),
        ({"down": 2, "to_go": 10, "spot": 30}, p.MEDIUM_PASS),
        ({"down": 4, "to_go": 7, "spot": 30}, p.REVERSE),
        ({"down": 4, "to_go": 15, "spot": 30}, p.PUNT),
        ({"down": 4, "to_go": 15, "spot": 70}, p.FIELD_GOAL),
        ({"down": 4, "to_go": 15, "spot": 55}, p.DEEP_PASS),
        ({"down": 3, "to_go": 4, "spot": 30}, p.SHORT_PASS),
        ({"down": 2, "to_go": 4, "spot": 30}, p.REVERSE),
        ({"down": 2, "to_go": 2, "spot": 30}, p.SHORT_PASS),
        ({"down": 2, "to_go": 1, "spot": 30}, p.SNEAK),
        ({"down": 1, "to_go": 4, "spot": 96}, p.END_RUN),
        ({"down": 1, "to_go": 2, "spot": 98}, p.SNEAK),
    ],
)
def test_calls_follow_the_rules_of_thumb(where: dict[str, int], call: int) -> None:
    m = RULES.new_match({})
    g = RULES.new_position(m, {"phase": "scrimmage", "possession": "home", **where})
    assert RULES.calls[thumb(m, g)] == RULES.calls[call]


def test_the_playout_coach_is_not_listed() -> None:
    assert RULES.rollout_coach is THUMB
    assert THUMB not in RULES.coaches
