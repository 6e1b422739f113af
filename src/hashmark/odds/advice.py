"""What `?` says at the table: the odds of each answer to the question that is asked now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hashmark.odds.outlook import comparison, outlook
from hashmark.odds.plays import Follower, matrix
from hashmark.table.errors import TooManyOutcomes
from hashmark.table.game import Game
from hashmark.table.rules import NO_CALL

Shown = list[tuple[str, Sequence[str], Sequence[Sequence[str]]]]
"""Tables: a title or nothing, the headings, the rows."""


def odds_of_answers(game: Game, engine: str = "auto") -> Shown:
    """The exact odds of each answer; of secret calls, each against each.

    Where the outcomes are too many to list, the odds of the parts that the game can tell.
    """
    rules, m = game.rules, game.match
    secret = before_secret_calls(game)
    if secret is not None:
        return [*matrix(rules, m, secret, engine).tables()]
    seen = rules.view(m, game.position, game.asked)
    try:
        calls = rules.legal_calls(m, seen)
        outlooks = [outlook(rules, m, seen, call, engine, through=True) for call in calls]
    except TooManyOutcomes:
        if rules.parts is None:
            raise
        return [*rules.parts(m, seen)]
    return [("", *comparison(outlooks))]


def before_secret_calls(game: Game) -> Any:
    """The position before both coaches call in secret, if one of them is asked now."""
    if calls_in_secret(game):
        return game.position
    last = game.turns[-1] if game.turns else None
    if last is None or last.call == NO_CALL or last.rolled:
        return None
    hidden = Follower(game.rules, game.match).hidden(last.before, last.call)
    return last.before if hidden is not None and hidden == game.position else None


def calls_in_secret(game: Game) -> bool:
    """Whether the call that is asked for now must not be seen by the other team."""
    rules, m, g = game.rules, game.match, game.position
    follower = Follower(rules, m)
    return any(follower.hidden(g, call) is not None for call in rules.legal_calls(m, g))
