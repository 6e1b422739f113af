"""Draws docs/picture.svg: some turns of a real game, as a terminal shows them.

python docs/picture.py
"""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console

from hashmark.session.game_session import GameSession
from hashmark.session.header import Header
from hashmark.storage import atomic_write
from hashmark.terminal.screen import Quit, Screen
from hashmark.terminal.signals import InputGuard
from hashmark.terminal.ui import TerminalUI

ANSWERS = ("pass-first", "?")
SEED = 116
WIDTH = 90


class Recorder(Screen):
    """A screen that answers for itself and keeps what it shows."""

    columns, rows = WIDTH, 40

    def __init__(self) -> None:
        self.is_terminal = True
        self._console = Console(
            record=True, width=WIDTH, highlight=False, file=io.StringIO(), force_terminal=True
        )
        self._input_guard = InputGuard(is_terminal=False)
        self.answers = iter(ANSWERS)

    def ask(self, prompt: str, hidden: bool = False) -> str:
        answer = next(self.answers, None)
        if answer is None:
            self.say(f"{prompt} ")
            raise Quit
        self.say(f"{prompt} {answer}")
        return answer

    def read_key(self, prompt: str, seconds: float | None = None) -> str:
        """Return at once: there is no player to wait for."""
        return ""

    def svg(self) -> str:
        """The picture, with the reader's own fonts."""
        drawn = self._console.export_svg(title="hashmark play fourth-down")
        return re.sub(r"@font-face \{.*?\}", "", drawn, flags=re.DOTALL)


class QuietUI(TerminalUI):
    """Terminal user interface that ends without a word."""

    def _leave(self) -> None:
        pass


def drawn() -> str:
    """Two answers of a game, as SVG."""
    screen = Recorder()
    seats = {"home": "human", "away": "coach:book"}
    header = Header("fourth-down", seats=seats, seed=SEED)
    QuietUI(screen, GameSession(header, header.new_game()), None, None).run()
    return screen.svg()


def main() -> None:
    atomic_write.write_file(Path(__file__).with_name("picture.svg"), drawn())


if __name__ == "__main__":
    main()
