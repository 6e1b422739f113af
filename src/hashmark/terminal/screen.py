"""Where a session prints and asks: a terminal with colours, or plain lines for a script."""

from __future__ import annotations

import re
import sys
from getpass import getpass
from typing import TYPE_CHECKING

from hashmark.table.readable import readable
from hashmark.terminal.streams import raw
from hashmark.terminal.waiting import Waiting

if TYPE_CHECKING:
    from rich.console import Console


class Quit(Exception):
    """The player wants to stop, or the input has ended."""


def whole_number(text: str) -> int | None:
    """The number that was typed, if it is one."""
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,9}", text) else None


class Screen:
    """Prints lines and reads answers; colours only on a terminal."""

    def __init__(self) -> None:
        self.is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        self._console: Console | None = None
        if self.is_terminal:
            import readline  # noqa: F401  (line editing in input)

            from rich.console import Console

            self._console = Console(file=raw(sys.stdout), highlight=False)
        self._waiting = Waiting(self.is_terminal)

    def say(self, line: str = "", style: str = "") -> None:
        """Print a line; nothing that a file wrote into it may steer the terminal."""
        line = readable(line)
        if self._console is None:
            print(line, flush=True)
        else:
            self._console.print(line, style=style or None, markup=False, soft_wrap=True)

    @property
    def width(self) -> int:
        """Columns of the terminal; a script is given every column."""
        return self._console.width if self._console is not None else 10_000

    def forgive(self) -> None:
        """A Ctrl-C was meant for something else than the next answer."""
        self._waiting.pressed = False

    def field(self, line: str) -> None:
        """Print a line of the field, its marks in colour."""
        if self._console is None:
            self.say(line)
            return
        from rich.text import Text

        text = Text(readable(line))
        text.highlight_regex(r"(?<=\[)[.|<>!]+(?=\])", "grey85 on dark_green")
        text.highlight_regex(r"[<>]", "bold black on bright_white")
        text.highlight_regex(r"!", "bold bright_yellow on dark_green")
        self._console.print(text, soft_wrap=True)

    def ask(self, prompt: str, hidden: bool = False) -> str:
        """Read an answer, unseen if that is wanted; the end of the input is a wish to quit."""
        try:
            line = self._read(prompt, hidden)
        except (EOFError, KeyboardInterrupt):
            print()
            raise Quit from None
        return line.strip()

    def _read(self, prompt: str, hidden: bool) -> str:
        """One line; Ctrl-C counts wherever it lands."""
        if not self.is_terminal:
            print(prompt, flush=True)
            with self._waiting():
                line = sys.stdin.readline()
            if not line:
                raise Quit
            return line
        prompt += " (not shown) " if hidden else " "
        with self._waiting(prompt, hidden):
            return getpass(prompt) if hidden else input(prompt)
