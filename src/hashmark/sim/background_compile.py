"""Background compilation for simulations: a second process compiles while plain games are played.

A few games are done before the compiler has started. So `simulate` begins in plain Python where
there is no compiled code yet, and switches when the code is ready.
"""

from __future__ import annotations

import subprocess
import time

from hashmark.compiler import subprocesses
from hashmark.engine import registry
from hashmark.engine.rule_set import Coach, RuleSet

MIN_REMAINING_SECONDS = 2.0  # compile only if the plain games left would take longer


def compile_games(name: str, only: str = "") -> None:
    """Compile the simulation loop of a game into the cache: for all coaches, or only one.

    Without a cache there is nothing to gain: the process that plays has to compile by itself.
    """
    from hashmark.compiler import registration
    from hashmark.sim.run import SimulationWork

    if not registration.can_cache():
        return
    rules = registry.load(name)
    m = rules.new_match()
    coach = rules.coaches.index(rules.coach(only)) if only else 0
    work = SimulationWork(
        rules, m, rules.new_position(m), 0, (coach, coach), "compiled", False, bool(only)
    )
    work.prepare()


class SimulationCompiler:
    """The compiling process; started only if the games would outlast it."""

    def __init__(self, rules: RuleSet, games: int, only: Coach | None = None) -> None:
        self._games = games
        self._arguments = (rules.name, only.name) if only is not None else (rules.name,)
        self._started_at = time.perf_counter()
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> SimulationCompiler:
        return self

    def is_ready(self, done: int) -> bool:
        """Return whether the code is ready after `done` games; start compiling if worthwhile."""
        if self._process is not None:
            return self._process.poll() is not None
        seconds = time.perf_counter() - self._started_at
        if done and seconds / done * (self._games - done) > MIN_REMAINING_SECONDS:
            self._process = subprocesses.start_process(
                "hashmark.sim.background_compile:compile_games", *self._arguments
            )
        return False

    def __exit__(self, *fault: object) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
