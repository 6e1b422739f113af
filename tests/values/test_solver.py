"""Every option of the solvable games, solved completely: minutes each, so only on request.

Roll For Yardage! is played with three plays per quarter, fewer than any option allows: enough for a
kickoff and all four downs in a half, and as many in overtime. Longer quarters only add more blocks
of the same kinds. Its own short quarters, and a full-length postseason game, are solved once each.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hashmark.engine import registry
from hashmark.engine.record import MatchRecord
from hashmark.engine.solver_keys import LEAD_KEY_PERIOD
from hashmark.values import solution
from hashmark.values.solve_on_disk import solve
from hashmark.values.solved import SolvedGame
from values.solution_verifier import (
    BEST,
    CALLS,
    CHANCE_ERROR,
    VALUE,
    sample_positions,
    verify_samples,
)

SOLVED = ("fourth-down", "roll-for-yardage")
PLAYS = 3  # per quarter; overtime has twice as many, like a half
DOWNS = {1, 2, 3, 4}
NUMBER = 7  # plays of overtime where that is the option
SAMPLES = 10_000
CLOSE = 1e-12

pytestmark = pytest.mark.long


def variants() -> list[tuple[str, dict[str, Any]]]:
    """Return each option at each value but the default; one value for numeric options."""
    cases: list[tuple[str, dict[str, Any]]] = []
    for name in SOLVED:
        for option in registry.load(name).setup.options:
            values = option.allowed[1:] if option.parser is None else (NUMBER,)
            cases += [(name, {option.name: value}) for value in values]
    return cases


@pytest.mark.parametrize(("name", "options"), variants(), ids=str)
def test_every_option_can_be_solved(
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
            assert (
                set(keys["down"][(keys["period"] == LEAD_KEY_PERIOD) == overtime].tolist()) >= DOWNS
            )


def test_a_full_length_postseason_game_can_be_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HASHMARK_DATA", str(tmp_path))
    rules = registry.load("roll-for-yardage")
    prove(rules.name, rules.new_match({"season": "postseason"}), is_level=True)


def prove(name: str, m: MatchRecord, *, is_level: bool) -> SolvedGame:
    """Solve a match; check that teams are symmetric and values match the rules.

    `is_level`: no game ends in a tie.
    """
    rules = registry.load(name)
    solved = SolvedGame(rules, m, solve(solution.SolveTask(rules, m)))
    value = solved.value(rules.new_position(m))
    assert value.home == pytest.approx(value.away, abs=1e-9)
    if is_level:
        assert value.tie == pytest.approx(0, abs=1e-9)
    results = verify_samples(solved, sample_positions(solved, SAMPLES, seed=1))
    residual = float(np.abs(results[:, BEST] - results[:, VALUE]).max())
    print(f"{name}: {len(results):,} positions, the largest residual is {residual:.1e}")
    assert results[:, CALLS].min() >= 1
    assert results[:, CHANCE_ERROR].max() < CLOSE
    assert residual < CLOSE
    return solved
