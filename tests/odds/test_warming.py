"""Background compilation of odds, in a separate process that may also fail."""

from __future__ import annotations

import sys

import pytest

from hashmark.odds import warming
from hashmark.odds.warming import Warming
from hashmark.table import registry

pytest.importorskip("numba")

RULES = registry.load("fourth-down")


def test_code_compiled_by_another_process_is_ready() -> None:
    at_hand = Warming(RULES)
    at_hand.wait()
    assert warming.is_kept(RULES)
    assert at_hand.is_ready()
    at_hand.stop()


def test_a_failed_background_compilation_counts_as_ready(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The odds are then compiled in this process."""
    monkeypatch.setattr(warming, "is_kept", lambda rules: False)
    monkeypatch.setattr(sys, "executable", "false")
    failing = Warming(RULES)
    assert not failing.is_ready()
    failing.wait()
    assert failing.failed
    assert failing.is_ready()


def test_stopping_ends_the_compiling_process(monkeypatch: pytest.MonkeyPatch) -> None:
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
