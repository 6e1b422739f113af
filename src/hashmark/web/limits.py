"""How much one caller may ask for, and all of them together."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from hashmark.table.errors import HashmarkError


class TooMuch(HashmarkError):
    """A caller, or all of them, have reached a limit."""


@dataclass(frozen=True)
class Limits:
    """Bounds of a server."""

    body: int = 64 * 1024  # bytes of a request
    log: int = 4 * 1024 * 1024  # bytes of a game log that is brought along
    plan: int = 256 * 1024  # bytes of a game plan that is brought along
    plans: int = 50_000  # game plans that are kept
    plans_each: int = 200  # of them of one caller in a day
    rate: float = 50.0  # requests a second of one caller, in the long run
    burst: int = 300  # requests that he may have saved up
    tables: int = 2000  # open games, touched within a day
    tables_each: int = 200  # of them of one caller
    leagues: int = 500  # that are not over
    leagues_each: int = 20  # of them of one caller
    streams: int = 2000
    streams_each: int = 60
    absent: float = 60.0  # seconds after which a seat counts as abandoned
    pace: float = 1.2  # seconds between plays that nobody at the table calls
    works: int = 200  # long works that are asked for and not done
    works_each: int = 6  # of them of one caller
    plays: int = 24 * 1024 * 1024  # bytes of play-by-play that is brought along
    charts: int = 200  # seasons of charts from brought play-by-play that are kept without a date
    works_kept: int = 1000  # results; those that nobody looked at the longest go first
    loaded: int = 500  # tables that are held in memory although nobody looks at them


DAY = 24 * 3600.0
CALLERS = 4096  # of whom the rate is remembered


@dataclass
class Rates:
    """Buckets that fill by themselves: each request takes one from its caller's."""

    limits: Limits
    now: Callable[[], float] = time.monotonic
    _left: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def take(self, caller: str) -> bool:
        """Whether this caller may ask once more."""
        now = self.now()
        left, at = self._left.pop(caller, (float(self.limits.burst), now))
        left = min(float(self.limits.burst), left + (now - at) * self.limits.rate)
        allowed = left >= 1
        self._left[caller] = (left - 1 if allowed else left, now)
        if len(self._left) > CALLERS:
            self._left.popitem(last=False)
        return allowed


@dataclass
class Streams:
    """The streams that are open now."""

    limits: Limits
    open: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def one_more(self, caller: str) -> Iterator[None]:
        """Hold a stream open; refused if there are too many."""
        self.check(caller)
        self.open[caller] += 1
        try:
            yield
        finally:
            self.open[caller] -= 1
            if not self.open[caller]:
                del self.open[caller]

    def check(self, caller: str) -> None:
        """Whether there is room for one more."""
        if self.open[caller] >= self.limits.streams_each:
            raise TooMuch("too many streams are open from where you are: close a page first")
        if self.open.total() >= self.limits.streams:
            raise TooMuch("too many streams are open: try again later")
