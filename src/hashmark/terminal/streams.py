"""Where text leaves for a terminal: nothing that a file or a user wrote may steer it.

`prepare` puts a `Clean` stream before standard output and standard error. What the program draws
itself (colours, a progress bar) goes through `raw`, and whoever draws so cleans the words in it.
"""

from __future__ import annotations

import io
import os
import sys
from typing import TextIO

from hashmark.table.readable import readable, spelled


class Clean(io.TextIOBase):
    """A text stream on which every letter that would steer a terminal is written out.

    It has no `buffer`: bytes are written to the raw stream, by those who know what is in them.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        self.stream.write(readable(spelled(text, self.stream.encoding)))
        return len(text)

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
