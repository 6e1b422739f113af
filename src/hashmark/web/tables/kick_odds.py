"""A field goal as its button shows it: "43 yards, 61 %", with the exact chance by the rules."""

from __future__ import annotations

from hashmark.engine.game import Game
from hashmark.engine.record import PositionRecord
from hashmark.errors import TooManyOutcomes
from hashmark.number_text import whole_percent

FIELD_GOAL_CALL = "field-goal"
GOOD = "field_goal_chance"  # the figure of every football game


def field_goal_fact(game: Game, with_chance: bool) -> str:
    """Return length and chance of a field goal from here; "" if the game does not measure kicks.

    The game is the asked team's view. Where the dice have too many outcomes, only the length is
    known at once.
    """
    kick_yards = game.rules.presentation.kick_yards
    if kick_yards is None:
        return ""
    length = f"{kick_yards(game.position)} yards"
    chance = _chance(game, game.position) if with_chance else None
    return length if chance is None else f"{length}, {whole_percent(chance)}"


def _chance(game: Game, position: PositionRecord) -> float | None:
    from hashmark.odds.outlook import QUICK_ENGINE, outlooks

    call = game.rules.find_call(FIELD_GOAL_CALL)
    try:
        found, _ = outlooks(
            game.rules, game.match, position.copy(), [call], QUICK_ENGINE, through=True
        )
    except TooManyOutcomes:
        return None
    return found[0].figures.get(GOOD) if found else None
