"""Games that nobody plays, played to their end by coaches in a process beside the server.

One process, begun when there is something to play and ended when there is not; it gives way to
everybody else.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from hashmark.club.hand import step_back
from hashmark.club.played_out import PlayedOut, play_out
from hashmark.table.errors import HashmarkError

POLITE = 10  # what is added to the niceness of the process


class Machine:
    """Plays games out, one after the other."""

    def __init__(self) -> None:
        self._process: ProcessPoolExecutor | None = None

    async def play_out(
        self, lines: list[str], coaches: tuple[str, str], only_shipped: bool
    ) -> PlayedOut:
        """What coaches make of a game from these lines on."""
        if self._process is None:
            self._process = ProcessPoolExecutor(
                1, multiprocessing.get_context("spawn"), initializer=_give_way
            )
        try:
            asked = self._process.submit(play_out, lines, coaches, only_shipped)
            return await asyncio.wrap_future(asked)
        except BrokenProcessPool:
            self.rest()
            raise HashmarkError(
                "the process that plays games has ended; it is begun anew"
            ) from None

    def rest(self) -> None:
        """There is nothing to play: end the process, whatever it is at."""
        if self._process is None:
            return
        working = list((self._process._processes or {}).values())
        self._process.shutdown(wait=False, cancel_futures=True)
        for process in working:
            process.kill()
        self._process = None


def _give_way() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    step_back(POLITE)
