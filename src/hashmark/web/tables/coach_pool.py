"""Coach pool: runs coaches outside the event loop.

Most decide within a millisecond, on a few threads. A coach that has been slow runs in a separate
process, where it takes no time from the others.
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

from hashmark.engine import registry
from hashmark.engine.coach_requests import CoachRequest
from hashmark.engine.rule_set import CallCode, RuleSet

SLOW_SECONDS = 0.1  # processor time; a coach that takes longer runs in a process
QUICK_SECONDS = 0.05  # a coach that was never slower may run within a burst
COACH_THREADS = 8  # for coaches not known to be quick
BURST_THREADS = 2  # threads for bursts; more would only slow down the pages
Decision = tuple[CallCode, int]  # the call, and the random numbers drawn by then
Result = TypeVar("Result")


class CoachPool:
    """Runs coaches, slow ones in separate processes."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(COACH_THREADS, "coach")
        self._bursts = ThreadPoolExecutor(BURST_THREADS, "burst")
        self._processes: ProcessPoolExecutor | None = None
        self._slowest_seconds: dict[
            tuple[str, str], float
        ] = {}  # longest processor time by coach, in seconds

    async def run_burst(self, function: Callable[[], Result]) -> Result:
        """Run a short burst of autoplay on a burst thread."""
        return await asyncio.wrap_future(self._bursts.submit(function))

    def is_quick(self, request: CoachRequest) -> bool:
        """Return whether this coach is known to decide at once."""
        return self._slowest_seconds.get(_coach_key(request), SLOW_SECONDS) <= QUICK_SECONDS

    def is_slow(self, request: CoachRequest) -> bool:
        """Return whether this coach has been slow."""
        return self._slowest_seconds.get(_coach_key(request), 0.0) > SLOW_SECONDS

    async def decide(self, request: CoachRequest) -> Decision:
        """Return the coach's call and how many random numbers it has drawn."""
        if self.is_slow(request) and _is_loadable(request.rules):
            try:
                return await asyncio.wrap_future(self._submit_to_process(request))
            except BrokenProcessPool:
                self._processes = None
        return await asyncio.wrap_future(self._threads.submit(self.decide_timed, request))

    def decide_timed(self, request: CoachRequest) -> Decision:
        """Decide on this thread and record the processor time."""
        started_at = time.thread_time()
        decision = request.decide()
        seconds, name = time.thread_time() - started_at, _coach_key(request)
        self._slowest_seconds[name] = max(self._slowest_seconds.get(name, 0.0), seconds)
        return decision

    def _submit_to_process(self, request: CoachRequest) -> Future[Decision]:
        if self._processes is None:
            self._processes = ProcessPoolExecutor(
                max(2, os.cpu_count() or 1),
                multiprocessing.get_context("spawn"),
                initializer=_ignore_interrupts,
            )
        state = (request.match, request.view, request.stream)
        return self._processes.submit(
            decide_in_process, request.rules.name, request.coach.name, state
        )

    def close(self) -> None:
        """Cancel everything and kill the processes."""
        for threads in (self._threads, self._bursts):
            threads.shutdown(wait=False, cancel_futures=True)
        if self._processes is not None:
            processes = list((self._processes._processes or {}).values())
            self._processes.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.kill()


def _coach_key(request: CoachRequest) -> tuple[str, str]:
    return request.rules.name, request.coach.name


@cache
def _is_loadable(rules: RuleSet) -> bool:
    """Return whether another process can load the same game by name."""
    return not rules.is_custom and rules.name in registry.names()


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def decide_in_process(rules: str, coach: str, state: tuple[Any, Any, Any]) -> Decision:
    """Decide in another process, from the parts of a request that can be pickled."""
    rule_set = registry.load(rules)
    return CoachRequest(0, rule_set.coach(coach), rule_set, *state).decide()
