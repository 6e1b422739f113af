"""Screen of a terminal session: a terminal with colors, or plain lines for a script."""

from __future__ import annotations

import os
import re
import select
import shutil
import sys
from collections.abc import Iterable, Sequence
from getpass import getpass
from io import StringIO
from typing import TYPE_CHECKING

from hashmark.sanitize import escape_controls
from hashmark.terminal.signals import InputGuard
from hashmark.terminal.streams import raw_stream
from hashmark.text.wrapping import wrap

if TYPE_CHECKING:
    from rich.console import Console

DEFAULT_SIZE = (80, 24)
MAX_PROSE_COLUMNS = 100
SCRIPT_COLUMNS = 80  # of rules in the output of a script
PAGER_KEYS = "Enter next, e end, q close"
END_OF_INPUT = "\x04"
CLEAR_LINE = "\r\x1b[K"


class Quit(Exception):
    """Request of the player to stop, or end of the input."""


def parse_int(text: str) -> int | None:
    """Return the typed number, or None if the text is not a number."""
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,9}", text) else None


class Screen:
    """Output of lines and input of answers; colors only on a terminal."""

    def __init__(self) -> None:
        self.is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        self._console: Console | None = None
        if self.is_terminal:
            import readline  # noqa: F401  (line editing in input)

            from rich.console import Console

            self._console = Console(file=raw_stream(sys.stdout), highlight=False)
        self._input_guard = InputGuard(self.is_terminal)

    @property
    def columns(self) -> int:
        return shutil.get_terminal_size(DEFAULT_SIZE).columns

    @property
    def rows(self) -> int:
        return shutil.get_terminal_size(DEFAULT_SIZE).lines

    # --- Printing ----------------------------------------------------------------------------

    def say(self, line: str = "", style: str = "") -> None:
        """Print a line, sanitized so that no file can control the terminal.

        On a terminal it is broken between words where it is too long.
        """
        line = escape_controls(line)
        if self._console is None:
            print(line, flush=True)
            return
        for part in line.split("\n"):
            for piece in wrap(part, self.columns):
                with self._input_guard.defer_interrupts():
                    self._console.print(piece, style=style or None, markup=False, soft_wrap=True)

    @property
    def width(self) -> int:
        """Columns of the terminal; practically unlimited for a script."""
        return self._console.width if self._console is not None else 10_000

    def clear_interrupt(self) -> None:
        """Clear a Ctrl-C that was meant for something else than the next answer."""
        self._input_guard.was_interrupted = False

    def print_field(self, line: str) -> None:
        """Print a line of the field with its marks in color."""
        if self._console is None:
            self.say(line)
            return
        from rich.text import Text

        text = Text(escape_controls(line))
        text.highlight_regex(r"(?<=\[)[.|<>!]+(?=\])", "grey85 on dark_green")
        text.highlight_regex(r"[<>]", "bold black on bright_white")
        text.highlight_regex(r"!", "bold bright_yellow on dark_green")
        with self._input_guard.defer_interrupts():
            self._console.print(text, soft_wrap=True)

    def show(self, lines: Iterable[str]) -> None:
        """Print many lines, a screenful at a time if they do not fit."""
        self._page(self._wrap(lines))

    def _wrap(self, lines: Iterable[str]) -> list[str]:
        """Return the lines, broken between words on a terminal."""
        clean = map(escape_controls, lines)
        if not self.is_terminal:
            return list(clean)
        return [piece for line in clean for piece in wrap(line, self.columns)]

    def show_rules(self, page: str, after: Iterable[str] = ()) -> None:
        """Print part of a rules page, rendered from Markdown; without styles for a script."""
        from rich.console import Console
        from rich.markdown import Markdown

        console = self._console or Console(file=StringIO(), color_system=None)
        width = min(MAX_PROSE_COLUMNS, self.columns) if self.is_terminal else SCRIPT_COLUMNS
        markdown = Markdown(escape_controls(page), hyperlinks=False)
        with self._input_guard.defer_interrupts(), console.capture() as captured:
            console.print(markdown, width=width)
        rendered = [line.rstrip() for line in captured.get().splitlines()]
        self._page([*rendered, *self._wrap(after)])

    def _page(self, lines: Sequence[str]) -> None:
        """Print sanitized lines that fit the columns; a key turns to the next page."""
        stream = raw_stream(sys.stdout)
        page_size = max(4, self.rows - 2) if self.is_terminal else len(lines)
        for index, line in enumerate(lines):
            if index and index % page_size == 0 and len(lines) - index > 1:
                key = self.read_key(f"-- {len(lines) - index} more lines: {PAGER_KEYS} --")
                if key == "q":
                    return
                if key == "e":
                    page_size = len(lines)
            stream.write(f"{line}\n")
        stream.flush()

    # --- Asking ------------------------------------------------------------------------------

    def ask(self, prompt: str, hidden: bool = False) -> str:
        """Read an answer, hidden on request; end of input raises `Quit`."""
        try:
            line = self._read(prompt, hidden)
        except (EOFError, KeyboardInterrupt):
            print()
            raise Quit from None
        return line.strip()

    def _read(self, prompt: str, hidden: bool) -> str:
        """Read one line; Ctrl-C counts at any moment."""
        if not self.is_terminal:
            print(prompt, flush=True)
            with self._input_guard():
                line = sys.stdin.readline()
            if not line:
                raise Quit
            return line
        prompt += " (not shown) " if hidden else " "
        with self._input_guard(prompt, hidden):
            return getpass(prompt) if hidden else input(prompt)

    def read_key(self, prompt: str, seconds: float | None = None) -> str:
        """Return the next key pressed, in lower case, or an empty string if the time runs out.

        Only for a terminal. The prompt is erased again. End of input, a closed terminal and Ctrl-C
        raise `Quit`.
        """
        stream, line = raw_stream(sys.stdout), escape_controls(prompt)[: self.columns - 1]
        try:
            with self._input_guard(line, by_key=True):
                stream.write(line)
                stream.flush()
                source = sys.stdin.fileno()
                ready, _, _ = select.select([source], [], [], seconds)
                pressed = os.read(source, 64).decode(errors="replace") if ready else None
        except KeyboardInterrupt:
            raise Quit from None
        finally:
            stream.write(CLEAR_LINE)
            stream.flush()
        if pressed is None:
            return ""
        if not pressed or pressed[0] == END_OF_INPUT:
            raise Quit
        return "\n" if pressed[0] in "\r\n " else pressed[0].lower()
