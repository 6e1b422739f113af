"""Limits of undo: a player learns nothing from it that would change the next call."""

from __future__ import annotations

from collections.abc import Sequence

from hashmark.engine.game import Game, Turn
from hashmark.engine.record import AWAY, HOME, NOBODY
from hashmark.engine.rule_set import RuleSet
from hashmark.session.redaction import SecretCalls


def undo_target(
    game: Game, turns_by_people: Sequence[int], team: int, *, between_people: bool, real_dice: bool
) -> tuple[int, str]:
    """Return the number of the turn that a team, or NOBODY for both, can undo to, or why not."""
    turns = game.turns
    teams = (HOME, AWAY, NOBODY) if team == NOBODY else (team, NOBODY)
    number = next((n for n in reversed(turns_by_people) if turns[n - 1].team in teams), 0)
    if not number:
        return 0, "Nothing to undo: you have not made a call yet."
    if between_people and number != turns_by_people[-1]:
        return 0, "Cannot undo: the other team has called since."
    if not between_people or real_dice:
        return number, ""
    if game.is_over:
        return 0, "Cannot undo: the game is over."
    if any(turn.has_dice for turn in turns[number - 1 :]):
        return 0, "Cannot undo: rolls are final in a game between two players."
    if _reveals(game.rules, turns[number - 1 :]):
        return 0, "Cannot undo: revealed calls are final in a game between two players."
    return number, ""


def _reveals(rules: RuleSet, turns: Sequence[Turn]) -> bool:
    """Return whether one of these turns has revealed secret calls."""
    names = {name for question in rules.questions for name in question.revealed_by}
    return any(event.name in names for turn in turns for event in turn.events)


def first_revealed_call(game: Game, number: int) -> int:
    """Return the first turn whose secret call was revealed from a turn on, or that turn.

    Undo goes back to there, so that no player knows a secret call that still stands.
    """
    secrets = SecretCalls.from_game(game, number - 1)
    revealed = [number]
    for later, turn in enumerate(game.turns[number - 1 :], number):
        revealed += secrets.add_turn(later, turn)
    return min(revealed)
