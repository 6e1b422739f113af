"""`hashmark warm`: what is compiled ahead is there, and is compiled once."""

from __future__ import annotations

import pytest

from fuzz.in_process import answer, hashmark, refused
from hashmark.cli import warm
from hashmark.table import aside, cache, registry


def test_a_game_is_compiled_once() -> None:
    """The usual folder of the tests: the first line depends on what ran before, the second not."""
    said = hashmark("warm", "fourth-down").out.splitlines()
    assert said[-1].startswith("fourth-down: rollouts ")
    assert hashmark("warm", "fourth-down").out.splitlines() == [
        "fourth-down: simulation ready",
        "fourth-down: odds ready",
        "fourth-down: rollouts ready",
    ]
    assert cache.has(registry.load("fourth-down"), "kernel.play_batch")


def test_unknown_games_are_refused() -> None:
    assert "unknown" in refused("warm", "fourth-dawn")


def test_each_game_is_compiled_for_all_that_it_is_used_for() -> None:
    uses = {name: [use for use, _ in warm._uses(registry.load(name))] for name in registry.names()}
    assert uses["data-driven"] == ["simulation", "odds", "rollouts", "seasons and what-ifs"]
    assert uses["rapid-roll"] == ["simulation", "odds", "rollouts"]


def _let_stand(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """Let this program stand for the compiler."""
    usual = aside.begin
    stand_in = lambda *given, heard: usual("builtins:exec", program, heard=heard)  # noqa: E731
    monkeypatch.setattr(aside, "begin", stand_in)


def test_a_compiler_that_fails_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    _let_stand(monkeypatch, "import sys; sys.exit(3)")
    assert "failed" in refused("warm", "fourth-down")


def test_an_interruption_ends_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    def press(said: str) -> None:
        raise KeyboardInterrupt

    _let_stand(monkeypatch, "import time; print(1, flush=True); time.sleep(600)")
    monkeypatch.setattr("hashmark.cli.warm.typer.echo", press)
    done = answer(["warm", "fourth-down"])
    assert (done.status, done.out) == (130, "")
    assert done.err == "hashmark: interrupted; what is compiled is kept\n"
