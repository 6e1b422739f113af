"""Pace at which a screen shows plays that need no player, with keys to speed it up."""

from __future__ import annotations

import math
from dataclasses import dataclass

from hashmark.table.errors import UnknownName
from hashmark.table.game import Game
from hashmark.telling.report import where_it_stands
from hashmark.terminal.screen import Quit, Screen

PACES = {"normal": 1.5, "fast": 0.5, "slow": 4.0, "step": math.inf, "off": 0.0}  # seconds a play
USUAL = next(iter(PACES))
KEYS = " Enter next   o on, to the end of the drive   e to the end   q save and quit"
KEYS_RUNNING = " Enter next   p pause   o on, to the end of the drive   e to the end   q quit"


def check_pace(name: str) -> str:
    """Return the name of a pace; raise if it is unknown."""
    if name not in PACES:
        raise UnknownName("pace", name, PACES)
    return name


@dataclass(frozen=True)
class Moment:
    """State of a game at the end of a play."""

    line: str
    possession: int

    @classmethod
    def of(cls, game: Game) -> Moment:
        return cls(f" {where_it_stands(game, game.position)}", game.position.possession)


class Pace:
    """Pause between plays that advance by themselves; without a terminal there is none."""

    def __init__(self, screen: Screen, name: str = USUAL) -> None:
        self.screen = screen
        self.seconds = PACES[check_pace(name)] if screen.is_terminal else 0.0
        self.on_with: int | None = None  # the team whose drive is shown without pauses

    @property
    def shows_plays(self) -> bool:
        """Whether it pauses between plays now, with a line that says where the game stands."""
        return bool(self.seconds) and self.on_with is None

    def rest(self, moment: Moment) -> None:
        """Pause after a play, if the next one was played without a player's input."""
        if not self.seconds or moment.possession == self.on_with:
            return
        self.on_with = None
        self.screen.say(moment.line, "dim")
        self._handle_key(self._read_key(), moment.possession)

    def _read_key(self) -> str:
        if self.seconds == math.inf:
            return self.screen.key(KEYS)
        pressed = self.screen.key(KEYS_RUNNING, self.seconds)
        return self.screen.key(KEYS) if pressed == "p" else pressed

    def _handle_key(self, pressed: str, possession: int) -> None:
        if pressed == "q":
            raise Quit
        if pressed == "o":
            self.on_with = possession
        elif pressed == "e":
            self.seconds = 0.0

    def asked(self) -> None:
        """Stop skipping to the end of the drive, because a player is asked."""
        self.on_with = None
