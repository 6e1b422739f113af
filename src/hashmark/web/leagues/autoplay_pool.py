"""Autoplay pool: plays unattended league games to their end in a low-priority process.

The process is started when there is a game to play and ended when there is none.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from hashmark.errors import HashmarkError
from hashmark.web.jobs.worker import lower_priority
from hashmark.web.leagues.play_out import PlayedOut, play_out

NICENESS = 10  # added to the niceness of the process


class AutoplayPool:
    """Plays games out, one after the other."""

    def __init__(self) -> None:
        self._process: ProcessPoolExecutor | None = None

    async def play_out(
        self, lines: list[str], coaches: tuple[str, str], only_shipped: bool
    ) -> PlayedOut:
        """Return the rest of a game that coaches play from these log lines on."""
        if self._process is None:
            self._process = ProcessPoolExecutor(
                1, multiprocessing.get_context("spawn"), initializer=_lower_priority
            )
        try:
            future = self._process.submit(play_out, lines, coaches, only_shipped)
            return await asyncio.wrap_future(future)
        except BrokenProcessPool:
            self.stop()
            raise HashmarkError(
                "the process that plays games has ended; it is begun anew"
            ) from None

    def stop(self) -> None:
        """End the process, even in the middle of a game."""
        if self._process is None:
            return
        processes = list((self._process._processes or {}).values())
        self._process.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()
        self._process = None


def _lower_priority() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    lower_priority(NICENESS)
