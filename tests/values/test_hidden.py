"""The hidden choice: a matrix solved for the mix of both sides, with honest errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hashmark.table import registry
from hashmark.table.errors import HashmarkError
from hashmark.values import hidden as module
from hashmark.values.hidden import Hidden, hidden


def made(matrix: Any, noise: float = 0.0) -> Hidden:
    """A choice with this matrix, as groups see it that differ by some noise."""
    worths = np.array(matrix, float)
    luck = np.random.default_rng(1).normal(0, noise, (8, *worths.shape))
    groups = worths + luck - luck.mean(axis=0)
    calls = tuple(range(10, 10 + worths.shape[0]))
    answers = tuple(range(20, 20 + worths.shape[1]))
    return Hidden(0, calls, answers, worths, 7 * worths, groups)


def check(choice: Hidden) -> None:
    """What must hold of every solved choice."""
    pure = choice.worths
    assert pure.min(axis=1).max() <= choice.value + 1e-9
    assert choice.value <= pure.max(axis=0).min() + 1e-9
    for one in (choice.mix, choice.mix_in_points):
        assert one.rows.sum() == pytest.approx(1)
        assert one.columns.sum() == pytest.approx(1)
    worths = [worth for worth, _ in choice.of_calls().values()]
    others = [worth for worth, _ in choice.of_answers().values()]
    assert max(worths) == pytest.approx(choice.value)
    assert max(others) == pytest.approx(1 - choice.value)
    for worth, share in zip(worths, choice.mix.rows, strict=True):
        assert share < 1e-9 or worth == pytest.approx(choice.value)


def test_two_against_two() -> None:
    choice = made([[0.6, 0.4], [0.3, 0.5]])
    check(choice)
    assert choice.value == pytest.approx(0.45)
    assert choice.mix.rows.tolist() == pytest.approx([0.5, 0.5])
    assert choice.mix.columns.tolist() == pytest.approx([0.25, 0.75])
    assert choice.error == pytest.approx(0)


def test_a_call_that_is_always_worse_is_never_made() -> None:
    choice = made([[0.6, 0.4], [0.3, 0.5], [0.2, 0.3]], noise=0.01)
    check(choice)
    worth, error = choice.of_calls()[12]
    assert worth == pytest.approx(0.275)
    assert 0.001 < error < 0.02
    assert 0 < choice.error < 0.02


def test_only_where_both_call_in_secret() -> None:
    rules = registry.load("fourth-down")
    m = rules.new_match()
    g = rules.new_position(m, {"phase": "drive", "possession": "home", "spot": 20})
    with pytest.raises(HashmarkError, match="no call is answered by a secret call"):
        hidden(rules, m, g, engine="plain")


def test_a_surface_through_known_worths() -> None:
    known = np.column_stack([np.ones(40), np.linspace(-2, 2, 40)])
    results = known @ np.array([[0.5, 1.0], [0.1, 3.0]])
    assert module._fitted(known, results) == pytest.approx(
        np.array([[0.5, 1.0], [0.1, 3.0]]), rel=0.01
    )


@pytest.mark.heavy
def test_nine_plays_against_six_formations() -> None:
    rules = registry.load("data-driven")
    m = rules.new_match()
    g = rules.new_position(m, {"phase": "scrimmage", "possession": "home", "spot": 30})
    choice = hidden(rules, m, g, games=40)
    assert choice.worths.shape == (9, 6)
    check(choice)
    assert choice.error < 0.05
    assert hidden(rules, m, g, games=40, threads=1).worths.tolist() == choice.worths.tolist()


@pytest.mark.long
def test_cells_agree_with_games_played_out_from_them() -> None:
    """The surface against the plays themselves, played out with the book in between."""
    from hashmark.odds.plays import Follower, secret_pairs
    from hashmark.values.player import Player
    from hashmark.values.rollout_jobs import Job

    rules = registry.load("data-driven")
    m = rules.new_match()
    g = rules.new_position(m, {"phase": "scrimmage", "possession": "home", "spot": 30})
    choice = hidden(rules, m, g, games=800)
    pairs = secret_pairs(Follower(rules, m), g)
    jobs = [Job(between, answer) for _, between, answer in pairs]
    winners, _ = Player(rules, m, 77, "compiled", 2).play(jobs, 0, 20_000)
    played = ((winners == 0) + 0.5 * (winners == 2)).mean(axis=0).reshape(9, 6)
    apart = (played - played.mean()) - (choice.worths - choice.worths.mean())
    assert np.sqrt((apart**2).mean()) < 0.01
