"""What `?` says at the table: the odds of each answer to the question that is asked now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hashmark.odds.outlook import comparison, outlooks
from hashmark.odds.plays import matrix
from hashmark.table.errors import TooManyOutcomes, listed
from hashmark.table.game import Game
from hashmark.table.rules import RuleSet
from hashmark.table.secrets import Secrets

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
    found, many = outlooks(rules, m, seen, rules.legal_calls(m, seen), engine, through=True)
    if many and rules.parts is not None:
        return [*rules.parts(m, seen)]
    if not found:
        raise next(iter(many.values()))
    return [(left_out(rules, many), *comparison(found))]


def left_out(rules: RuleSet, many: Mapping[int, TooManyOutcomes]) -> str:
    """A line on the calls that are not in the table, or nothing if all are."""
    if not many:
        return ""
    return f"Without {listed(rules.calls[call] for call in many)}: {next(iter(many.values()))}"


def before_secret_calls(game: Game) -> Any:
    """Where both coaches call in secret and one of them is asked now, the position before
    either called, as the one who is asked sees it; else None."""
    rules, m, asked = game.rules, game.match, game.asked
    if not set(game.question.calls) & set(game.question.secret):
        return None
    other = Secrets.of(game).standing.get(1 - asked)
    if other is not None and not Secrets.of(game, other - 1).standing:
        return rules.view(m, game.turns[other - 1].before, asked)
    return rules.view(m, game.position, asked)
