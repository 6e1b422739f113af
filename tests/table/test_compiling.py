"""How compiled code comes to be: what whoever waits is told of it."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from hashmark.table import cache, compiling, news, registry


def test_several_threads_that_wait_for_one_code_are_told_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import numpy as np

    import hashmark.table.compiled_effects  # noqa: F401  (knows the type of a rule set)

    def loop(rules: Any, numbers: Any) -> None:
        numbers[0] += 1

    monkeypatch.setattr(cache, "part_of", lambda *given: None)  # nothing is kept from before
    heard: list[str] = []
    rules = registry.load("fourth-down")
    run = compiling.ready(loop, rules, "a test")
    numbers = np.zeros(1)
    with news.heard_by(heard.append):
        waiting = [threading.Thread(target=run, args=(rules, numbers)) for _ in range(4)]
        for thread in waiting:
            thread.start()
        for thread in waiting:
            thread.join()
        assert len(heard) == 1
        run(rules, np.zeros(1, np.int32))  # is other code
    assert len(heard) == 2
    assert numbers[0] > 0


def test_a_loop_that_is_bound_to_its_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    import hashmark.table.compiled_effects  # noqa: F401  (knows the type of a rule set)

    def loop(rules: Any, numbers: Any, step: int) -> int:
        numbers[0] += step
        return int(numbers[0])

    monkeypatch.setattr(cache, "part_of", lambda *given: None)
    rules = registry.load("fourth-down")
    numbers = np.zeros(1, np.int64)
    heard: list[str] = []
    with news.heard_by(heard.append):
        run = compiling.bound(loop, rules, (rules, numbers, 3), "a test")
    assert len(heard) == 1  # it is compiled before it is called
    assert [run(), run()] == [3, 6]
    numbers[0] = 10
    assert run() == 13
    assert compiling.ready(loop, rules)(rules, numbers, 3) == 16
