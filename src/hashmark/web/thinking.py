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
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from typing import Any, TypeVar

from hashmark.table import registry
from hashmark.table.rules import RuleSet
from hashmark.table.thinking import Thought

LONG = 0.1  # seconds of the processor; a coach that takes more thinks in a process of its own
QUICK = 0.05  # one that was never seen to take more may be asked in the middle of other work
THREADS = 8  # for those that are not known to be quick
BURSTS = 2  # threads for those that are; more would only take time from the pages
Decision = tuple[str, int]
Made = TypeVar("Made")


class Thinkers:
    """Lets coaches think, each where it disturbs nobody."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, "coach")
        self._bursts = ThreadPoolExecutor(BURSTS, "burst")
        self._processes: ProcessPoolExecutor | None = None
        self._most: dict[tuple[str, str], float] = {}  # seconds that a coach has taken

    async def run(self, work: Callable[[], Made]) -> Made:
        """Something short that coaches are asked in, on one of the threads for it."""
        return await asyncio.wrap_future(self._bursts.submit(work))

    def is_quick(self, thought: Thought) -> bool:
        """Whether this coach is known to answer at once."""
        return self._most.get(_name(thought), LONG) <= QUICK

    def is_slow(self, thought: Thought) -> bool:
        """Whether it was seen to take long."""
        return self._most.get(_name(thought), 0.0) > LONG

    async def decide(self, thought: Thought) -> Decision:
        """The coach's call, and how many numbers it has drawn by then."""
        if self.is_slow(thought) and _can_go_out(thought.rules):
            try:
                return await asyncio.wrap_future(self._sent_out(thought))
            except BrokenProcessPool:
                self._processes = None
        return await asyncio.wrap_future(self._threads.submit(self.timed, thought))

    def timed(self, thought: Thought) -> Decision:
        """Think in this thread; how long it takes the processor is remembered."""
        begun = time.thread_time()
        made = thought.decide()
        took, name = time.thread_time() - begun, _name(thought)
        self._most[name] = max(self._most.get(name, 0.0), took)
        return made

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
        for threads in (self._threads, self._bursts):
            threads.shutdown(wait=False, cancel_futures=True)
        if self._processes is not None:
            working = list((self._processes._processes or {}).values())
            self._processes.shutdown(wait=False, cancel_futures=True)
            for process in working:
                process.kill()


def _name(thought: Thought) -> tuple[str, str]:
    return thought.rules.name, thought.coach.name


@cache
def _can_go_out(rules: RuleSet) -> bool:
    """Whether another process finds the same game by its name."""
    return not rules.custom and rules.name in registry.names()


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def think(rules: str, coach: str, what: tuple[Any, Any, Any]) -> Decision:
    """In another process: the same thought, made of what can be sent."""
    loaded = registry.load(rules)
    return Thought(0, loaded.coach(coach), loaded, *what).decide()
