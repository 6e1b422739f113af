"""Tests of `hashmark warm`: games are compiled ahead of time, and only once."""

from __future__ import annotations

import subprocess

import pytest

from fuzz.in_process import get_refusal, run_command, run_ok
from hashmark.cli import warm
from hashmark.compiler import cache_dir, subprocesses
from hashmark.engine import registry


def test_a_game_is_compiled_once() -> None:
    """In the usual directory of the tests, so only the second run has a known output."""
    output = run_ok("warm", "fourth-down").out.splitlines()
    assert output[-1].startswith("fourth-down: rollouts ")
    assert run_ok("warm", "fourth-down").out.splitlines() == [
        "fourth-down: simulation ready",
        "fourth-down: odds ready",
        "fourth-down: rollouts ready",
    ]
    assert cache_dir.has_code(registry.load("fourth-down"), "kernel.play_batch")


def test_unknown_games_are_refused() -> None:
    assert "unknown" in get_refusal("warm", "fourth-dawn")


def test_each_game_is_compiled_for_all_its_uses() -> None:
    uses = {name: [use for use, _ in warm._uses(registry.load(name))] for name in registry.names()}
    assert uses["data-driven"] == ["simulation", "odds", "rollouts", "seasons and what-ifs"]
    assert uses["rapid-roll"] == ["simulation", "odds", "rollouts"]


def _replace_compiler(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """Replace the compiler by this program."""
    original = subprocesses.start_process

    def stand_in(*given: object, read_output: bool) -> subprocess.Popen[str]:
        return original("builtins:exec", program, read_output=read_output)

    monkeypatch.setattr(subprocesses, "start_process", stand_in)


def test_a_failing_compiler_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    _replace_compiler(monkeypatch, "import sys; sys.exit(3)")
    assert "failed" in get_refusal("warm", "fourth-down")


def test_an_interruption_ends_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(line: str) -> None:
        raise KeyboardInterrupt

    _replace_compiler(monkeypatch, "import time; print(1, flush=True); time.sleep(600)")
    monkeypatch.setattr("hashmark.cli.warm.typer.echo", interrupt)
    done = run_command(["warm", "fourth-down"])
    assert (done.status, done.out) == (130, "")
    assert done.err == "hashmark: interrupted; finished parts are cached\n"
