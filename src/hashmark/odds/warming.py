"""Compiling the odds of a game beside it: in a process of its own, while people play on.

What is compiled lies in the cache when that process has ended, and from then on it is loaded in a
moment. Where nothing can be kept (a folder that cannot be written to, a game made at run time),
whoever wants odds compiles them himself.
"""

from __future__ import annotations

import atexit
import subprocess
import time

from hashmark.table import aside, extras
from hashmark.table.rules import RuleSet

TICK = 0.2  # seconds between two looks at whether the code is there


class Warming:
    """Whether the compiled odds of a game are at hand; if not, they can be made meanwhile."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.process: subprocess.Popen[str] | None = None
        self.since = 0.0
        self.failed = self.ready = False

    def is_ready(self) -> bool:
        """Whether compiled code answers at once, or nobody can make it meanwhile."""
        if not extras.has("numba"):
            return False
        if self.process is not None:
            if self.process.poll() is None:
                return False
            self.failed = self.process.returncode != 0
            self.process = None
        self.ready = self.ready or self.failed or is_kept(self.rules)
        return self.ready

    def begin(self) -> None:
        """Compile in a process of its own, if that does not go on already."""
        if self.process is None and extras.has("numba"):
            self.process = aside.begin("hashmark.odds.warming:warm", self.rules.name)
            self.since = time.monotonic()
            atexit.register(self.stop)

    def wait(self) -> None:
        """Wait until the code is there."""
        self.begin()
        try:
            while not self.is_ready():
                time.sleep(TICK)
        finally:
            self.stop()

    def stop(self) -> None:
        """Nobody wants it any more."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait()

    def said(self) -> str:
        """What goes on, for people."""
        if self.process is None:
            return f"Exact odds need a compiler: {extras.how_to_get('numba')}."
        gone = time.monotonic() - self.since
        return f"The exact odds are being compiled, once, a minute or two ({gone:.0f} s so far)."


def is_kept(rules: RuleSet) -> bool:
    """Whether the compiled enumeration is in the cache; also if it cannot be kept there."""
    from hashmark.odds.batch import Batch

    return Batch(rules, rules.match()).is_kept()


def warm(name: str) -> None:
    """Compile the enumeration of a game and keep it."""
    from hashmark.odds.batch import Batch
    from hashmark.table import registry

    rules = registry.load(name)
    batch = Batch(rules, rules.match())
    batch.run(batch.positions([]), [])
