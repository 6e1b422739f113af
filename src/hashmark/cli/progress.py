"""The progress bar of long work."""

from __future__ import annotations

import sys
from contextlib import ExitStack

from hashmark.table import news
from hashmark.terminal.streams import raw


class ProgressBar:
    """A bar on standard error, where that is a terminal; elsewhere nothing but the news.

    It is gone when its block ends, however that comes: a report begins on a line of its own.
    """

    def __init__(self, total: int | None, unit: str, first: str = "preparing (once)") -> None:
        self.unit = unit
        self.bar = None
        self._held = ExitStack()
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress

            self.bar = Progress(console=Console(file=raw(sys.stderr)), transient=True)
            self.task = self.bar.add_task(first, total=total)

    def update(self, done: float, total: int | None = None) -> None:
        """So much is done, of a total that may have changed."""
        if self.bar is not None:
            self.bar.update(self.task, completed=done, total=total, description=self.unit)

    def say(self, step: str) -> None:
        """What is being done, where nobody can say how much of it is left."""
        if self.bar is not None:
            self.bar.update(self.task, description=step)

    def __enter__(self) -> ProgressBar:
        if self.bar is not None:
            self._held.enter_context(news.heard_by(self._tell))
            self.bar.start()
        return self

    def _tell(self, sentence: str) -> None:
        """A line above the bar."""
        if self.bar is not None:
            said = f"hashmark: {sentence}"
            self.bar.console.print(said, markup=False, highlight=False, soft_wrap=True)

    def __exit__(self, *fault: object) -> None:
        if self.bar is not None:
            self.bar.stop()
        self._held.close()
