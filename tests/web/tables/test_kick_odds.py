"""Length and chance of a field goal."""

from __future__ import annotations

import pytest

from hashmark.engine.game import Game, SeededDice
from hashmark.odds.outlook import outlook
from hashmark.web.tables.kick_odds import FIELD_GOAL_CALL, field_goal_fact

STARTS = {
    "fourth-down": {"phase": "fourth-down", "possession": "home", "spot": 75, "to_go": 3},
    "rapid-roll": {"phase": "scrimmage", "possession": "home", "spot": 75, "down": 4, "to_go": 3},
    "roll-for-yardage": {
        "phase": "scrimmage",
        "possession": "home",
        "spot": 75,
        "down": 4,
        "to_go": 3,
    },
}
LENGTHS = {"fourth-down": 25, "rapid-roll": 42, "roll-for-yardage": 25}


@pytest.mark.parametrize("rules", STARTS)
def test_the_fact_is_the_exact_chance_by_the_rules(rules: str) -> None:
    game = Game(rules, dice=SeededDice(1), start=STARTS[rules])
    exact = outlook(game.rules, game.match, game.position, FIELD_GOAL_CALL, through=True).figures[
        "field_goal_chance"
    ]
    assert exact is not None
    fact = field_goal_fact(game, with_chance=True)
    assert fact == f"{LENGTHS[rules]} yards, {100 * exact:.0f} %"
    assert field_goal_fact(game, with_chance=False) == f"{LENGTHS[rules]} yards"


def test_a_game_without_kicks_has_no_fact() -> None:
    assert field_goal_fact(Game("two-minute-drill", dice=SeededDice(1)), with_chance=True) == ""
