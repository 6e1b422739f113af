"""Redaction: a game as home, away or a spectator may see it before its end.

A question declares which of its calls are secret and which events reveal them. This alone
determines which turns hide their call, and from whom; the rule set's `redact` hides the same calls
in the position. Everything that leaves a session before the end of the game is made from
`view_for`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hashmark.table.game import Game, Turn
from hashmark.table.record import AWAY, HOME, NOBODY
from hashmark.table.rules import NO_CALL, RuleSet

WATCHER = NOBODY
VIEWERS = (HOME, AWAY, WATCHER)


@dataclass
class Secrets:
    """The secret calls of a game, updated turn by turn."""

    rules: RuleSet
    match: Any
    # by team, the turn of its last secret call
    standing: dict[int, int] = field(default_factory=dict)
    # by hidden turn, the events that reveal it
    until: dict[int, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, game: Game, turns: int | None = None) -> Secrets:
        """Return the secret calls of a game now, or after this many turns."""
        secrets = cls(game.rules, game.match)
        for number, turn in enumerate(game.turns[:turns], 1):
            secrets.take(number, turn)
        return secrets

    def take(self, number: int, turn: Turn) -> list[int]:
        """Add a turn by its number; return the turns whose calls it reveals."""
        question = self.rules.questions[self.rules.question(self.match, turn.before)]
        if turn.call != NO_CALL and turn.call in question.secret:
            self.standing[turn.team] = number
            self.until[number] = question.until
        event_names = {event.name for event in turn.events}
        revealed = [
            hidden
            for hidden in sorted(self.standing.values())
            if event_names & set(self.until[hidden])
        ]
        for hidden in revealed:
            del self.until[hidden]
        self.standing = {
            team: hidden for team, hidden in self.standing.items() if hidden not in revealed
        }
        return revealed

    def before_other(self, turns: Sequence[Turn], team: int) -> Any:
        """Return the position before the secret call of the other team; None if there is none."""
        other = self.standing.get(1 - team)
        return None if other is None else turns[other - 1].before

    def hides(self, viewer: int) -> bool:
        """Return whether a current call is hidden from the viewer."""
        return any(team != viewer for team in self.standing)


def seen(game: Game, viewer: int) -> Game:
    """Return the game as the viewer may see it; once it is over, nothing is hidden."""
    if game.is_over:
        return game
    secrets = Secrets(game.rules, game.match)
    before: list[list[int]] = []  # the turns with secret calls before and after each turn
    after: list[list[int]] = []
    for number, turn in enumerate(game.turns, 1):
        before.append(list(secrets.standing.values()))
        secrets.take(number, turn)
        after.append(list(secrets.standing.values()))
    hidden = {number for number in secrets.until if game.turns[number - 1].team != viewer}
    turns = []
    for number, turn in enumerate(game.turns, 1):
        visible = turn
        if hidden.intersection(before[number - 1]):
            visible = replace(visible, before=game.rules.view(game.match, turn.before, viewer))
        if hidden.intersection(after[number - 1]):
            visible = without_dice(visible)
        turns.append(without_call(visible) if number in hidden else visible)
    return game.as_told(game.rules.view(game.match, game.position, viewer), turns)


def without_call(turn: Turn) -> Turn:
    """Return a turn that only shows which team has called."""
    return replace(turn, call=NO_CALL, secret=True)


def without_dice(turn: Turn) -> Turn:
    """Return a turn without its dice, which would give away a secret call."""
    return replace(turn, faces=(), rolls=())
