"""Progress notices for the user, one line each: that something compiles, or runs faster now.

The library itself prints nothing. A user interface installs a listener for a while.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Listener = Callable[[str], None]

_listeners: list[Listener] = []


def notify(sentence: str) -> None:
    """Send a notice to the innermost listener, if any."""
    if _listeners:
        _listeners[-1](sentence)


def notify_compiling(what: str, use: str, once: bool) -> None:
    """Send a notice that a rule set is being compiled for some use, and how long that can take."""
    notify(f"compiling {what} for {use} ({'once; ' if once else ''}it can take a minute or more)")


@contextmanager
def send_to(listener: Listener) -> Iterator[None]:
    """Send notices to this listener within this context."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
