"""Where coaches think: never where pages are answered.

Most answer within a millisecond, on a few threads. One that was seen to take long goes on in
processes of its own, where it takes no time from anybody else.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from hashmark.table import registry
from hashmark.table.thinking import Thought

LONG = 0.1  # seconds; a coach that takes more thinks in a process of its own
THREADS = 8
Decision = tuple[str, int]


class Thinkers:
    """Lets coaches think, each where it disturbs nobody."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, "coach")
        self._processes: ProcessPoolExecutor | None = None
        self.slow: set[tuple[str, str]] = set()

    async def decide(self, thought: Thought) -> Decision:
        """The coach's call, and how many numbers it has drawn by then."""
        name = (thought.rules.name, thought.coach.name)
        if name in self.slow and _can_go_out(thought):
            try:
                return await asyncio.wrap_future(self._sent_out(thought))
            except BrokenProcessPool:
                self._processes = None
        begun = time.monotonic()
        thinking = asyncio.wrap_future(self._threads.submit(thought.decide))
        done, _ = await asyncio.wait([thinking], timeout=LONG)
        if not done or time.monotonic() - begun > LONG:
            self.slow.add(name)
        return await thinking

    def _sent_out(self, thought: Thought) -> Future[Decision]:
        if self._processes is None:
            self._processes = ProcessPoolExecutor(
                max(2, os.cpu_count() or 1),
                multiprocessing.get_context("spawn"),
                initializer=_ignore_interrupts,
            )
        what = (thought.match, thought.view, thought.luck)
        return self._processes.submit(think, thought.rules.name, thought.coach.name, what)

    def close(self) -> None:
        """Nobody waits for an answer any more; who still thinks is ended."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        if self._processes is not None:
            working = list((self._processes._processes or {}).values())
            self._processes.shutdown(wait=False, cancel_futures=True)
            for process in working:
                process.kill()


def _can_go_out(thought: Thought) -> bool:
    """Whether another process finds the same game and the same coach by their names."""
    rules = thought.rules
    return not rules.custom and rules.name in registry.names()


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def think(rules: str, coach: str, what: tuple[Any, Any, Any]) -> Decision:
    """In another process: the same thought, made of what can be sent."""
    loaded = registry.load(rules)
    return Thought(0, loaded.coach(coach), loaded, *what).decide()
