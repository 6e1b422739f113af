"""Background compilation of a game's odds, in a separate process while play continues.

When that process ends, the compiled code is in the cache and loads in a moment. Where nothing can
be cached (a read-only directory, a game created at run time), the odds are compiled on request in
this process.
"""

from __future__ import annotations

import atexit
import subprocess
import time

from hashmark import extras
from hashmark.compiler import subprocesses
from hashmark.engine.rule_set import RuleSet

POLL_SECONDS = 0.2  # seconds between polls


class OddsCompiler:
    """Availability of a game's compiled odds; starts the background compilation if needed."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.process: subprocess.Popen[str] | None = None
        self.started_at = 0.0
        self.has_failed = self.was_ready = False

    def is_ready(self) -> bool:
        """Return whether compiled code is available, or cannot be compiled in the background."""
        if not extras.has("numba"):
            return False
        if self.process is not None:
            if self.process.poll() is None:
                return False
            self.has_failed = self.process.returncode != 0
            self.process = None
        self.was_ready = self.was_ready or self.has_failed or is_cached(self.rules)
        return self.was_ready

    def start(self) -> None:
        """Start the background compilation unless it is running."""
        if self.process is None and extras.has("numba"):
            self.process = subprocesses.start_process(
                "hashmark.odds.background_compile:compile_odds", self.rules.name
            )
            self.started_at = time.monotonic()
            atexit.register(self.stop)

    def wait(self) -> None:
        """Wait until the code is available."""
        self.start()
        try:
            while not self.is_ready():
                time.sleep(POLL_SECONDS)
        finally:
            self.stop()

    def stop(self) -> None:
        """Cancel the background compilation."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait()

    def describe_progress(self) -> str:
        """Describe the progress for the user."""
        if self.process is None:
            return (
                f"Exact odds need a compiler; install it with `{extras.install_command('numba')}`."
            )
        elapsed = time.monotonic() - self.started_at
        return (
            f"Compiling the exact odds, once; this takes a minute or two ({elapsed:.0f} s so far)."
        )


def is_cached(rules: RuleSet) -> bool:
    """Return whether the compiled enumeration is cached, or cannot be cached at all."""
    from hashmark.odds.batch import Batch

    return Batch(rules, rules.match()).is_cached()


def compile_odds(name: str) -> None:
    """Compile the enumeration of a game into the cache."""
    from hashmark.engine import registry
    from hashmark.odds.batch import Batch

    rules = registry.load(name)
    batch = Batch(rules, rules.match())
    batch.run(batch.positions([]), [])
