"""Redaction: a game as home, away or a spectator may see it before its end.

A question declares which of its calls are secret and which events reveal them. This alone
determines which turns hide their call, and from whom; the rule set's `redact` hides the same calls
in the position. Everything that leaves a session before the end of the game is made from
`view_for`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from hashmark.engine.game import Game, Turn
from hashmark.engine.record import AWAY, HOME, NOBODY, MatchRecord, PositionRecord
from hashmark.engine.rule_set import NO_CALL, RuleSet

SPECTATOR = NOBODY
VIEWERS = (HOME, AWAY, SPECTATOR)


@dataclass
class SecretCalls:
    """The secret calls of a game, updated turn by turn."""

    rules: RuleSet
    match: MatchRecord
    # by team, the turn of its last secret call
    hidden_turn_by_team: dict[int, int] = field(default_factory=dict)
    # by hidden turn, the events that reveal it
    revealing_events: dict[int, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def from_game(cls, game: Game, turns: int | None = None) -> SecretCalls:
        """Return the secret calls of a game now, or after this many turns."""
        secrets = cls(game.rules, game.match)
        for number, turn in enumerate(game.turns[:turns], 1):
            secrets.add_turn(number, turn)
        return secrets

    def copy(self) -> SecretCalls:
        return replace(
            self,
            hidden_turn_by_team=dict(self.hidden_turn_by_team),
            revealing_events=dict(self.revealing_events),
        )

    def add_turn(self, number: int, turn: Turn) -> list[int]:
        """Add a turn by its number; return the turns whose calls it reveals."""
        question = self.rules.questions[self.rules.question(self.match, turn.before)]
        if turn.call != NO_CALL and turn.call in question.secret_calls:
            self.hidden_turn_by_team[turn.team] = number
            self.revealing_events[number] = question.revealed_by
        event_names = {event.name for event in turn.events}
        revealed = [
            hidden
            for hidden in sorted(self.hidden_turn_by_team.values())
            if event_names & set(self.revealing_events[hidden])
        ]
        for hidden in revealed:
            del self.revealing_events[hidden]
        self.hidden_turn_by_team = {
            team: hidden
            for team, hidden in self.hidden_turn_by_team.items()
            if hidden not in revealed
        }
        return revealed

    def position_before_opponent(self, turns: Sequence[Turn], team: int) -> PositionRecord | None:
        """Return the position before the secret call of the other team; None if there is none."""
        other = self.hidden_turn_by_team.get(1 - team)
        return None if other is None else turns[other - 1].before

    def hides_from(self, viewer: int) -> bool:
        """Return whether a current call is hidden from the viewer."""
        return any(team != viewer for team in self.hidden_turn_by_team)


def view_for(game: Game, viewer: int) -> Game:
    """Return the game as the viewer may see it; once it is over, nothing is hidden."""
    if game.is_over:
        return game
    secrets = SecretCalls(game.rules, game.match)
    before: list[list[int]] = []  # the turns with secret calls before and after each turn
    after: list[list[int]] = []
    for number, turn in enumerate(game.turns, 1):
        before.append(list(secrets.hidden_turn_by_team.values()))
        secrets.add_turn(number, turn)
        after.append(list(secrets.hidden_turn_by_team.values()))
    hidden = {
        number for number in secrets.revealing_events if game.turns[number - 1].team != viewer
    }
    turns = []
    for number, turn in enumerate(game.turns, 1):
        visible = turn
        if hidden.intersection(before[number - 1]):
            visible = replace(visible, before=game.rules.view(game.match, turn.before, viewer))
        if hidden.intersection(after[number - 1]):
            visible = without_dice(visible)
        turns.append(without_call(visible) if number in hidden else visible)
    return game.read_only_copy(game.rules.view(game.match, game.position, viewer), turns)


def without_call(turn: Turn) -> Turn:
    """Return a turn that only shows which team has called."""
    return replace(turn, call=NO_CALL, is_call_hidden=True)


def without_dice(turn: Turn) -> Turn:
    """Return a turn without its dice, which would give away a secret call."""
    return replace(turn, faces=(), rolls=())
