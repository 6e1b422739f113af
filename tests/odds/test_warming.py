"""Compiling beside the game: in a process of its own, which may also fail."""

from __future__ import annotations

import sys

import pytest

from hashmark.odds import warming
from hashmark.odds.warming import Warming
from hashmark.table import registry

pytest.importorskip("numba")

RULES = registry.load("fourth-down")


def test_what_was_compiled_elsewhere_is_at_hand() -> None:
    at_hand = Warming(RULES)
    at_hand.wait()
    assert warming.is_kept(RULES)
    assert at_hand.is_ready()
    at_hand.stop()


def test_where_another_process_cannot_compile_nobody_waits_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever wants odds then compiles them himself."""
    monkeypatch.setattr(warming, "is_kept", lambda rules: False)
    monkeypatch.setattr(sys, "executable", "false")
    failing = Warming(RULES)
    assert not failing.is_ready()
    failing.wait()
    assert failing.failed
    assert failing.is_ready()


def test_nobody_compiles_what_is_not_wanted_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming, "is_kept", lambda rules: False)
    begun = Warming(RULES)
    begun.begin()
    process = begun.process
    assert process is not None
    assert "(0 s so far)" in begun.said()
    begun.begin()
    assert begun.process is process
    assert not begun.is_ready()
    begun.stop()
    assert process.returncode is not None
