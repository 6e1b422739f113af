"""Compilation of loops: progress notices and bound loops."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from hashmark.compiler import cache_dir, registration
from hashmark.engine import registry


def test_threads_that_wait_for_the_same_code_cause_one_notice(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    import numpy as np

    def loop(rules: Any, numbers: Any) -> None:
        numbers[0] += 1

    monkeypatch.setattr(cache_dir, "variant_dir", lambda *given: None)  # nothing is cached
    rules = registry.load("fourth-down")
    run = registration.compile_loop(loop, rules, "a test")
    numbers = np.zeros(1)
    with caplog.at_level("INFO", "hashmark.progress"):
        threads = [threading.Thread(target=run, args=(rules, numbers)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(caplog.messages) == 1
        run(rules, np.zeros(1, np.int32))  # needs other code
    assert len(caplog.messages) == 2
    assert numbers[0] > 0


def test_a_bound_loop_works_on_its_arrays(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    import numpy as np

    def loop(rules: Any, numbers: Any, step: int) -> int:
        numbers[0] += step
        return int(numbers[0])

    monkeypatch.setattr(cache_dir, "variant_dir", lambda *given: None)
    rules = registry.load("fourth-down")
    numbers = np.zeros(1, np.int64)
    with caplog.at_level("INFO", "hashmark.progress"):
        run = registration.bind_loop(loop, rules, (rules, numbers, 3), "a test")
    assert len(caplog.messages) == 1  # it is compiled before it is called
    assert [run(), run()] == [3, 6]
    numbers[0] = 10
    assert run() == 13
    assert registration.compile_loop(loop, rules)(rules, numbers, 3) == 16
