"""Matrix game of secret calls: the equilibrium of both teams, with realistic errors."""

from __future__ import annotations

import numpy as np
import pytest

from hashmark.engine import registry
from hashmark.errors import HashmarkError
from hashmark.values import hidden_calls as module
from hashmark.values.hidden_calls import HiddenCallGame, outcome_features, solve_hidden_calls


def make_game(matrix: list[list[float]], noise: float = 0.0) -> HiddenCallGame:
    """Return a game with this matrix, whose groups differ by some noise."""
    worths = np.array(matrix, float)
    noise_by_group = np.random.default_rng(1).normal(0, noise, (8, *worths.shape))
    groups = worths + noise_by_group - noise_by_group.mean(axis=0)
    calls = tuple(range(10, 10 + worths.shape[0]))
    answers = tuple(range(20, 20 + worths.shape[1]))
    return HiddenCallGame(0, calls, answers, worths, 7 * worths, groups)


def assert_is_equilibrium(choice: HiddenCallGame) -> None:
    """Check what must hold for every solved game."""
    pure = choice.worths
    assert pure.min(axis=1).max() <= choice.value + 1e-9
    assert choice.value <= pure.max(axis=0).min() + 1e-9
    for equilibrium in (choice.equilibrium, choice.equilibrium_in_points):
        assert equilibrium.row_mix.sum() == pytest.approx(1)
        assert equilibrium.column_mix.sum() == pytest.approx(1)
    worths = [worth for worth, _ in choice.call_worths().values()]
    answer_worths = [worth for worth, _ in choice.answer_worths().values()]
    assert max(worths) == pytest.approx(choice.value)
    assert max(answer_worths) == pytest.approx(1 - choice.value)
    for worth, share in zip(worths, choice.equilibrium.row_mix, strict=True):
        assert share < 1e-9 or worth == pytest.approx(choice.value)


def test_a_two_by_two_game_has_its_known_equilibrium() -> None:
    choice = make_game([[0.6, 0.4], [0.3, 0.5]])
    assert_is_equilibrium(choice)
    assert choice.value == pytest.approx(0.45)
    assert choice.equilibrium.row_mix.tolist() == pytest.approx([0.5, 0.5])
    assert choice.equilibrium.column_mix.tolist() == pytest.approx([0.25, 0.75])
    assert choice.error == pytest.approx(0)


def test_a_dominated_call_is_never_mixed_in() -> None:
    choice = make_game([[0.6, 0.4], [0.3, 0.5], [0.2, 0.3]], noise=0.01)
    assert_is_equilibrium(choice)
    worth, error = choice.call_worths()[12]
    assert worth == pytest.approx(0.275)
    assert 0.001 < error < 0.02
    assert 0 < choice.error < 0.02


def test_a_position_without_secret_calls_is_refused() -> None:
    rules = registry.load("fourth-down")
    m = rules.new_match()
    g = rules.new_position(m, {"phase": "drive", "possession": "home", "spot": 20})
    with pytest.raises(HashmarkError, match="no secret calls in this position"):
        solve_hidden_calls(rules, m, g, engine="plain")


def test_the_fit_recovers_known_coefficients() -> None:
    known = np.column_stack([np.ones(40), np.linspace(-2, 2, 40)])
    results = known @ np.array([[0.5, 1.0], [0.1, 3.0]])
    assert module._fit_ridge(known, results) == pytest.approx(
        np.array([[0.5, 1.0], [0.1, 3.0]]), rel=0.01
    )


@pytest.mark.heavy
def test_the_result_does_not_depend_on_threads() -> None:
    rules = registry.load("data-driven")
    m = rules.new_match()
    g = rules.new_position(m, {"phase": "scrimmage", "possession": "home", "spot": 30})
    choice = solve_hidden_calls(rules, m, g, games=40)
    assert choice.worths.shape == (9, 6)
    assert_is_equilibrium(choice)
    assert choice.error < 0.05
    assert (
        solve_hidden_calls(rules, m, g, games=40, threads=1).worths.tolist()
        == choice.worths.tolist()
    )


@pytest.mark.long
def test_cells_agree_with_rollouts_of_their_plays() -> None:
    """Compare the regression with rollouts of the plays themselves."""
    from hashmark.odds.plays import Follower, secret_pairs
    from hashmark.values.rollout_jobs import RolloutJob
    from hashmark.values.rollout_runner import RolloutRunner

    rules = registry.load("data-driven")
    m = rules.new_match()
    g = rules.new_position(m, {"phase": "scrimmage", "possession": "home", "spot": 30})
    choice = solve_hidden_calls(rules, m, g, games=800)
    pairs = secret_pairs(Follower(rules, m), g)
    jobs = [RolloutJob(between, answer) for _, between, answer in pairs]
    winners, _ = RolloutRunner(rules, m, 77, "compiled", 2).run(jobs, 0, 20_000)
    played = ((winners == 0) + 0.5 * (winners == 2)).mean(axis=0).reshape(9, 6)
    apart = (played - played.mean()) - (choice.worths - choice.worths.mean())
    assert np.sqrt((apart**2).mean()) < 0.01


def test_features_are_a_constant_and_standardized_columns() -> None:
    rules = registry.load("data-driven")
    m = rules.new_match()
    before = rules.new_position(m, {"phase": "scrimmage", "possession": "home", "spot": 30})
    outcomes = []
    for spot, down, possession in ((32, 2, 0), (45, 1, 0), (60, 1, 1), (30, 2, 0)):
        g = before.copy()
        g.spot, g.down, g.possession, g.clock = spot, down, possession, g.clock - spot
        outcomes.append(g)
    matrix = outcome_features(rules, m, before, outcomes)
    assert matrix.shape[0] == 4
    assert (matrix[:, 0] == 1).all()
    assert np.allclose(matrix[:, 1:].mean(axis=0), 0)
    assert np.allclose(matrix[:, 1:].std(axis=0), 1)
    assert len({tuple(row) for row in matrix.round(9).tolist()}) == 4


def test_equal_outcomes_have_only_the_constant() -> None:
    rules = registry.load("fourth-down")
    m = rules.new_match()
    g = rules.new_position(m)
    assert outcome_features(rules, m, g, [g, g]).tolist() == [[1.0], [1.0]]
