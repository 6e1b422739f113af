"""Event feed of a game session: numbered events, each rendered for every viewer.

An event never changes: a viewer always receives the same content for number 12. So a secret call
stays hidden in its own event, and a later `revealed` event names it. Rendering is lazy, because
most events are read by few viewers, and many by none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hashmark.engine.game import Game, Turn
from hashmark.engine.record import NOBODY, TEAMS, PositionRecord, Team
from hashmark.engine.rule_set import CallCode
from hashmark.session.redaction import VIEWERS, SecretCalls, without_call, without_dice

TURN, UNDO, CALLED, DROPPED = "turn", "undo", "called", "dropped"
REVEALED, OVER, SEAT, ORDERS = "revealed", "over", "seat", "orders"
Renderer = Callable[[int], "dict[str, Any] | None"]  # by viewer; None if hidden from them


def team_key(team: int) -> str | None:
    """Return the team as files name it; None for no team."""
    return None if team == NOBODY else TEAMS[team]


@dataclass(frozen=True, slots=True)
class FeedEvent:
    """One event of the feed: its number, and how it reads for home, away and a spectator."""

    number: int
    kind: str
    moment: int  # the moment that the next answer must name
    render: Renderer  # deterministic
    # for a turn: as each viewer may see it
    turns_by_viewer: Mapping[int, Turn] = field(default_factory=dict)

    def to_json(self, viewer: int) -> dict[str, Any] | None:
        """Return the event for a viewer, or None if the viewer may not see it."""
        content = self.render(viewer)
        if content is None:
            return None
        return {"number": self.number, "kind": self.kind, "moment": self.moment, **content}


@dataclass
class EventFeed:
    """The feed of one session; everything must be added in order."""

    game: Game
    events: list[FeedEvent] = field(default_factory=list)
    moment: int = 1  # rises with every turn that is played or undone
    secrets: SecretCalls = field(init=False)
    _secrets_before: list[SecretCalls] = field(default_factory=list)  # each turn, for undo

    def __post_init__(self) -> None:
        self.secrets = SecretCalls(self.game.rules, self.game.match)
        for number, turn in enumerate(self.game.turns, 1):
            self._add_to_secrets(number, turn)

    def _add_to_secrets(self, number: int, turn: Turn) -> list[int]:
        """Add a turn to the secret calls; return the turns whose calls it reveals."""
        self._secrets_before.append(self.secrets.copy())
        return self.secrets.add_turn(number, turn)

    def since(self, number: int, viewer: int) -> list[dict[str, Any]]:
        """Return all events after this number that the viewer may see, in order."""
        rendered = [entry.to_json(viewer) for entry in self.events[max(number, 0) :]]
        return [event for event in rendered if event is not None]

    def _add(
        self, kind: str, render: Renderer, turns: Mapping[int, Turn] | None = None
    ) -> FeedEvent:
        number = len(self.events) + 1
        self.events.append(FeedEvent(number, kind, self.moment, render, turns or {}))
        return self.events[-1]

    def _add_public(self, kind: str, content: dict[str, Any]) -> FeedEvent:
        """Add an event that reads the same for all viewers."""
        return self._add(kind, lambda viewer: content)

    def add_turn(self, turn: Turn, number: int, position_after: PositionRecord) -> list[FeedEvent]:
        """Add a turn as each viewer may see it, and the secret calls that it reveals.

        `position_after` is a copy of the position afterwards; it is kept and must not change.
        """
        revealed = self._add_to_secrets(number, turn)
        self.moment += 1
        turns = {viewer: self._turn_for(turn, number, viewer) for viewer in VIEWERS}

        def render(viewer: int) -> dict[str, Any]:
            position = self._position_content(position_after, viewer)
            return {"turn": number, **self._turn_content(turns[viewer]), "position": position}

        added = [self._add(TURN, render, turns)]
        earlier_calls = [self._call_content(turn) for turn in revealed if turn != number]
        if earlier_calls:
            added.append(self._add_public(REVEALED, {"calls": earlier_calls}))
        return added

    def _turn_for(self, turn: Turn, number: int, viewer: int) -> Turn:
        """Return the turn as the viewer may see it at the time it is played."""
        visible = without_dice(turn) if self.secrets.hides_from(viewer) else turn
        hidden = number in self.secrets.revealing_events and turn.team != viewer
        return without_call(visible) if hidden else visible

    def _position_content(self, position: PositionRecord, viewer: int) -> dict[str, Any]:
        """Return a position as the viewer may see it."""
        content: dict[str, Any] = self.game.rules.view(self.game.match, position, viewer).to_json()
        return content

    def _turn_content(self, turn: Turn) -> dict[str, Any]:
        return {
            "team": team_key(turn.team),
            "call": self.game.rules.call_name(turn.call),
            "secret": turn.is_call_hidden,
            "dice": {team: turn.faces_of(index) for index, team in enumerate(TEAMS)},
            "rolls": [group.to_json() for group in self.game.roll_groups(turn)],
            "text": self.game.sentences(turn),
        }

    def _call_content(self, number: int) -> dict[str, Any]:
        """Return a revealed call with its dice."""
        turn = self.game.turns[number - 1]
        return {
            "turn": number,
            "team": team_key(turn.team),
            "call": self.game.rules.calls[turn.call],
            "dice": {team: turn.faces_of(index) for index, team in enumerate(TEAMS)},
            "rolls": [group.to_json() for group in self.game.roll_groups(turn)],
        }

    def add_game_over(self, revealed: Mapping[str, Any]) -> FeedEvent:
        """Add the end of the game, which reveals all remaining calls and the dice seed."""
        calls = [self._call_content(number) for number in sorted(self.secrets.revealing_events)]
        return self._add_public(OVER, {"calls": calls, **revealed})

    def add_undo(self, number: int) -> FeedEvent:
        """Add the undo of the last turn, which had this number."""
        self.moment += 1
        self.secrets = self._secrets_before.pop()
        position = self.game.snapshot()

        def render(viewer: int) -> dict[str, Any]:
            return {"turn": number, "position": self._position_content(position, viewer)}

        return self._add(UNDO, render)

    def add_call(self, team: Team, code: CallCode, faces: Sequence[Sequence[int]]) -> FeedEvent:
        """Add a call, or a real die, after which more real dice are needed."""
        secret, call = code in self.game.question.secret_calls, self.game.rules.call_name(code)
        dice = {name: list(faces[index]) for index, name in enumerate(TEAMS)}

        def render(viewer: int) -> dict[str, Any]:
            hidden = secret and viewer != team
            shown = None if hidden else call
            return {"team": team_key(team), "call": shown, "secret": hidden, "dice": dice}

        return self._add(CALLED, render)

    def add_dropped_call(self, team: int) -> FeedEvent:
        """Add the withdrawal of a call before all of its dice were rolled."""
        self.moment += 1
        return self._add_public(DROPPED, {"team": team_key(team)})

    def add_seat(self, team: int, who: str) -> FeedEvent:
        """Add a change of a seat."""
        return self._add_public(SEAT, {"team": TEAMS[team], "who": who})

    def add_orders(self, team: int, windows: Mapping[str, str]) -> FeedEvent:
        """Add a team's standing orders, which only that team may see."""
        own = {"team": TEAMS[team], "windows": dict(windows)}
        return self._add(ORDERS, lambda viewer: own if viewer == team else None)
