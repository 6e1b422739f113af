"""Rollout values: realistic errors, common random numbers, and no use of secrets."""

from __future__ import annotations

import math
from typing import Any

import pytest

from hashmark.engine import registry
from hashmark.engine.record import HOME
from hashmark.errors import HashmarkError
from hashmark.values.rollouts import CallRollouts, Rollouts, mean_and_error
from hashmark.values.value import Value

FOURTH = registry.load("fourth-down")
M = FOURTH.new_match()


def fourth() -> Any:
    """Return a fourth down with a choice."""
    where = {"phase": "fourth-down", "possession": "home", "spot": 55, "to_go": 4, "period": 2}
    return FOURTH.new_position(M, where)


def finished(home: int, away: int) -> Any:
    g = FOURTH.new_position(M)
    g.phase, g.score = FOURTH.over_phase, [home, away]
    g.winner = 0 if home > away else 1 if away > home else 2
    return g


@pytest.mark.parametrize(
    ("score", "value"),
    [((7, 3), Value(1, 0, 0)), ((3, 7), Value(0, 0, 1)), ((3, 3), Value(0, 1, 0))],
)
def test_a_game_that_is_over_is_worth_its_result(score: tuple[int, int], value: Value) -> None:
    estimate = Rollouts(FOURTH, M, engine="plain").value(finished(*score))
    assert estimate == value
    assert estimate.is_exact


def test_probabilities_add_up_and_are_never_exact() -> None:
    judged = Rollouts(FOURTH, M, games=30, engine="plain").judge(fourth())
    assert set(judged.calls) == set(FOURTH.legal_calls(M, fourth()))
    for value in judged.calls.values():
        assert math.isclose(value.home + value.tie + value.away, 1)
        assert not value.is_exact
    assert judged.errors[judged.best] == 0
    assert all(error > 0 for call, error in judged.errors.items() if call != judged.best)


def test_the_value_of_a_position_is_that_of_its_best_call() -> None:
    source = Rollouts(FOURTH, M, games=30, engine="plain")
    assert source.value(fourth()) == source.judge(fourth()).value


def test_dice_have_a_value_but_no_calls() -> None:
    source = Rollouts(FOURTH, M, games=20, engine="plain")
    toss = FOURTH.new_position(M)
    assert FOURTH.team_to_act(M, toss) not in (0, 1)
    assert 0 < source.value(toss).home < 1
    with pytest.raises(HashmarkError, match="no call is pending"):
        source.judge(toss)


@pytest.mark.parametrize("games", [0, 1, 10**10])
def test_a_number_of_games_out_of_bounds_is_refused(games: int) -> None:
    with pytest.raises(HashmarkError, match="rollouts"):
        Rollouts(FOURTH, M, games=games)


def test_progress_is_reported_to_the_end() -> None:
    reports: list[tuple[int, int]] = []
    source = Rollouts(
        FOURTH, M, games=70, engine="plain", progress=lambda *report: reports.append(report)
    )
    calls = len(source.judge(fourth()).calls)
    assert reports[-1] == (70 * calls, 70 * calls)
    assert reports == sorted(reports)


def test_no_progress_is_reported_without_rollouts() -> None:
    reports: list[Any] = []
    source = Rollouts(FOURTH, M, engine="plain", progress=lambda *report: reports.append(report))
    source.value(finished(7, 3))
    assert reports == []


def test_the_error_of_a_constant_sample_is_not_zero() -> None:
    import numpy as np

    assert 0.0005 < mean_and_error(np.ones(1000))[1] < 0.002
    _, error = mean_and_error(np.array([0.0, 1.0] * 500))
    assert math.isclose(error, 0.5 / math.sqrt(999))


def test_clearly_worse_calls_get_no_more_games() -> None:
    import numpy as np

    table = CallRollouts(HOME, [None, None, None], [5, 6, 7])  # type: ignore[list-item]
    assert table.contenders(0.5, 0) == [0, 1, 2]
    won, lost = np.zeros(64, np.int8), np.ones(64, np.int8)
    even = np.arange(64).astype(np.int8) % 2
    table.add(0, won)
    table.add(1, lost)
    table.add(2, np.where(np.arange(64) < 63, won, lost))
    assert table.contenders(0.5, 64) == [0, 2]
    table.add(0, won)
    table.add(2, even)
    assert table.contenders(0.5, 128) == []
    judged = table.call_values(0.5)
    assert judged.best == 5
    assert judged.calls[6].away == 1


def secret() -> tuple[Any, Any, Any, Any]:
    """Return rules, match, the position before a secret call, and after each of two such calls."""
    rules = registry.load("data-driven")
    m = rules.new_match()
    where = {"phase": "scrimmage", "possession": "home", "spot": 60, "period": 4, "clock": 20}
    before = rules.new_position(m, where)
    after = []
    for play in ("line-plunge", "screen"):
        g = before.copy()
        rules.step(m, g, rules.call_codes[play])
        after.append(g)
    return rules, m, before, after


def test_a_hidden_call_does_not_change_the_values() -> None:
    rules, m, before, (one, other) = secret()
    source = Rollouts(rules, m, games=3, engine="plain")
    assert rules.team_to_act(m, one) == 1 - rules.team_to_act(m, before)
    assert one.flat() != other.flat()
    assert source.judge(one, before) == source.judge(other, before)
    assert set(source.judge(one, before).calls) == set(rules.legal_calls(m, one))


def test_a_position_unreachable_by_a_secret_call_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("hashmark.values.plain_rollouts.MAX_TRIES", 20)
    rules, m, before, (one, _) = secret()
    before.spot -= 1
    with pytest.raises(HashmarkError, match="no secret call"):
        Rollouts(rules, m, games=2, engine="plain").judge(one, before)


# --- Compiled ---------------------------------------------------------------------------


def positions(count: int) -> list[Any]:
    """Return positions of a game with something to decide."""
    from hashmark.engine.game import Game, SeededDice

    game = Game(FOURTH, dice=SeededDice(5))
    candidates = []
    while not game.is_over:
        if len(game.legal_calls()) > 1:
            candidates.append(game.position.copy())
        game.play(game.decide(FOURTH.coach("book")))
    return candidates[:: max(1, len(candidates) // count)][:count]


@pytest.mark.heavy
def test_results_do_not_depend_on_threads_or_engine() -> None:
    asked = [(g, None) for g in positions(6)]
    one, two = (Rollouts(FOURTH, M, games=500, seed=4, threads=n) for n in (1, 2))
    assert one.judge_all(asked) == two.judge_all(asked)
    plain, fast = (Rollouts(FOURTH, M, games=12, seed=4, engine=e) for e in ("plain", "compiled"))
    assert plain.judge_all(asked) == fast.judge_all(asked)
    assert one.judge_all(asked)[1:3] == one.judge_all(asked[1:3])
    other = Rollouts(FOURTH, M, games=500, seed=5)
    assert one.judge_all(asked) != other.judge_all(asked)


@pytest.mark.heavy
def test_the_standard_error_has_the_right_coverage() -> None:
    """Of 300 independent estimates, 95 % are within 1.96 errors of the truth."""
    g = fourth()
    truth = Rollouts(FOURTH, M, games=200_000, seed=1).judge(g)
    calls = list(truth.calls)
    near = apart = 0
    for seed in range(2, 302):
        estimate = Rollouts(FOURTH, M, games=200, seed=seed, threads=1).judge(g)
        for call in calls[:1]:
            deviation = estimate.calls[call].worth(HOME) - truth.calls[call].worth(HOME)
            near += abs(deviation) < 1.96 * estimate.calls[call].error
        best, other = estimate.best, next(call for call in calls if call != estimate.best)
        lost = truth.calls[best].worth(HOME) - truth.calls[other].worth(HOME)
        apart += abs(estimate.loss(other) - lost) < 1.96 * estimate.errors[other]
    assert 270 <= near <= 297
    assert 265 <= apart <= 298


@pytest.mark.heavy
def test_common_random_numbers_reduce_the_error_of_differences() -> None:
    for judged in Rollouts(FOURTH, M, games=2000).judge_all([(g, None) for g in positions(8)]):
        best = judged.value.error
        for call, error in judged.errors.items():
            if call != judged.best:
                assert error < math.hypot(best, judged.calls[call].error)


@pytest.mark.heavy
def test_stopping_early_finds_the_same_call_with_fewer_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = [(g, None) for g in positions(8)]
    whole = Rollouts(FOURTH, M, games=4000).judge_all(asked)
    played: list[int] = []
    quick = Rollouts(
        FOURTH, M, games=4000, stop_early=True, progress=lambda done, of: played.append(done)
    )
    for one, other in zip(whole, quick.judge_all(asked), strict=True):
        assert one.loss(other.best) <= 4 * max(one.errors[other.best], 0.001)
    assert max(played[:-1]) < played[-1]


@pytest.mark.heavy
def test_the_value_of_the_opening_matches_simulations() -> None:
    from hashmark.sim import simulate

    value = Rollouts(FOURTH, M, games=40_000, seed=9).value(FOURTH.new_position(M))
    played = simulate("fourth-down", 400_000, seed=8).totals
    worth = (played.wins[0] + played.ties / 2) / played.games
    assert abs(value.worth(HOME) - worth) < 4 * value.error
