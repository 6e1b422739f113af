"""Every option of the games that can be solved, solved whole: minutes each, so only when asked.

Roll For Yardage! is played with three plays a quarter, shorter than any option makes it: enough for
a kickoff and all four downs in a half, and as many in an overtime. What longer quarters bring is
more blocks of the same kinds. Its own short quarters, and a postseason of whole length, are solved
once each.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hashmark.table import registry
from hashmark.table.keys import WITH_LEAD
from hashmark.values import solution
from hashmark.values.solve_on_disk import solve
from hashmark.values.solved import Solved

from .proving import BEST, CALLS, OFF, VALUE, by_the_rules, sampled

SOLVED = ("fourth-down", "roll-for-yardage")
PLAYS = 3  # of a quarter; an overtime has twice as many, like a half
DOWNS = {1, 2, 3, 4}
NUMBER = 7  # of plays of an overtime where that is the option
SAMPLES = 10_000
CLOSE = 1e-12

pytestmark = pytest.mark.long


def variants() -> list[tuple[str, dict[str, Any]]]:
    """Each option at each value but the first, which is the usual one; of numbers one."""
    made: list[tuple[str, dict[str, Any]]] = []
    for name in SOLVED:
        for option in registry.load(name).options:
            values = option.allowed[1:] if option.reader is None else (NUMBER,)
            made += [(name, {option.name: one}) for one in values]
    return made


@pytest.mark.parametrize(("name", "options"), variants(), ids=str)
def test_every_option_is_solved_whole(
    name: str, options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HASHMARK_DATA", str(tmp_path))
    m = registry.load(name).new_match(options)
    if name == "roll-for-yardage" and "plays_per_quarter" not in options:
        m.plays_per_quarter = PLAYS
        m.overtime_plays = options.get("overtime_plays", 2 * PLAYS)
    solved = prove(name, m, is_level=options.get("season") == "postseason")
    if name == "roll-for-yardage":
        keys = solved.file.array("keys")
        for overtime in (False, True):
            assert set(keys["down"][(keys["period"] == WITH_LEAD) == overtime].tolist()) >= DOWNS


def test_a_postseason_of_whole_length(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HASHMARK_DATA", str(tmp_path))
    rules = registry.load("roll-for-yardage")
    prove(rules.name, rules.new_match({"season": "postseason"}), is_level=True)


def prove(name: str, m: Any, *, is_level: bool) -> Solved:
    """Solve a match: both teams are alike, and every value is what the rules make of those after.

    `is_level`: no game is tied in the end.
    """
    rules = registry.load(name)
    solved = Solved(rules, m, solve(solution.Task(rules, m)))
    value = solved.value(rules.new_position(m))
    assert value.home == pytest.approx(value.away, abs=1e-9)
    if is_level:
        assert value.tie == pytest.approx(0, abs=1e-9)
    found = by_the_rules(solved, sampled(solved, SAMPLES, seed=1))
    off = float(np.abs(found[:, BEST] - found[:, VALUE]).max())
    print(f"{name}: {len(found):,} positions, the largest residual is {off:.1e}")
    assert found[:, CALLS].min() >= 1
    assert found[:, OFF].max() < CLOSE
    assert off < CLOSE
    return solved
