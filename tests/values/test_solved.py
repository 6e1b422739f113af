"""Verification of the completely solved games: minutes each, so only on request.

Uses a solution in the user's data directory, or creates it there first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hashmark.engine import registry
from hashmark.engine.record import HOME
from hashmark.games.fourth_down.tables import TIME_CAP
from hashmark.odds.arrays import Floats
from hashmark.sim import simulate
from hashmark.values import solution
from hashmark.values.solve_on_disk import solve
from hashmark.values.solved import SolvedGame
from values.solution_verifier import (
    BEST,
    CALLS,
    CHANCE_ERROR,
    PLAIN,
    VALUE,
    sample_positions,
    verify_samples,
)

SOLVED = ("fourth-down", "roll-for-yardage")
SAMPLES = 100_000
PLAIN_SAMPLES = 1_000
CLOSE = 1e-12
GAMES = 10_000_000
PUNT_STEP, SHORTEST_PUNT = 7, 21  # yards: a punt is a roll times seven
MOST_LOST = {"fourth-down": 10, "roll-for-yardage": 20}  # yards lost by one roll

pytestmark = pytest.mark.long


@pytest.fixture(scope="module", params=SOLVED)
def solved(request: pytest.FixtureRequest) -> Any:
    rules = registry.load(request.param)
    m = rules.new_match()
    if solution.find(rules, m) is None:
        solve(solution.SolveTask(rules, m))
    return solution.find(rules, m)


@pytest.fixture(scope="module")
def found(solved: SolvedGame) -> Any:
    """Return the verification of sampled positions, one in a hundred by the plain rules too."""
    return verify_samples(
        solved, sample_positions(solved, SAMPLES, seed=1), SAMPLES // PLAIN_SAMPLES
    )


def test_a_value_is_the_mean_after_the_best_call_and_no_call_beats_it(
    solved: SolvedGame, found: Floats
) -> None:
    residual = float(np.abs(found[:, BEST] - found[:, VALUE]).max())
    print(f"{solved.rules.name}: {len(found):,} positions, the largest residual is {residual:.1e}")
    assert found[:, VALUE].min() > -CLOSE
    assert found[:, VALUE].max() <= 1 + CLOSE
    assert found[:, CALLS].min() >= 1
    assert found[:, CHANCE_ERROR].max() < CLOSE
    assert residual < CLOSE


def test_the_plain_rules_give_the_same_values(solved: SolvedGame, found: Floats) -> None:
    plain = found[~np.isnan(found[:, PLAIN]), PLAIN]
    residual = float(np.abs(plain).max())
    print(f"{solved.rules.name}: {len(plain):,} positions, the largest residual is {residual:.1e}")
    assert len(plain) == PLAIN_SAMPLES
    assert residual < CLOSE


def test_more_points_are_never_worse(solved: SolvedGame) -> None:
    for block in solved.blocks.values():
        if block.has_values and block.width >= 0:
            values = solved.file.array(f"values/{block.number}")
            worth = values[:, 0] * (1 - solved.tie) - values[:, 1] * solved.tie
            assert np.diff(worth, axis=1).min(initial=0) > -CLOSE


def test_best_against_best_matches_the_solved_value(
    solved: SolvedGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = solved.rules.name
    monkeypatch.setenv("HASHMARK_DATA", str(solved.file.path.parent.parent))
    played = simulate(name, GAMES, home="best", away="best", seed=2026)
    value = solved.value(solved.rules.new_position(solved.m))
    for won, chance in zip(played.totals.wins, (value.home, value.away), strict=True):
        error = (chance * (1 - chance) / GAMES) ** 0.5
        assert abs(won / GAMES - chance) < 3 * error


NEARER = {"fourth-down": ("drive", 2, 180), "roll-for-yardage": ("scrimmage", 4, 30)}


def test_a_spot_nearer_the_goal_is_worse_only_where_documented(solved: SolvedGame) -> None:
    """Check some situations; `docs/explanation/best-play.md` explains the exceptions."""
    rng = np.random.default_rng(3)
    compared = worse = 0
    for _ in range(150):
        before = None
        for given in _toward_the_goal(solved.rules.name, rng):
            try:
                g = solved.rules.new_position(solved.m, given)
                worth = solved.value(g).worth(HOME, solved.tie)
            except solution.NotSolved:  # unreachable
                before = None
                continue
            compared += 1
            if before is not None and worth < before - CLOSE:
                worse += 1
                assert _is_documented(solved.rules.name, given), given
            before = worth
    assert compared > 5_000
    assert 0 < worse < 0.02 * compared


def _toward_the_goal(name: str, rng: np.random.Generator) -> list[dict[str, Any]]:
    """Return a situation at every spot from the own 1 on, all else equal."""
    phase, periods, ticks = NEARER[name]
    lead = int(rng.integers(-20, 21))
    given: dict[str, Any] = {
        "phase": phase,
        "possession": "home",
        "period": int(rng.integers(1, periods + 1)),
        "clock": int(rng.integers(1, ticks + 1)),
        "score": {"home": max(lead, 0), "away": max(-lead, 0)},
    }
    to_go = 0
    if name == "roll-for-yardage":
        to_go = int(rng.integers(1, 16))
        given |= {"down": int(rng.integers(1, 5)), "to_go": to_go}
    return [{**given, "spot": spot} for spot in range(1, 100 - to_go)]


def _is_documented(name: str, given: dict[str, Any]) -> bool:
    """Return whether the docs explain why the step to this spot may cost something."""
    left = 100 - int(given["spot"])
    if given["spot"] <= MOST_LOST[name]:  # a safety may be better than losing the ball there
        return True
    if name == "roll-for-yardage":
        return left % PUNT_STEP == 0 and left >= SHORTEST_PUNT
    return any(TIME_CAP[style, left] < TIME_CAP[style, left + 1] for style in range(3))
