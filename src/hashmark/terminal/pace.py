"""How fast a screen shows what goes on without a person: play by play, with keys to hurry it."""

from __future__ import annotations

import math

from hashmark.table.errors import UnknownName
from hashmark.table.game import Game
from hashmark.telling.report import scoreboard, standing
from hashmark.terminal.screen import Quit, Screen

PACES = {"normal": 1.5, "fast": 0.5, "slow": 4.0, "step": math.inf, "off": 0.0}  # seconds a play
USUAL = next(iter(PACES))
KEYS = "Enter next, o on, e end, q quit"
KEYS_WAITING = "Enter next, o on, e end, p wait, q quit"


def check_pace(name: str) -> str:
    """The name of a pace, or one sentence."""
    if name not in PACES:
        raise UnknownName("pace", name, PACES)
    return name


class Pace:
    """Waits after each play that nobody at the screen called; nothing of it without a terminal."""

    def __init__(self, screen: Screen, name: str = USUAL) -> None:
        self.screen = screen
        self.seconds = PACES[check_pace(name)] if screen.is_terminal else 0.0
        self.on_with: int | None = None  # the team whose drive is not waited in

    def rest(self, game: Game) -> None:
        """A play is over, and the next one goes on by itself."""
        possession = game.position.possession
        if not self.seconds or possession == self.on_with:
            return
        self.on_with = None
        self.screen.say(standing(game)[-1], "dim")
        self._obey(self._pressed(game), possession)

    def _pressed(self, game: Game) -> str:
        waits = self.seconds == math.inf
        keys = KEYS if waits else KEYS_WAITING
        line = f"{scoreboard(game)}   {keys}"
        if len(line) >= self.screen.columns:
            line = f" {keys}"
        pressed = self.screen.key(line, None if waits else self.seconds)
        return self.screen.key(f" {KEYS}") if pressed == "p" else pressed

    def _obey(self, pressed: str, possession: int) -> None:
        if pressed == "q":
            raise Quit
        if pressed == "o":
            self.on_with = possession
        elif pressed == "e":
            self.seconds = 0.0

    def asked(self) -> None:
        """A person is asked: what was to go on has gone on."""
        self.on_with = None
