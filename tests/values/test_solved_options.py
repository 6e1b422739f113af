"""Every option of the games that can be solved, solved whole: minutes each, so only when asked.

Roll For Yardage! is played with the short quarters of its own option, but for one of whole length.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hashmark.table import registry
from hashmark.values import solution
from hashmark.values.solve_on_disk import solve
from hashmark.values.solved import Solved

from .proving import BEST, KEPT, by_the_rules, sampled

SOLVED = ("fourth-down", "roll-for-yardage")
SHORT = {"roll-for-yardage": {"plays_per_quarter": 15}}
NUMBER = 7  # of plays of an overtime
SAMPLES = 1_000
CLOSE = 1e-12

pytestmark = pytest.mark.long


def variants() -> list[tuple[str, dict[str, Any]]]:
    """Each option at each value but the first, which is the usual one; of numbers one."""
    made: list[tuple[str, dict[str, Any]]] = [("roll-for-yardage", {"season": "postseason"})]
    for name in SOLVED:
        short = SHORT.get(name, {})
        for option in registry.load(name).options:
            values = option.allowed[1:] if option.reader is None else (NUMBER,)
            made += [(name, {**short, option.name: one}) for one in values]
    return made


@pytest.mark.parametrize(("name", "options"), variants(), ids=str)
def test_every_option_is_solved_whole(
    name: str, options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HASHMARK_DATA", str(tmp_path))
    rules = registry.load(name)
    m = rules.new_match(options)
    solved = Solved(rules, m, solve(solution.Task(rules, m)))
    value = solved.value(rules.new_position(m))
    assert value.home == pytest.approx(value.away, abs=1e-9)
    if options.get("season") == "postseason":
        assert value.tie == pytest.approx(0, abs=1e-9)
    found = by_the_rules(solved, sampled(solved, SAMPLES, seed=1))
    assert np.abs(found[:, BEST] - found[:, KEPT]).max() < CLOSE
