"""Sandbox for input of strangers: a process with limited memory and time, one input at a time.

A linear scan has refused what is hostile. What remains may still take a tenth of a second, and
twenty strangers at once would keep the server busy with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from typing import ParamSpec, TypeVar

from hashmark.errors import HashmarkError
from hashmark.web.clock import Clock
from hashmark.web.rate_limits import LimitExceeded
from hashmark.web.single_process import SingleProcess, ignore_interrupts, lower_priority

NICENESS = 10  # added to the niceness of the process
MAX_MEMORY_BYTES = 2**30  # address space
TIMEOUT_SECONDS = 20.0  # of one input; the largest honest plan takes a tenth of a second
MAX_WAITING = 16  # inputs that wait for the process
RETRY_AFTER_SECONDS = 2
TOO_HEAVY = "reading this takes more memory or time than is allowed"

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class Sandbox:
    """Runs functions on the input of strangers."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._process = SingleProcess(_prepare)
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def run(
        self,
        function: Callable[Arguments, Result],
        *arguments: Arguments.args,
        **options: Arguments.kwargs,
    ) -> Result:
        """Run a function of a module in the sandbox; raise if it takes too much."""
        if self._waiting >= MAX_WAITING:
            raise LimitExceeded("the server is busy: try again in a moment", RETRY_AFTER_SECONDS)
        self._waiting += 1
        try:
            async with self._turn:
                running = self._process.run(function, *arguments, **options)
                return await self._clock.wait_for(running, TIMEOUT_SECONDS)
        except (BrokenProcessPool, TimeoutError, MemoryError):
            self._process.stop()
            raise HashmarkError(TOO_HEAVY) from None
        finally:
            self._waiting -= 1

    def close(self) -> None:
        self._process.stop()


def _prepare() -> None:
    """Limit the process that reads the input."""
    ignore_interrupts()
    lower_priority(NICENESS)
    try:
        import resource
    except ImportError:  # a system without resource limits
        return
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
