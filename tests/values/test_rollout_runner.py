"""Rollout jobs: compiled and plain engines agree, in batches and with hidden calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hashmark.engine import registry
from hashmark.engine.record import TIE, MatchRecord, winner
from hashmark.engine.rule_set import RuleSet
from hashmark.values import rollout_jobs as numbers
from hashmark.values.plain_rollouts import PlainRollout
from hashmark.values.rollout_jobs import COACH_CALLS, NO_MATCHING_CALL, RolloutJob
from hashmark.values.rollout_runner import RolloutRunner


def load_game(name: str) -> tuple[Any, Any]:
    rules = registry.load(name)
    return rules, rules.new_match()


def test_results_have_a_row_per_rollout_and_a_column_per_job() -> None:
    rules, m = load_game("fourth-down")
    player = RolloutRunner(rules, m, 5, "plain", 2)
    jobs = [RolloutJob(rules.new_position(m)), RolloutJob(rules.new_position(m), COACH_CALLS)]
    progress: list[int] = []
    winners, margins = player.run(jobs, 3, 9, progress.append)
    assert winners.shape == margins.shape == (6, 2)
    assert (winners[:, 0] == winners[:, 1]).all()  # equal jobs have equal luck
    assert len(set(margins[:, 0].tolist())) > 1  # different rollouts differ
    assert ((margins > 0) == (winners == 0)).all()
    assert ((margins == 0) <= (winners == TIE)).all()
    assert progress[-1] == 12
    later, _ = player.run(jobs, 5, 9)
    assert later.tolist() == winners[2:].tolist()


def test_no_jobs_give_an_empty_result() -> None:
    rules, m = load_game("fourth-down")
    assert RolloutRunner(rules, m, 5, "plain", 1).run([], 0, 4)[0].shape == (4, 0)


def test_rollouts_use_other_streams_than_the_game() -> None:
    """A game of the same seed and number keeps its own streams."""
    assert numbers.FIRST_PLAY_STREAM >= 2
    last = ((numbers.KEYED_PLAYS - 1) * numbers.KEYED_PLAYS + numbers.KEYED_PLAYS - 1) * 2 + 1
    assert 2 * last + numbers.FIRST_PLAY_STREAM + 1 < numbers.FIRST_SEARCH_STREAM


def test_a_plain_rollout_returns_winner_and_margin_of_its_last_position() -> None:
    rules, m = load_game("roll-for-yardage")
    rollout = PlainRollout(rules, m, RolloutJob(rules.new_position(m)), 1, 2)
    won, margin = rollout.play()
    assert rules.is_over(rollout.g)
    assert won == winner(rollout.g)
    assert margin == rollout.g.score[0] - rollout.g.score[1]


@pytest.mark.heavy
@pytest.mark.parametrize(
    "name", ["fourth-down", pytest.param("roll-for-yardage", marks=pytest.mark.long)]
)
def test_compiled_and_plain_play_the_same_games(name: str) -> None:
    rules, m = load_game(name)
    g = rules.new_position(m)
    every = [RolloutJob(g), *_jobs_of_a_game(rules, m)]
    ends = [
        RolloutRunner(rules, m, 11, engine, 2).run(every, 0, 30) for engine in ("compiled", "plain")
    ]
    for fast, slow in zip(*ends, strict=True):
        assert np.array_equal(fast, slow)


def _jobs_of_a_game(rules: RuleSet, m: MatchRecord) -> list[RolloutJob]:
    """Return a job for each call of some positions of a game."""
    from hashmark.engine.game import Game, SeededDice

    game, jobs = Game(rules, dice=SeededDice(8)), []
    while not game.is_over:
        if len(game.turns) % 9 == 0 and game.wants_call:
            codes = rules.legal_calls(m, game.position)
            jobs += [RolloutJob(game.position.copy(), code) for code in codes]
        game.play(game.decide(rules.coach("book")))
    return jobs


@pytest.mark.heavy
def test_compiled_and_plain_make_hidden_calls_alike() -> None:
    rules, m = load_game("data-driven")
    where = {"phase": "scrimmage", "possession": "home", "spot": 60, "period": 4, "clock": 200}
    before = rules.new_position(m, where)
    g = before.copy()
    rules.step(m, g, rules.call_codes["draw"])
    team = rules.team_to_act(m, g)
    seen, calls = rules.view(m, g, team), rules.legal_calls(m, g)
    never = seen.copy()
    never.spot += 1
    jobs = [RolloutJob(before, call, seen, team) for call in calls]
    ends = [
        RolloutRunner(rules, m, 3, engine, 1).run(jobs, 0, 6) for engine in ("compiled", "plain")
    ]
    assert np.array_equal(ends[0][0], ends[1][0])
    assert np.array_equal(ends[0][1], ends[1][1])
    lost = RolloutRunner(rules, m, 3, "compiled", 1).run(
        [RolloutJob(before, calls[0], never, team)], 0, 2
    )
    assert (lost[0] == NO_MATCHING_CALL).all()
