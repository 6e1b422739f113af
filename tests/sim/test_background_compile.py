"""Games that begin before compilation ends: the same games whenever the code is ready."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from hashmark.compiler import cache_dir, numba_private, registration, subprocesses
from hashmark.engine import registry
from hashmark.sim import background_compile, run, simulate
from hashmark.sim.background_compile import SimulationCompiler

RULES = registry.load("fourth-down")


@pytest.fixture
def nothing_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_dir, "has_code", lambda rules, function, part="": False)


def begin_with(monkeypatch: pytest.MonkeyPatch, function: str, *words: str) -> list[Any]:
    """Replace the compiler by this function; return the list of processes started."""
    begun: list[Any] = []
    original = subprocesses.start_process

    def begin(*given: str) -> Any:
        begun.append(original(function, *words))
        return begun[-1]

    monkeypatch.setattr(subprocesses, "start_process", begin)
    monkeypatch.setattr(background_compile, "MIN_REMAINING_SECONDS", 0.0)
    return begun


@pytest.mark.usefixtures("nothing_compiled")
def test_few_games_start_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocesses, "start_process", None)
    monkeypatch.setattr(background_compile, "MIN_REMAINING_SECONDS", 1e9)
    result = simulate("fourth-down", 40, seed=3, at_once=True)
    assert (result.engine, result.threads) == ("plain", 1)
    assert result.digest == simulate("fourth-down", 40, seed=3, engine="plain").digest


@pytest.mark.usefixtures("nothing_compiled")
def test_games_continue_compiled_when_the_code_is_ready(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The compiler ends at once: only the first batches are plain."""
    begin_with(monkeypatch, "sys:exit")
    monkeypatch.setattr(SimulationCompiler, "is_ready", _ready_after_the_second)
    with caplog.at_level("INFO", "hashmark.progress"):
        result = simulate("fourth-down", 3000, seed=3, at_once=True, threads=2)
    assert result.engine == "compiled"
    assert result.games == 3000
    switched = [notice for notice in caplog.messages if "compiled" in notice]
    assert len(switched) == 1
    assert "games done in plain Python, the remaining" in switched[0]
    assert result.digest == simulate("fourth-down", 3000, seed=3, engine="compiled").digest


_original_is_ready = SimulationCompiler.is_ready


def _ready_after_the_second(self: SimulationCompiler, done: int) -> bool:
    ended = _original_is_ready(self, done)
    if self._process is not None and done > 32:
        self._process.wait()
        return True
    return ended and done > 32


@pytest.mark.usefixtures("nothing_compiled")
def test_the_compiler_is_stopped_when_the_games_end(monkeypatch: pytest.MonkeyPatch) -> None:
    processes = begin_with(monkeypatch, "os:system", "exec sleep 600")
    result = simulate("fourth-down", 60, seed=3, at_once=True)
    assert result.engine == "plain"
    assert [process.poll() is not None for process in processes] == [True]


def test_nothing_is_compiled_that_cannot_be_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registration, "_private", None)
    monkeypatch.setattr(run.SimulationWork, "prepare", None)
    background_compile.compile_games("fourth-down")


def test_cached_code_is_used_at_once() -> None:
    compiled = simulate("fourth-down", 30, engine="compiled")
    assert simulate("fourth-down", 30, at_once=True).engine == "compiled"
    assert simulate("fourth-down", 30, at_once=True).digest == compiled.digest


def test_a_user_defined_coach_is_not_compiled_in_the_background() -> None:
    rules, _ = RULES.with_coach(RULES.coach("book").call)
    m = rules.new_match()
    assert not run.SimulationWork(
        rules, m, rules.new_position(m), 0, (0, 0), "compiled", False
    ).can_compile_in_background()


def test_compiling_is_announced_where_nothing_is_cached(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """One line per loop, and none where the code is cached."""
    caplog.set_level("INFO", "hashmark.progress")
    for _ in range(3):
        simulate("fourth-down", 10, engine="compiled")
    assert len(caplog.messages) <= 1
    caplog.clear()
    monkeypatch.setattr(registration, "_prepared_for", defaultdict(set))
    monkeypatch.setattr(registration, "_requested", defaultdict(set))
    monkeypatch.setattr(numba_private, "has_cached", lambda dispatcher, signature: False)
    simulate("fourth-down", 10, engine="compiled")
    assert caplog.messages == [
        "compiling fourth-down for simulation (once; it can take a minute or more)"
    ]


def work(coaches: tuple[int, int], soon: bool = True) -> run.SimulationWork:
    m = RULES.new_match()
    return run.SimulationWork(RULES, m, RULES.new_position(m), 0, coaches, "compiled", False, soon)


@pytest.mark.usefixtures("nothing_compiled")
def test_one_coach_on_both_sides_is_compiled_alone() -> None:
    assert work((1, 1)).only_coach is RULES.coaches[1]
    assert work((0, 1)).only_coach is None
    assert work((1, 1), soon=False).only_coach is None


def test_code_for_all_coaches_serves_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_dir, "has_code", lambda rules, function, part="": not part)
    assert work((1, 1)).only_coach is None
    assert not work((1, 1)).can_compile_in_background()


ONCE = """
from hashmark.cli.progress import show_notices
from hashmark.compiler import cache_dir
from hashmark.engine import registry
from hashmark.sim import background_compile, run, simulate
rules, heard = registry.load("fourth-down"), []
background_compile.compile_games("fourth-down", "bold")
with show_notices(heard.append):
    found = simulate(rules, 50, seed=3, home="bold", away="bold", at_once=True)
print(found.engine, found.digest, heard, cache_dir.has_code(rules, run.LOOP), end=" ")
print(cache_dir.has_code(rules, run.LOOP, "bold"), cache_dir.has_code(rules, run.LOOP, "book"))
"""


def test_code_for_one_coach_is_cached_and_reused(tmp_path: Path) -> None:
    environment = {**os.environ, "HASHMARK_CACHE": str(tmp_path)}
    for heard_before in ("compiles", "loads"):
        ran = subprocess.run(
            [sys.executable, "-c", ONCE],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        plain = simulate("fourth-down", 50, seed=3, home="bold", away="bold", engine="plain")
        assert ran.stdout == f"compiled {plain.digest} [] False True False\n", heard_before
        codes = sorted(tmp_path.rglob("*.nbc"))
        assert len(codes) == 1
