"""Limits for one caller and for a whole server."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from hashmark.errors import HashmarkError
from hashmark.web.clock import Clock


class LimitExceeded(HashmarkError):
    """A caller, or the server as a whole, has reached a limit."""

    def __init__(self, message: str, retry_after_seconds: int = 60) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


@dataclass(frozen=True)
class Limits:
    """Limits of a server; `_each` means for each caller."""

    body: int = 64 * 1024  # bytes of a request
    log: int = 4 * 1024 * 1024  # bytes of an imported game log
    plan: int = 256 * 1024  # bytes of an uploaded game plan
    plans: int = 50_000  # stored game plans
    plans_each: int = 200  # new plans of one caller in a day
    rate: float = 50.0  # sustained requests a second of one caller
    burst: int = 300  # token bucket capacity of one caller, in requests
    tables: int = 2000  # open games with activity within a day
    tables_each: int = 200  # of one caller
    leagues: int = 500  # unfinished leagues
    leagues_each: int = 20  # of one caller
    streams: int = 2000
    streams_each: int = 60
    absent: float = 60.0  # seconds after which a seat counts as abandoned
    pace: float = 1.2  # seconds between plays of a game between coaches
    works: int = 200  # unfinished jobs
    works_each: int = 6  # of one caller
    plays: int = 24 * 1024 * 1024  # bytes of uploaded play-by-play
    charts: int = 200  # uploaded charts kept without an expiry date
    works_kept: int = 1000  # stored results; the least recently viewed are deleted first
    loaded: int = 500  # tables held in memory


DAY_SECONDS = 24 * 3600.0
MAX_REMEMBERED_CALLERS = 4096  # whose rate is remembered


@dataclass
class RateLimiter:
    """Rate limiter with a token bucket for each caller."""

    limits: Limits
    clock: Clock
    _buckets: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def take_token(self, caller: str) -> float:
        """Take one token of a caller's bucket; return 0, or the seconds until there is one."""
        now = self.clock.monotonic()
        tokens, updated_at = self._buckets.pop(caller, (float(self.limits.burst), now))
        tokens = min(float(self.limits.burst), tokens + (now - updated_at) * self.limits.rate)
        missing = max(0.0, 1.0 - tokens)
        self._buckets[caller] = (tokens if missing else tokens - 1, now)
        if len(self._buckets) > MAX_REMEMBERED_CALLERS:
            self._buckets.popitem(last=False)
        return missing / self.limits.rate


@dataclass
class StreamLimiter:
    """Counter of open event streams."""

    limits: Limits
    open_by_caller: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def open_stream(self, caller: str) -> Iterator[None]:
        """Hold a stream open; raise if there are too many."""
        self.check(caller)
        self.open_by_caller[caller] += 1
        try:
            yield
        finally:
            self.open_by_caller[caller] -= 1
            if not self.open_by_caller[caller]:
                del self.open_by_caller[caller]

    def check(self, caller: str) -> None:
        """Raise if a caller may not open another stream."""
        if self.open_by_caller[caller] >= self.limits.streams_each:
            raise LimitExceeded("you have too many pages open: close one first")
        if self.open_by_caller.total() >= self.limits.streams:
            raise LimitExceeded("the server has too many open connections: try again later")
