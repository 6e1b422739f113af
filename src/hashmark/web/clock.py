"""Time of a server, from one place that tests can replace.

`wall` is for dates that people see; it may jump. Everything that elapses (leases, timeouts, pauses,
rates) uses `monotonic` and the waiting methods. Durations that only measure this machine, such as
those in metrics, use `time.perf_counter` directly.
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

Result = TypeVar("Result")
Message = TypeVar("Message")


class Timer(Protocol):
    """Scheduled callback."""

    def cancel(self) -> None: ...


class Clock:
    """Clock of a server: the real time."""

    def wall(self) -> float:
        """Return the seconds since the epoch; they may jump in either direction."""
        return time.time()

    def monotonic(self) -> float:
        """Return seconds that never go backward; only differences mean something."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait for so many seconds."""
        await asyncio.sleep(seconds)

    async def wait_for(self, awaitable: Awaitable[Result], seconds: float) -> Result:
        """Return the result of an awaitable; cancel it and raise TimeoutError after a time."""
        return await asyncio.wait_for(awaitable, seconds)

    def call_later(self, seconds: float, callback: Callable[[], object]) -> Timer:
        """Call a function on the running event loop after so many seconds."""
        return asyncio.get_running_loop().call_later(seconds, callback)

    def wait_for_flag(self, flag: threading.Event, seconds: float) -> bool:
        """Block this thread until a flag is set or a time has passed; return the flag."""
        return flag.wait(seconds)

    def receive(self, messages: queue.SimpleQueue[Message], seconds: float) -> Message | None:
        """Block this thread until a message arrives; return None after a time."""
        try:
            return messages.get(timeout=max(0.0, seconds))
        except queue.Empty:
            return None
