"""Plays of simulated games: plain and compiled, the same arrays."""

from __future__ import annotations

import numpy as np
import pytest

from hashmark.engine import registry
from hashmark.sim import play_rows
from hashmark.sim.play_rows import PlayBatch
from hashmark.sim.run import SimulationWork, simulate

GAMES = 12


def record(rules_name: str, engine: str, games: int = GAMES) -> list[PlayBatch]:
    rules = registry.load(rules_name)
    m = rules.new_match()
    work = SimulationWork(rules, m, rules.new_position(m), 7, (1, 0), engine, False)
    return list(play_rows.record_games(work, games))


@pytest.mark.heavy
@pytest.mark.parametrize("rules", registry.builtin_names())
def test_plain_and_compiled_plays_are_equal(rules: str) -> None:
    plain, compiled = record(rules, "plain"), record(rules, "compiled")
    assert [batch.games for batch in plain] == [batch.games for batch in compiled]
    for one, other in zip(plain, compiled, strict=True):
        np.testing.assert_array_equal(one.rows, other.rows)
        np.testing.assert_array_equal(one.gains, other.gains)


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_statistics_of_plays_add_up_to_those_of_the_games(rules: str) -> None:
    totals = sum(batch.gains.astype(np.int64).sum(axis=0) for batch in record(rules, "plain"))
    home, away = (coach.name for coach in (registry.load(rules).coaches[k] for k in (1, 0)))
    result = simulate(rules, GAMES, seed=7, home=home, away=away, engine="plain")
    np.testing.assert_array_equal(totals, result.totals.sums)


@pytest.mark.heavy
def test_a_game_without_room_is_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = record("fourth-down", "compiled")
    monkeypatch.setattr(play_rows, "BATCH_ROWS", 20)
    found = record("fourth-down", "compiled")
    assert sum(batch.games for batch in found) == GAMES
    np.testing.assert_array_equal(
        np.concatenate([batch.gains for batch in found]),
        np.concatenate([batch.gains for batch in expected]),
    )
