"""The progress bar of long work."""

from __future__ import annotations

import sys

from hashmark.terminal.streams import raw


class ProgressBar:
    """A bar on standard error, where that is a terminal; elsewhere nothing is shown.

    It is gone when its block ends, however that comes: a report begins on a line of its own.
    """

    def __init__(self, total: int | None, unit: str, first: str = "preparing (once)") -> None:
        self.unit = unit
        self.bar = None
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress

            self.bar = Progress(console=Console(file=raw(sys.stderr)), transient=True)
            self.task = self.bar.add_task(first, total=total)

    def update(self, done: int, total: int | None = None) -> None:
        """So much is done, of a total that may have changed."""
        if self.bar is not None:
            self.bar.update(self.task, completed=done, total=total, description=self.unit)

    def say(self, step: str) -> None:
        """What is being done, where nobody can say how much of it is left."""
        if self.bar is not None:
            self.bar.update(self.task, description=step)

    def __enter__(self) -> ProgressBar:
        if self.bar is not None:
            self.bar.start()
        return self

    def __exit__(self, *fault: object) -> None:
        if self.bar is not None:
            self.bar.stop()
