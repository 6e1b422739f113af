"""Where text leaves for a terminal: nothing that a file or a user wrote may steer it.

`prepare` puts a `Clean` stream before standard output and standard error. What the program draws
itself (colours, a progress bar) goes through `raw`, and whoever draws so cleans the words in it.

A terminal breaks a long line wherever its edge is; a `Clean` stream breaks it between words. What
a program will read (JSON, CSV) is left in one piece: see `in_one_piece`.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from hashmark.table.readable import readable, spelled
from hashmark.telling.wrapping import wrapped


class Clean(io.TextIOBase):
    """A text stream on which every letter that would steer a terminal is written out.

    It has no `buffer`: bytes are written to the raw stream, by those who know what is in them.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.breaks = stream.isatty()
        self.column = 0

    def write(self, text: str) -> int:
        clean = readable(spelled(text, self.stream.encoding))
        self.stream.write(self._broken(clean) if self.breaks else clean)
        return len(text)

    def _broken(self, text: str) -> str:
        """The text with its long lines broken between words; the last may go on later."""
        width, lines = shutil.get_terminal_size().columns, []
        for line in text.split("\n"):
            lines.append("\n".join(_pieces(line, self.column, width)))
            open_at = self.column if "\n" not in lines[-1] else 0
            last = open_at + len(lines[-1].rpartition("\n")[2])
            self.column = 0
        self.column = last
        return "\n".join(lines)

    def flush(self) -> None:
        self.stream.flush()

    def fileno(self) -> int:
        return self.stream.fileno()

    def isatty(self) -> bool:
        return self.stream.isatty()

    def writable(self) -> bool:
        return True

    def close(self) -> None:
        """Leave the stream open: others may still write to it."""

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self.stream.encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        return self.stream.errors


def _pieces(line: str, column: int, width: int) -> list[str]:
    """A line that goes on at this column of a terminal, broken where it does not fit."""
    begun = " " * column
    pieces = wrapped(begun + line, width)
    if pieces[0].startswith(begun):
        pieces[0] = pieces[0][column:]
    else:
        pieces.insert(0, "")
    spaces = line[len(line.rstrip()) :]
    if not pieces[-1].endswith(spaces):
        pieces[-1] += spaces
    return pieces


@contextmanager
def in_one_piece(stream: TextIO) -> Iterator[None]:
    """For a while, leave the lines of a stream as long as they are."""
    was = getattr(stream, "breaks", False)
    if isinstance(stream, Clean):
        stream.breaks = False
    try:
        yield
    finally:
        if isinstance(stream, Clean):
            stream.breaks = was


def prepare() -> None:
    """Streams that were closed are empty ones; what an encoding cannot say is written as `?`."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    sys.stdout, sys.stderr = _cleaned(sys.stdout), _cleaned(sys.stderr)


def _cleaned(stream: TextIO) -> TextIO:
    return stream if isinstance(stream, Clean) else Clean(stream)  # type: ignore[return-value]


def raw(stream: TextIO) -> TextIO:
    """The stream itself, for what the program draws."""
    return stream.stream if isinstance(stream, Clean) else stream
