"""Background compilation of odds, in a separate process that may also fail."""

from __future__ import annotations

import sys

import pytest

from hashmark.engine import registry
from hashmark.odds import background_compile
from hashmark.odds.background_compile import OddsCompiler

pytest.importorskip("numba")

RULES = registry.load("fourth-down")


def test_code_compiled_by_another_process_is_ready() -> None:
    at_hand = OddsCompiler(RULES)
    at_hand.wait()
    assert background_compile.is_cached(RULES)
    assert at_hand.is_ready()
    at_hand.stop()


def test_a_failed_background_compilation_counts_as_ready(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The odds are then compiled in this process."""
    monkeypatch.setattr(background_compile, "is_cached", lambda rules: False)
    monkeypatch.setattr(sys, "executable", "false")
    failing = OddsCompiler(RULES)
    assert not failing.is_ready()
    failing.wait()
    assert failing.has_failed
    assert failing.is_ready()


def test_stopping_ends_the_compiling_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_compile, "is_cached", lambda rules: False)
    begun = OddsCompiler(RULES)
    begun.start()
    process = begun.process
    assert process is not None
    assert "(0 s so far)" in begun.describe_progress()
    begun.start()
    assert begun.process is process
    assert not begun.is_ready()
    begun.stop()
    assert process.returncode is not None
