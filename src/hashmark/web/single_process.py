"""One child process for work that would keep the server busy, started on demand.

Functions and arguments are pickled, so the functions are those of a module.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class SingleProcess:
    """Child process that runs one function at a time; `prepare` is called in it first."""

    def __init__(self, prepare: Callable[[], None]) -> None:
        self._prepare = prepare
        self._executor: ProcessPoolExecutor | None = None

    async def run(
        self,
        function: Callable[Arguments, Result],
        *arguments: Arguments.args,
        **options: Arguments.kwargs,
    ) -> Result:
        """Run a function in the process; raise BrokenProcessPool if the process dies."""
        if self._executor is None:
            context = multiprocessing.get_context("spawn")
            self._executor = ProcessPoolExecutor(1, context, initializer=self._prepare)
        return await asyncio.wrap_future(self._executor.submit(function, *arguments, **options))

    def stop(self) -> None:
        """End the process, even in the middle of a function; the next `run` starts another."""
        if self._executor is None:
            return
        processes = list((self._executor._processes or {}).values())
        self._executor.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()
        self._executor = None


def lower_priority(niceness: int) -> None:
    """Lower the scheduling priority of this process, where the system supports it."""
    if hasattr(os, "setpriority"):
        current = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PROCESS, 0, max(current, niceness))


def ignore_interrupts() -> None:
    """Leave Ctrl-C to the server, which ends the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
