"""Clock that a test moves: nothing elapses by itself."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from hashmark.web.clock import Clock, Timer
from timeouts import TIMEOUT_SECONDS

MORNING = 1_800_000_000.0
BLINK_SECONDS = 0.005  # real time between two looks at what threads and processes have done
Result = TypeVar("Result")
Message = TypeVar("Message")


class ManualTimer:
    """Callback that is due at a time of a manual clock."""

    def __init__(self, due: float, callback: Callable[[], object]) -> None:
        self.due, self.callback = due, callback
        self.loop, self.is_canceled = asyncio.get_running_loop(), False

    def cancel(self) -> None:
        self.is_canceled = True

    def fire(self) -> None:
        if not self.is_canceled:
            self.callback()


class ManualClock(Clock):
    """Clock that stands still until a test advances it; then whoever waited long enough wakes."""

    def __init__(self, wall: float = MORNING) -> None:
        self.now, self._elapsed = wall, 1000.0
        self._timers: list[ManualTimer] = []

    def wall(self) -> float:
        return self.now

    def monotonic(self) -> float:
        return self._elapsed

    def jump(self, seconds: float) -> None:
        """Set the wall clock forward or back; no time elapses."""
        self.now += seconds

    def advance(self, seconds: float) -> None:
        """Let time elapse."""
        self.now += seconds
        self._elapsed += seconds
        due = [timer for timer in self._timers if timer.due <= self._elapsed]
        self._timers = [timer for timer in self._timers if timer.due > self._elapsed]
        for timer in due:
            if not timer.loop.is_closed():
                timer.loop.call_soon_threadsafe(timer.fire)

    def advance_to_next_timer(self) -> None:
        """Let time elapse until somebody wakes; if nobody waits, nothing elapses."""
        self._timers = [timer for timer in self._timers if not timer.is_canceled]
        if self._timers:
            self.advance(max(0.0, min(timer.due for timer in self._timers) - self._elapsed))

    def call_later(self, seconds: float, callback: Callable[[], object]) -> Timer:
        timer = ManualTimer(self._elapsed + seconds, callback)
        if seconds <= 0:
            timer.loop.call_soon(timer.fire)
        else:
            self._timers.append(timer)
        return timer

    async def sleep(self, seconds: float) -> None:
        woken = asyncio.Event()
        timer = self.call_later(seconds, woken.set)
        try:
            await woken.wait()
        finally:
            timer.cancel()

    async def wait_for(self, awaitable: Awaitable[Result], seconds: float) -> Result:
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(None) as scope:
            timer = self.call_later(seconds, lambda: scope.reschedule(loop.time()))
            try:
                return await awaitable
            finally:
                timer.cancel()

    def wait_for_flag(self, flag: threading.Event, seconds: float) -> bool:
        until = self._elapsed + seconds
        while not flag.wait(BLINK_SECONDS) and self._elapsed < until:
            pass
        return flag.is_set()

    def receive(self, messages: queue.SimpleQueue[Message], seconds: float) -> Message | None:
        until = self._elapsed + seconds
        while True:
            try:
                return messages.get(timeout=BLINK_SECONDS)
            except queue.Empty:
                if self._elapsed >= until:
                    return None


class ShiftedClock(Clock):
    """Real clock that a test sets ahead, for work in threads and processes."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def wall(self) -> float:
        return super().wall() + self.ahead

    def monotonic(self) -> float:
        return super().monotonic() + self.ahead


async def run_until(condition: Callable[[], object], *clocks: ManualClock) -> None:
    """Wait until a condition holds; meanwhile these clocks run from timer to timer."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        for clock in clocks:
            clock.advance_to_next_timer()
        await asyncio.sleep(BLINK_SECONDS)
