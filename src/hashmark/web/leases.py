"""Leases that need no common clock: a lease is observed, not compared with a time.

The holder writes a new value whenever it takes or renews its lease. Any other server remembers, on
its own monotonic clock, since when it has seen the current value, and regards the lease as expired
once the value has stayed the same for the length of the lease. So neither wrong nor jumping
wall clocks nor a suspended server let a lease expire early.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Hashable, Iterable

from hashmark.web.clock import Clock

RELEASED = 0.0  # value of a lease that nobody holds
LEASE_BITS = 52  # bits of a value: whole numbers of this size are exact in every database


def new_lease() -> float:
    """Return a value that no lease has had before."""
    return float(1 + secrets.randbits(LEASE_BITS))


class ObservedLease:
    """Another server's lease, as it looks from here."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.value: Hashable = None
        self._first_seen = self._last_seen = clock.monotonic()

    def observe(self, value: Hashable, queried_at: float) -> None:
        """Record the value that a query has returned; the query began at this monotonic time."""
        if value != self.value:
            self.value = value
            self._first_seen = self._last_seen = self._clock.monotonic()
        else:
            self._last_seen = max(self._last_seen, queried_at)

    def is_expired(self, seconds: float) -> bool:
        """Return whether the value has been seen unchanged for so many seconds."""
        return self._last_seen - self._first_seen >= seconds

    def seconds_left(self, seconds: float) -> float:
        """Return how long to wait before another query can find a lease of this length expired."""
        return max(0.0, self._first_seen + seconds - self._clock.monotonic())


class LeaseObserver:
    """Leases of other servers by key; may be used by several threads."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self._clock, self._seconds = clock, seconds
        self._leases: dict[Hashable, ObservedLease] = {}
        self._lock = threading.Lock()

    def observe(self, key: Hashable, value: float, queried_at: float) -> bool:
        """Record the value of a lease; return whether the lease is released or has expired."""
        if value == RELEASED:
            return True
        with self._lock:
            lease = self._leases.setdefault(key, ObservedLease(self._clock))
            lease.observe(value, queried_at)
            return lease.is_expired(self._seconds)

    def retain(self, keys: Iterable[Hashable]) -> None:
        """Forget all leases but those with these keys."""
        retained = set(keys)
        with self._lock:
            self._leases = {key: one for key, one in self._leases.items() if key in retained}
