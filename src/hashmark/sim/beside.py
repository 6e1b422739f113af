"""Compiling beside the games: another process compiles while this one plays on in plain Python.

A few games are played before the compiler has begun. So `simulate` begins plain where there is no
code yet, and takes the code when it is there.
"""

from __future__ import annotations

import subprocess
import time
from types import TracebackType

from hashmark.table import aside, registry
from hashmark.table.rules import Coach, RuleSet

WORTH_SECONDS = 2.0  # of plain games left, from which on the compiler is called


def compile_games(name: str, only: str = "") -> None:
    """Compile the loop of simulations for a game into the cache: of all coaches, or of one."""
    from hashmark.sim.run import Games

    rules = registry.load(name)
    m = rules.new_match()
    coach = rules.coaches.index(rules.coach(only)) if only else 0
    work = Games(rules, m, rules.new_position(m), 0, (coach, coach), "compiled", False, bool(only))
    work.ready()


class Beside:
    """The process that compiles; it is not begun where the games are over before it helps."""

    def __init__(self, rules: RuleSet, games: int, only: Coach | None = None) -> None:
        self._games = games
        self._wanted = (rules.name, only.name) if only is not None else (rules.name,)
        self._began = time.perf_counter()
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Beside:
        return self

    def is_ready(self, done: int) -> bool:
        """Whether there is code now; `done` games are over. The first time, the work begins."""
        if self._process is not None:
            return self._process.poll() is not None
        seconds = time.perf_counter() - self._began
        if done and seconds / done * (self._games - done) > WORTH_SECONDS:
            self._process = aside.begin("hashmark.sim.beside:compile_games", *self._wanted)
        return False

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
