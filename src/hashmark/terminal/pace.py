"""Pace at which a screen shows plays that need no player, with keys to speed it up."""

from __future__ import annotations

import math
from dataclasses import dataclass

from hashmark.engine.game import Game
from hashmark.errors import UnknownName
from hashmark.terminal.screen import Quit, Screen
from hashmark.text.game_report import situation_heading

PACE_SECONDS = {"normal": 1.5, "fast": 0.5, "slow": 4.0, "step": math.inf, "off": 0.0}  # a play
DEFAULT_PACE = next(iter(PACE_SECONDS))
KEYS = " Enter next   o end of drive   e end of game   q save and quit"
KEYS_RUNNING = " Enter next   p pause   o end of drive   e end of game   q quit"


def check_pace(name: str) -> str:
    """Return the name of a pace; raise if it is unknown."""
    if name not in PACE_SECONDS:
        raise UnknownName("pace", name, PACE_SECONDS)
    return name


@dataclass(frozen=True)
class PlayEnd:
    """State of a game at the end of a play."""

    line: str
    possession: int

    @classmethod
    def of(cls, game: Game) -> PlayEnd:
        return cls(f" {situation_heading(game, game.position)}", game.position.possession)


class Pace:
    """Pause between plays that advance by themselves; without a terminal there is none."""

    def __init__(self, screen: Screen, name: str = DEFAULT_PACE) -> None:
        self.screen = screen
        self.seconds = PACE_SECONDS[check_pace(name)] if screen.is_terminal else 0.0
        self.unpaused_team: int | None = None  # the team whose drive is shown without pauses

    @property
    def shows_plays(self) -> bool:
        """Whether it pauses between plays now, with a line that says where the game stands."""
        return bool(self.seconds) and self.unpaused_team is None

    def pause(self, play_end: PlayEnd) -> None:
        """Pause after a play, if the next one was played without a player's input."""
        if not self.seconds or play_end.possession == self.unpaused_team:
            return
        self.unpaused_team = None
        self.screen.say(play_end.line, "dim")
        self._handle_key(self._read_key(), play_end.possession)

    def _read_key(self) -> str:
        if self.seconds == math.inf:
            return self.screen.read_key(KEYS)
        pressed = self.screen.read_key(KEYS_RUNNING, self.seconds)
        return self.screen.read_key(KEYS) if pressed == "p" else pressed

    def _handle_key(self, pressed: str, possession: int) -> None:
        if pressed == "q":
            raise Quit
        if pressed == "o":
            self.unpaused_team = possession
        elif pressed == "e":
            self.seconds = 0.0

    def on_prompt(self) -> None:
        """Stop skipping to the end of the drive, because a player is asked."""
        self.unpaused_team = None
