"""Where a session prints and asks: a terminal with colours, or plain lines for a script."""

from __future__ import annotations

import os
import re
import select
import shutil
import sys
from collections.abc import Iterable, Sequence
from getpass import getpass
from typing import TYPE_CHECKING

from hashmark.table.readable import readable
from hashmark.telling.wrapping import wrapped
from hashmark.terminal.streams import raw
from hashmark.terminal.waiting import Waiting

if TYPE_CHECKING:
    from rich.console import Console

USUAL_SIZE = (80, 24)
WIDEST_PROSE = 100
MORE = "Enter, e to the end, q enough"
END_OF_INPUT = "\x04"
WIPE = "\r\x1b[K"


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

    @property
    def columns(self) -> int:
        return shutil.get_terminal_size(USUAL_SIZE).columns

    @property
    def rows(self) -> int:
        return shutil.get_terminal_size(USUAL_SIZE).lines

    # --- Printing ----------------------------------------------------------------------------

    def say(self, line: str = "", style: str = "") -> None:
        """Print a line; nothing that a file wrote into it may steer the terminal.

        A terminal breaks it between words where it is too long.
        """
        line = readable(line)
        if self._console is None:
            print(line, flush=True)
            return
        for part in line.split("\n"):
            for piece in wrapped(part, self.columns):
                with self._waiting.undisturbed():
                    self._console.print(piece, style=style or None, markup=False, soft_wrap=True)

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
        with self._waiting.undisturbed():
            self._console.print(text, soft_wrap=True)

    def show(self, lines: Iterable[str]) -> None:
        """Print many lines, a screenful at a time if they do not fit."""
        self._turn_pages(self._fitting(lines))

    def _fitting(self, lines: Iterable[str]) -> list[str]:
        """The lines, broken between words on a terminal."""
        clean = map(readable, lines)
        if not self.is_terminal:
            return list(clean)
        return [piece for line in clean for piece in wrapped(line, self.columns)]

    def show_rules(self, page: str, after: Iterable[str] = ()) -> None:
        """A piece of a rules page: set on a terminal, elsewhere as it is written."""
        if self._console is None:
            self.show([*page.splitlines(), *after])
            return
        from rich.markdown import Markdown

        set_page = Markdown(readable(page), hyperlinks=False)
        with self._waiting.undisturbed(), self._console.capture() as caught:
            self._console.print(set_page, width=min(WIDEST_PROSE, self.columns))
        self._turn_pages([*caught.get().splitlines(), *self._fitting(after)])

    def _turn_pages(self, lines: Sequence[str]) -> None:
        """Clean lines that fit into the columns; a key turns to the next page."""
        stream = raw(sys.stdout)
        room = max(4, self.rows - 2) if self.is_terminal else len(lines)
        for at, line in enumerate(lines):
            if at and at % room == 0 and len(lines) - at > 1:
                pressed = self.key(f"-- {len(lines) - at} more lines: {MORE} --")
                if pressed == "q":
                    return
                if pressed == "e":
                    room = len(lines)
            stream.write(f"{line}\n")
        stream.flush()

    # --- Asking ------------------------------------------------------------------------------

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

    def key(self, prompt: str, seconds: float | None = None) -> str:
        """The next key that is pressed, in small letters; nothing if none is within the time.

        Only at a terminal. The prompt is wiped away again; the end of the input and a terminal
        that is gone are a wish to quit, and so is Ctrl-C.
        """
        stream, line = raw(sys.stdout), readable(prompt)[: self.columns - 1]
        try:
            with self._waiting(line, by_key=True):
                stream.write(line)
                stream.flush()
                source = sys.stdin.fileno()
                ready, _, _ = select.select([source], [], [], seconds)
                pressed = os.read(source, 64).decode(errors="replace") if ready else None
        except KeyboardInterrupt:
            raise Quit from None
        finally:
            stream.write(WIPE)
            stream.flush()
        if pressed is None:
            return ""
        if not pressed or pressed[0] == END_OF_INPUT:
            raise Quit
        return "\n" if pressed[0] in "\r\n " else pressed[0].lower()
