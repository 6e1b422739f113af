"""Games that begin before the compiler has: the same games, whenever the code comes."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from hashmark.sim import beside, run, simulate
from hashmark.sim.beside import Beside
from hashmark.table import aside, cache, compiled_cache, compiling, news, registry

RULES = registry.load("fourth-down")


@pytest.fixture
def nothing_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "has", lambda rules, function: False)


def begin_with(monkeypatch: pytest.MonkeyPatch, function: str, *words: str) -> list[Any]:
    """Let this function stand for the compiler; the processes that were begun."""
    begun: list[Any] = []
    usual = aside.begin

    def begin(*given: str) -> Any:
        begun.append(usual(function, *words))
        return begun[-1]

    monkeypatch.setattr(aside, "begin", begin)
    monkeypatch.setattr(beside, "WORTH_SECONDS", 0.0)
    return begun


@pytest.mark.usefixtures("nothing_compiled")
def test_few_games_call_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aside, "begin", None)
    monkeypatch.setattr(beside, "WORTH_SECONDS", 1e9)
    found = simulate("fourth-down", 40, seed=3, at_once=True)
    assert (found.engine, found.threads) == ("plain", 1)
    assert found.digest == simulate("fourth-down", 40, seed=3, engine="plain").digest


@pytest.mark.usefixtures("nothing_compiled")
def test_games_go_on_compiled_when_there_is_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler is done at once: the first batches are plain, the rest is not."""
    begin_with(monkeypatch, "sys:exit")
    monkeypatch.setattr(Beside, "is_ready", _ready_after_the_second)
    heard: list[str] = []
    with news.heard_by(heard.append):
        found = simulate("fourth-down", 3000, seed=3, at_once=True, threads=2)
    assert found.engine == "compiled"
    assert found.games == 3000
    switched = [one for one in heard if "compiled" in one]
    assert len(switched) == 1
    assert "games in plain Python" in switched[0]
    assert found.digest == simulate("fourth-down", 3000, seed=3, engine="compiled").digest


_usual = Beside.is_ready


def _ready_after_the_second(self: Beside, done: int) -> bool:
    ended = _usual(self, done)
    if self._process is not None and done > 32:
        self._process.wait()
        return True
    return ended and done > 32


@pytest.mark.usefixtures("nothing_compiled")
def test_the_compiler_ends_with_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = begin_with(monkeypatch, "os:system", "exec sleep 600")
    found = simulate("fourth-down", 60, seed=3, at_once=True)
    assert found.engine == "plain"
    assert [one.poll() is not None for one in begun] == [True]


def test_code_that_is_there_is_taken_at_once() -> None:
    compiled = simulate("fourth-down", 30, engine="compiled")
    assert simulate("fourth-down", 30, at_once=True).engine == "compiled"
    assert simulate("fourth-down", 30, at_once=True).digest == compiled.digest


def test_no_other_process_knows_a_coach_of_ones_own() -> None:
    rules, _ = RULES.with_coach(RULES.coach("book").call)
    m = rules.new_match()
    assert not run.Games(rules, m, rules.new_position(m), 0, (0, 0), "compiled", False).can_wait()


def test_compiling_is_announced_where_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line for each loop, and none where the code is there."""
    heard: list[str] = []
    with news.heard_by(heard.append):
        simulate("fourth-down", 10, engine="compiled")
    simulate("fourth-down", 10, engine="compiled")
    with news.heard_by(heard.append):
        simulate("fourth-down", 10, engine="compiled")
    assert len(heard) <= 1
    heard.clear()
    monkeypatch.setattr(compiling, "_prepared_for", defaultdict(set))
    monkeypatch.setattr(compiled_cache, "holds", lambda dispatcher, signature: False)
    with news.heard_by(heard.append):
        simulate("fourth-down", 10, engine="compiled")
    assert heard == ["compiling fourth-down for simulation (once; it can take a minute or more)"]
