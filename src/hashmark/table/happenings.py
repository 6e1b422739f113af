"""What happened at a table, numbered in order, each entry as any viewer may see it.

An entry never changes: what a viewer receives of number 12 is the same whenever he asks. So a
secret call stays hidden in its own entry, and the entry `revealed` that follows names it. How it
reads is worked out when somebody asks: most entries are read by few, and many by nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hashmark.table.game import Game, Turn
from hashmark.table.record import NOBODY, TEAMS
from hashmark.table.rules import NO_CALL
from hashmark.table.secrets import VIEWERS, Secrets, without_call, without_dice

TURN, UNDO, CALLED, DROPPED = "turn", "undo", "called", "dropped"
REVEALED, OVER, SEAT, ORDERS = "revealed", "over", "seat", "orders"
Read = Callable[[int], "dict[str, Any] | None"]  # by viewer; None: not for his eyes


def said_team(team: int) -> str | None:
    """The team in the words of files; nobody is null."""
    return None if team == NOBODY else TEAMS[team]


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that happened: its number, and how it reads for home, away and a watcher."""

    number: int
    kind: str
    moment: int  # which call was the next one to be answered afterwards
    read: Read  # the same whenever it is asked
    turns: Mapping[int, Turn] = field(default_factory=dict)  # of a turn, as a viewer may see it

    def to_json(self, viewer: int) -> dict[str, Any] | None:
        """The entry for a viewer, or None if it is none of his business."""
        inside = self.read(viewer)
        if inside is None:
            return None
        return {"number": self.number, "kind": self.kind, "moment": self.moment, **inside}


@dataclass
class Stream:
    """The happenings of one table so far; it must be told of everything in order."""

    game: Game
    entries: list[Happening] = field(default_factory=list)
    moment: int = 1  # rises with every turn that is played or taken back
    secrets: Secrets = field(init=False)

    def __post_init__(self) -> None:
        self.secrets = Secrets.of(self.game)

    def since(self, number: int, viewer: int) -> list[dict[str, Any]]:
        """Everything after this number that the viewer may know, in order."""
        shown = [entry.to_json(viewer) for entry in self.entries[max(number, 0) :]]
        return [one for one in shown if one is not None]

    def _add(self, kind: str, read: Read, turns: Mapping[int, Turn] | None = None) -> Happening:
        number = len(self.entries) + 1
        self.entries.append(Happening(number, kind, self.moment, read, turns or {}))
        return self.entries[-1]

    def _same(self, kind: str, inside: dict[str, Any]) -> Happening:
        """An entry that reads the same for everybody."""
        return self._add(kind, lambda viewer: inside)

    def played(self, turn: Turn, number: int, stood: Any) -> list[Happening]:
        """A turn was played: what it shows to whom, and the secret calls that it opens.

        `stood` is a copy of the position afterwards: it is kept, and must not change.
        """
        opened = self.secrets.take(number, turn)
        self.moment += 1
        seen = {viewer: self._seen(turn, number, viewer) for viewer in VIEWERS}

        def read(viewer: int) -> dict[str, Any]:
            told = self._told(seen[viewer])
            return {"turn": number, **told, "position": self._view(stood, viewer)}

        added = [self._add(TURN, read, seen)]
        earlier = [at for at in opened if at != number]
        if earlier:
            added.append(self._same(REVEALED, {"calls": [self._call(at) for at in earlier]}))
        return added

    def _seen(self, turn: Turn, number: int, viewer: int) -> Turn:
        """The turn as the viewer may see it when it is played."""
        seen = without_dice(turn) if self.secrets.hides(viewer) else turn
        hidden = number in self.secrets.until and turn.team != viewer
        return without_call(seen) if hidden else seen

    def _view(self, position: Any, viewer: int) -> dict[str, Any]:
        """A position as the viewer may see it."""
        said: dict[str, Any] = self.game.rules.view(self.game.match, position, viewer).to_json()
        return said

    def _told(self, turn: Turn) -> dict[str, Any]:
        rules = self.game.rules
        return {
            "team": said_team(turn.team),
            "call": None if turn.call == NO_CALL else rules.calls[turn.call],
            "secret": turn.secret,
            "dice": {team: turn.faces_of(at) for at, team in enumerate(TEAMS)},
            "rolls": [one.to_json() for one in self.game.rolled(turn)],
            "text": self.game.sentences(turn),
        }

    def _call(self, number: int) -> dict[str, Any]:
        """A call that is open now, with the dice that lay under it."""
        turn = self.game.turns[number - 1]
        return {
            "turn": number,
            "team": said_team(turn.team),
            "call": self.game.rules.calls[turn.call],
            "dice": {team: turn.faces_of(at) for at, team in enumerate(TEAMS)},
            "rolls": [one.to_json() for one in self.game.rolled(turn)],
        }

    def over(self, sealed: Mapping[str, Any]) -> Happening:
        """The game has ended: what was never revealed is open now, and so are the dice."""
        calls = [self._call(number) for number in sorted(self.secrets.until)]
        return self._same(OVER, {"calls": calls, **sealed})

    def undone(self, number: int) -> Happening:
        """The last turn, this one, was taken back."""
        self.moment += 1
        self.secrets = Secrets.of(self.game)
        stood = self.game.still()
        return self._add(
            UNDO, lambda viewer: {"turn": number, "position": self._view(stood, viewer)}
        )

    def called(self, team: int, call: str | None, faces: Sequence[Sequence[int]]) -> Happening:
        """A call was made, or a real die rolled, and more real dice are wanted."""
        question = self.game.question
        secret = call is not None and self.game.rules.call_codes[call] in question.secret
        dice = {name: list(faces[at]) for at, name in enumerate(TEAMS)}

        def read(viewer: int) -> dict[str, Any]:
            hidden = secret and viewer != team
            shown = None if hidden else call
            return {"team": said_team(team), "call": shown, "secret": hidden, "dice": dice}

        return self._add(CALLED, read)

    def dropped(self, team: int) -> Happening:
        """A call was taken back before all of its dice were rolled."""
        self.moment += 1
        return self._same(DROPPED, {"team": said_team(team)})

    def seated(self, team: int, who: str) -> Happening:
        """Somebody else sits there now."""
        return self._same(SEAT, {"team": TEAMS[team], "who": who})

    def ordered(self, team: int, windows: Mapping[str, str]) -> Happening:
        """A team has given its standing orders, which are nobody else's business."""
        own = {"team": TEAMS[team], "windows": dict(windows)}
        return self._add(ORDERS, lambda viewer: own if viewer == team else None)
