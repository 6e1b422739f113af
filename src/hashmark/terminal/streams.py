"""Output streams that let no text from a file or a user control the terminal.

`install_streams` wraps standard output and standard error in a `SanitizedStream`. What the program
draws itself (colors, a progress bar) goes through `raw_stream`; its callers sanitize the words in
it.

A terminal breaks a long line at its edge; a `SanitizedStream` breaks it between words. Output for
a program (JSON, CSV) is left unwrapped: see `without_wrapping`.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from hashmark.sanitize import escape_controls, replace_plus_minus
from hashmark.text.wrapping import wrap


class SanitizedStream(io.TextIOBase):
    """Text stream that escapes every character that would control a terminal.

    It has no `buffer`: callers write trusted bytes to the raw stream. What `input` uses is passed
    on as it is: `input` drops exceptions there, and a Ctrl-C that Python code raised would be lost.
    """

    encoding = errors = ""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.encoding, self.errors = stream.encoding, stream.errors or ""
        self.flush, self.fileno, self.isatty = stream.flush, stream.fileno, stream.isatty  # type: ignore[method-assign]
        self.wraps_lines = stream.isatty()
        self.column = 0

    def write(self, text: str) -> int:
        clean = escape_controls(replace_plus_minus(text, self.stream.encoding))
        self.stream.write(self._wrap_lines(clean) if self.wraps_lines else clean)
        return len(text)

    def _wrap_lines(self, text: str) -> str:
        """Return the text with long lines broken between words; the last line may be unfinished."""
        width, lines = shutil.get_terminal_size().columns, []
        for line in text.split("\n"):
            lines.append("\n".join(_wrap_line(line, self.column, width)))
            start = self.column if "\n" not in lines[-1] else 0
            end_column = start + len(lines[-1].rpartition("\n")[2])
            self.column = 0
        self.column = end_column
        return "\n".join(lines)

    def writable(self) -> bool:
        return True

    def close(self) -> None:
        """Leave the stream open, because others may still write to it."""


def _wrap_line(line: str, column: int, width: int) -> list[str]:
    """Return a line that continues at this column of a terminal, broken where it does not fit."""
    padding = " " * column
    pieces = wrap(padding + line, width)
    if pieces[0].startswith(padding):
        pieces[0] = pieces[0][column:]
    else:
        pieces.insert(0, "")
    spaces = line[len(line.rstrip()) :]
    if not pieces[-1].endswith(spaces):
        pieces[-1] += spaces
    return pieces


@contextmanager
def without_wrapping(stream: TextIO) -> Iterator[None]:
    """Turn off line wrapping of a stream for the duration of a block."""
    if not isinstance(stream, SanitizedStream):
        yield
        return
    previous, stream.wraps_lines = stream.wraps_lines, False
    try:
        yield
    finally:
        stream.wraps_lines = previous


def install_streams() -> None:
    """Replace closed streams by empty ones, and write unencodable characters as `?`."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    sys.stdout, sys.stderr = _sanitized(sys.stdout), _sanitized(sys.stderr)


def _sanitized(stream: TextIO) -> TextIO:
    return stream if isinstance(stream, SanitizedStream) else SanitizedStream(stream)  # type: ignore[return-value]


def raw_stream(stream: TextIO) -> TextIO:
    """Return the underlying stream, for output that the program draws itself."""
    return stream.stream if isinstance(stream, SanitizedStream) else stream
