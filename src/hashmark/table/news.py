"""What somebody who waits should hear, in one line: that something is compiled, or goes faster now.

The library itself is silent. Whoever has somebody to talk to listens for a while.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Listener = Callable[[str], None]

_listeners: list[Listener] = []


def say(sentence: str) -> None:
    """Tell whoever has begun to listen last."""
    if _listeners:
        _listeners[-1](sentence)


def say_compiling(what: str, use: str, once: bool) -> None:
    """That a rule set is compiled now for some use, and how long that can take."""
    say(f"compiling {what} for {use} ({'once; ' if once else ''}it can take a minute or more)")


@contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """For a while, news go to this listener."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
