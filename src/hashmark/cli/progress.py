"""Progress of long work: a bar, and the notices of the logger `hashmark.progress`."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from hashmark.terminal.streams import raw_stream

logger = logging.getLogger("hashmark.progress")


class _NoticeHandler(logging.Handler):
    """Handler that shows each notice with a function."""

    def __init__(self, show: Callable[[str], None]) -> None:
        super().__init__()
        self._show = show

    def emit(self, record: logging.LogRecord) -> None:
        self._show(record.getMessage())


@contextmanager
def show_notices(show: Callable[[str], None]) -> Iterator[None]:
    """Show notices with this function within this context; an outer one does not receive them."""
    previous = logger.handlers, logger.level
    logger.handlers = [_NoticeHandler(show)]
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.handlers, level = previous
        logger.setLevel(level)


class ProgressBar:
    """Bar on standard error if that is a terminal; otherwise only progress notices.

    It disappears when its block ends in any way, so that a report begins on its own line.
    """

    def __init__(self, total: int | None, unit: str, first: str = "preparing (once)") -> None:
        self.unit = unit
        self.bar = None
        self._exit_stack = ExitStack()
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress

            self.bar = Progress(console=Console(file=raw_stream(sys.stderr)), transient=True)
            self.task = self.bar.add_task(first, total=total)

    def update(self, done: float, total: int | None = None) -> None:
        """Set how much is done, of a total that may have changed."""
        if self.bar is not None:
            self.bar.update(self.task, completed=done, total=total, description=self.unit)

    def set_step(self, step: str) -> None:
        """Show the current step, if it is unknown how much is left."""
        if self.bar is not None:
            self.bar.update(self.task, description=step)

    def __enter__(self) -> ProgressBar:
        if self.bar is not None:
            self._exit_stack.enter_context(show_notices(self._print_notice))
            self.bar.start()
        return self

    def _print_notice(self, sentence: str) -> None:
        """Print a line above the bar."""
        if self.bar is not None:
            text = f"hashmark: {sentence}"
            self.bar.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def __exit__(self, *fault: object) -> None:
        if self.bar is not None:
            self.bar.stop()
        self._exit_stack.close()
