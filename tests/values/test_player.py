"""Jobs played out: compiled and plain the same, in batches, whatever is hidden."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hashmark.table import registry
from hashmark.table.record import TIE, winner
from hashmark.values import rollout_jobs as numbers
from hashmark.values.plain_rollouts import PlainRollout
from hashmark.values.player import Player
from hashmark.values.rollout_jobs import COACHED, NEVER_SEEN, Job


def rules_of(name: str) -> tuple[Any, Any]:
    rules = registry.load(name)
    return rules, rules.new_match()


def test_a_row_a_rollout_and_a_column_a_job() -> None:
    rules, m = rules_of("fourth-down")
    player = Player(rules, m, 5, "plain", 2)
    jobs = [Job(rules.new_position(m)), Job(rules.new_position(m), COACHED)]
    heard: list[int] = []
    winners, margins = player.play(jobs, 3, 9, heard.append)
    assert winners.shape == margins.shape == (6, 2)
    assert (winners[:, 0] == winners[:, 1]).all()  # the same job has the same luck
    assert len(set(margins[:, 0].tolist())) > 1  # and another rollout another
    assert ((margins > 0) == (winners == 0)).all()
    assert ((margins == 0) <= (winners == TIE)).all()
    assert heard[-1] == 12
    later, _ = player.play(jobs, 5, 9)
    assert later.tolist() == winners[2:].tolist()


def test_no_jobs_are_soon_played() -> None:
    rules, m = rules_of("fourth-down")
    assert Player(rules, m, 5, "plain", 1).play([], 0, 4)[0].shape == (4, 0)


def test_rollouts_do_not_roll_the_dice_of_the_game() -> None:
    """The streams of a game of the same seed and number are its own."""
    assert numbers.KEYED >= 2
    last = ((numbers.MOST - 1) * numbers.MOST + numbers.MOST - 1) * 2 + 1
    assert 2 * last + numbers.KEYED + 1 < numbers.SOUGHT


def test_a_plain_rollout_ends_as_it_is_said() -> None:
    rules, m = rules_of("roll-for-yardage")
    one = PlainRollout(rules, m, Job(rules.new_position(m)), 1, 2)
    won, margin = one.play()
    assert rules.is_over(one.g)
    assert won == winner(one.g)
    assert margin == one.g.score[0] - one.g.score[1]


@pytest.mark.heavy
@pytest.mark.parametrize(
    "name", ["fourth-down", pytest.param("roll-for-yardage", marks=pytest.mark.long)]
)
def test_compiled_and_plain_play_the_same_games(name: str) -> None:
    rules, m = rules_of(name)
    g = rules.new_position(m)
    every = [Job(g), *_later(rules, m)]
    ends = [Player(rules, m, 11, engine, 2).play(every, 0, 30) for engine in ("compiled", "plain")]
    for fast, slow in zip(*ends, strict=True):
        assert np.array_equal(fast, slow)


def _later(rules: Any, m: Any) -> list[Job]:
    """Each call of some positions of a game."""
    from hashmark.table.game import Game, SeededDice

    game, found = Game(rules, dice=SeededDice(8)), []
    while not game.is_over:
        if len(game.turns) % 9 == 0 and game.wants_call:
            codes = rules.legal_calls(m, game.position)
            found += [Job(game.position.copy(), code) for code in codes]
        game.play(game.decide(rules.coach("book")) if game.wants_call else None)
    return found


@pytest.mark.heavy
def test_compiled_and_plain_make_hidden_calls_alike() -> None:
    rules, m = rules_of("data-driven")
    where = {"phase": "scrimmage", "possession": "home", "spot": 60, "period": 4, "clock": 200}
    before = rules.new_position(m, where)
    g = before.copy()
    rules.step(m, g, rules.call_codes["draw"])
    team = rules.asked(m, g)
    seen, calls = rules.view(m, g, team), rules.legal_calls(m, g)
    never = seen.copy()
    never.spot += 1
    jobs = [Job(before, call, seen, team) for call in calls]
    ends = [Player(rules, m, 3, engine, 1).play(jobs, 0, 6) for engine in ("compiled", "plain")]
    assert np.array_equal(ends[0][0], ends[1][0])
    assert np.array_equal(ends[0][1], ends[1][1])
    lost = Player(rules, m, 3, "compiled", 1).play([Job(before, calls[0], never, team)], 0, 2)
    assert (lost[0] == NEVER_SEEN).all()
