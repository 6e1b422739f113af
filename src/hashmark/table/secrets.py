"""Who may know what: a game as home, away or a watcher may see it before its end.

A question declares which of its calls are secret and until which event. From that alone it
follows which turns hide their call, and from whom; the rule set's `veil` hides the same calls
in the position. Whatever leaves the table before the end of the game is made from `seen`.
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
    """The secret calls of a game while it is played, a turn at a time."""

    rules: RuleSet
    match: Any
    standing: dict[int, int] = field(default_factory=dict)  # by team, the turn of its last one
    until: dict[int, tuple[str, ...]] = field(default_factory=dict)  # by turn, all not yet open

    @classmethod
    def of(cls, game: Game, turns: int | None = None) -> Secrets:
        """Those of a game as it stands, or as it stood after so many turns."""
        secrets = cls(game.rules, game.match)
        for number, turn in enumerate(game.turns[:turns], 1):
            secrets.take(number, turn)
        return secrets

    def take(self, number: int, turn: Turn) -> list[int]:
        """Note a turn by its number; the turns whose calls it opens."""
        question = self.rules.questions[self.rules.question(self.match, turn.before)]
        if turn.call != NO_CALL and turn.call in question.secret:
            self.standing[turn.team] = number
            self.until[number] = question.until
        told = {event.name for event in turn.events}
        opened = [at for at in sorted(self.standing.values()) if told & set(self.until[at])]
        for at in opened:
            del self.until[at]
        self.standing = {team: at for team, at in self.standing.items() if at not in opened}
        return opened

    def before_other(self, turns: Sequence[Turn], team: int) -> Any:
        """Where the other team has called in secret, the position before it did; else None."""
        other = self.standing.get(1 - team)
        return None if other is None else turns[other - 1].before

    def hides(self, viewer: int) -> bool:
        """Whether a call that stands now is hidden from the viewer."""
        return any(team != viewer for team in self.standing)


def seen(game: Game, viewer: int) -> Game:
    """The game as the viewer may see it; once it is over, everything is open."""
    if game.is_over:
        return game
    secrets = Secrets(game.rules, game.match)
    before: list[list[int]] = []  # the secret calls that stood before and after each turn
    after: list[list[int]] = []
    for number, turn in enumerate(game.turns, 1):
        before.append(list(secrets.standing.values()))
        secrets.take(number, turn)
        after.append(list(secrets.standing.values()))
    hidden = {number for number in secrets.until if game.turns[number - 1].team != viewer}
    turns = []
    for number, turn in enumerate(game.turns, 1):
        shown = turn
        if hidden.intersection(before[number - 1]):
            shown = replace(shown, before=game.rules.view(game.match, turn.before, viewer))
        if hidden.intersection(after[number - 1]):
            shown = without_dice(shown)
        turns.append(without_call(shown) if number in hidden else shown)
    return game.as_told(game.rules.view(game.match, game.position, viewer), turns)


def without_call(turn: Turn) -> Turn:
    """A turn of which only the team is known that has called."""
    return replace(turn, call=NO_CALL, secret=True)


def without_dice(turn: Turn) -> Turn:
    """A turn whose dice would tell something of a call that is still secret."""
    return replace(turn, faces=(), rolls=())
