"""Coaches from the table of a pairing, in games of four short quarters, plain and compiled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from hashmark.compiler import dispatch, registration
from hashmark.engine import coaches, registry
from hashmark.engine.coach_requests import CoachHandler
from hashmark.engine.generator import COACH_STREAM, RandomStream
from hashmark.engine.record import HOME
from hashmark.errors import HashmarkError
from hashmark.odds.arrays import positions_array
from hashmark.sim import simulate
from hashmark.values import pairing_coach, pairing_solver, pairing_table
from hashmark.values.analysis import analyze_position
from hashmark.values.pairing_source import PairingSource
from hashmark.values.sources import solved_source, source_of

RULES = registry.load("data-driven")
OPTIONS = {
    "charts": "2008",
    "home_team": "ARI",
    "away_team": "PIT",
    "quarter_seconds": 20,
    "overtime": "none",
    "preset": "recommended",
    "short_field": True,
}
DRIVE = {"phase": "scrimmage", "possession": "home", "period": 4, "clock": 20, "spot": 55}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Keep tables and compiled code apart."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            pairing_table, "pairings_dir", lambda: tmp_path_factory.getbasetemp() / "pairings"
        )
        yield


@pytest.fixture(scope="module")
def m(cache: Any) -> Any:
    """Solve a game of 80 seconds."""
    match = RULES.new_match(OPTIONS)
    steps: list[tuple[int, int]] = []
    pairing_solver.solve(
        pairing_table.PairingTask(RULES, match),
        threads=2,
        progress=lambda done, of: steps.append((done, of)),
    )
    assert steps[-1][0] == steps[-1][1] == len(steps)
    return match


def test_a_pairing_must_be_solved_first(cache: Any) -> None:
    match = RULES.new_match({**OPTIONS, "quarter_seconds": 30})
    coach = RULES.coach("best")
    assert coach.check_match is not None
    with pytest.raises(HashmarkError, match="run `hashmark solve data-driven`"):
        coach.check_match(match)
    assert solved_source(RULES, match) is None


def test_games_without_a_model_have_no_such_coaches() -> None:
    rules = registry.load("rapid-roll")
    assert pairing_coach.veteran(rules) is None
    with pytest.raises(HashmarkError, match="no model of a pairing"):
        pairing_table.PairingTask(rules, rules.new_match())


@pytest.mark.heavy
def test_values_are_sensible(m: Any) -> None:
    source = solved_source(RULES, m)
    assert isinstance(source, PairingSource)
    assert "drive-time model" in source.description

    def home(**changed: Any) -> float:
        g = RULES.new_position(m, {**DRIVE, "down": 1, "to_go": 10, **changed})
        return source.value(g).home

    ahead, level, behind = (home(score={"home": points, "away": 3}) for points in (6, 3, 0))
    assert 1 >= ahead > level > behind >= 0
    assert home(spot=80) > home(spot=55) > home(spot=20)
    assert home(possession="away", spot=80) < 0.5


@pytest.mark.heavy
def test_the_analysis_has_the_mixes_of_the_model(m: Any) -> None:
    source = source_of(RULES, m=m)
    g = RULES.new_position(m, {**DRIVE, "down": 2, "to_go": 7})
    analysis = analyze_position(source, g)
    assert analysis.call_values is not None
    offense, defense = analysis.mixed_strategies
    assert sum(share for share, _, _ in offense.calls.values()) == pytest.approx(1, abs=1e-4)
    assert sum(share for share, _, _ in defense.calls.values()) == pytest.approx(1, abs=1e-4)
    assert offense.worth + defense.worth == pytest.approx(1)
    played = [call for call, (share, _, _) in offense.calls.items() if share > 0.2]
    best = max(worth for _, worth, _ in offense.calls.values())
    assert all(offense.calls[call][1] > best - 0.01 for call in played)


@pytest.mark.heavy
def test_a_late_touchdown_to_tie_is_gone_for(m: Any) -> None:
    """Behind by six with ten seconds left, nothing but a touchdown helps."""
    coach = RULES.coach("best")
    source = source_of(RULES, m=m)
    g = RULES.new_position(
        m, {**DRIVE, "clock": 10, "down": 4, "to_go": 8, "score": {"home": 0, "away": 6}}
    )
    judged = source.judge(g)
    names = RULES.calls
    assert judged.team == HOME
    assert names[judged.best] not in ("punt", "field-goal", "kneel", "safety")
    assert coach.call is not None


@pytest.mark.heavy
@pytest.mark.parametrize("coach", ["best", "rookie"])
def test_coaches_play_whole_games(m: Any, coach: str) -> None:
    played = simulate(
        "data-driven", 3, seed=3, home=coach, away="best", options=OPTIONS, engine="plain"
    )
    assert played.games == 3


def test_the_levels_are_listed_with_a_sentence() -> None:
    described = {coach.name: coach.description for coach in RULES.all_coaches()}
    assert {"best", "veteran", "starter", "rookie"} <= set(described)
    assert "exploiter" not in described
    assert "one hidden call in four" in described["rookie"]


@pytest.mark.heavy
def test_the_best_response_gains_little_in_the_model(m: Any) -> None:
    """What both mixes of a position give away is a small part of what a call can cost."""
    model = pairing_table.model_of(RULES)
    policy = model.make_policy(m, pairing_table.require(RULES, m))
    for down, to_go, spot in ((1, 10, 40), (3, 4, 62), (2, 9, 88)):
        g = RULES.new_position(m, {**DRIVE, "down": down, "to_go": to_go, "spot": spot})
        for _, calls, worth in model.hidden_mixes(m, g, policy):
            assert max(value for _, value in calls.values()) <= worth + 0.005
    assert pairing_table.solver_gap(RULES, m) < 0.02


@pytest.mark.heavy
def test_an_interrupted_run_leaves_nothing(cache: Any) -> None:
    match = RULES.new_match({**OPTIONS, "quarter_seconds": 10})
    task = pairing_table.PairingTask(RULES, match)

    def stop(done: int, of: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pairing_solver.solve(task, threads=1, progress=stop)
    assert pairing_table.find(RULES, match) is None
    assert coaches.registered_coaches(RULES)
    assert np.isfinite(pairing_table.model_of(RULES).VALUE_ERROR)


def decide_all(rules: Any, m: Any, positions: Any, seed: Any, coach: Any, calls: Any) -> None:
    """Ask a compiled coach in several positions."""
    for number in range(len(positions)):
        dispatch.open_streams(positions[number], seed, np.uint64(number), np.uint64(0))
        calls[number] = dispatch.decide(rules, m[0], positions[number], coach)


@pytest.mark.heavy
def test_compiled_coaches_call_as_plain_ones(m: Any) -> None:
    coach = RULES.coach("best")
    assert coach.compiled_factory is not None
    assert coach.call is not None
    late = {**DRIVE, "score": {"home": 0, "away": 7}}
    given: list[dict[str, Any]] = [
        {**DRIVE, "down": 1, "to_go": 10},
        {**DRIVE, "down": 4, "to_go": 3, "spot": 70},
        {**late, "down": 4, "to_go": 12, "spot": 20},
        {"phase": "try", "possession": "home", "period": 4, "clock": 20},
        {"phase": "kickoff", "possession": "home", "period": 4, "clock": 10},
    ]
    positions = [RULES.new_position(m, start) for start in given]
    array = positions_array(RULES, positions, dispatch.sampling_fields(RULES))
    calls = np.zeros(len(positions), np.int64)
    compiled = registration.compile_loop(decide_all, RULES, inline=False)
    match = dispatch.match_array(RULES, m)
    compiled(RULES, match, array, np.uint64(7), coach.compiled_factory(m, positions[0])(), calls)
    for number, g in enumerate(positions):
        g.handler = CoachHandler(RandomStream(7, number, COACH_STREAM))
        assert RULES.calls[coach.call(m, g)] == RULES.calls[calls[number]]
