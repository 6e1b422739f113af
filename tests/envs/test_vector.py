"""Vectorized games: identical to the plain engine, and conforming to Gymnasium."""

from __future__ import annotations

import os
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from hashmark.engine import registry
from hashmark.engine.record import NOBODY
from hashmark.envs import kernel, registration
from hashmark.envs.single_game import SingleGame
from hashmark.envs.vector import VectorGames
from hashmark.errors import HashmarkError

each_game = pytest.mark.parametrize("game", registry.builtin_names())
TELLING = ("fourth-down", "data-driven", "two-minute-drill")  # one has secrets, one is solo


class Plain:
    """The games of a vector, one after the other in plain Python."""

    def __init__(self, games: VectorGames, seed: int) -> None:
        self.games, self.seed = games, seed
        self.plays = [SingleGame(games.setting) for _ in range(games.num_envs)]
        self.leads = [0] * games.num_envs
        for place in range(games.num_envs):
            self.begin(place, place)

    def begin(self, place: int, number: int) -> None:
        self.plays[place].begin(self.seed, number)
        self.leads[place] = self.games.setting.first_lead

    def step(self, calls: Any) -> list[float]:
        """Take a step in each game, or begin the next one; return the rewards."""
        return [self._step(place, int(call)) for place, call in enumerate(calls)]

    def _step(self, place: int, call: int) -> float:
        play, viewer = self.plays[place], self.games.setting.viewer
        if play.asked == NOBODY:
            self.begin(place, play.number + self.games.num_envs)
            return 0.0
        play.call(call)
        if not self.games.reward_by:
            return play.result(viewer)
        lead = play.lead(viewer)
        points, self.leads[place] = lead - self.leads[place], lead
        return float(points)

    def check(self, rows: Any, info: Any, ended: Any, cut: Any) -> None:
        plays = self.plays
        assert np.array_equal(np.stack([play.row for play in plays]), rows)
        assert np.array_equal(np.stack([play.mask for play in plays]), info["action_mask"])
        assert [play.asked for play in plays] == info["asked"].tolist()
        assert [play.is_over for play in plays] == ended.tolist()
        assert [play.is_truncated for play in plays] == cut.tolist()


def compare(games: VectorGames, seed: int, wanted: int) -> None:
    """Play this many games to their end, step by step on both engines."""
    rows, info = games.reset(seed=seed)
    plain = Plain(games, seed)
    none = np.zeros(games.num_envs, bool)
    plain.check(rows, info, none, none)
    finished = 0
    while finished < wanted:
        calls = games.random_calls().copy()
        rows, rewards, ended, truncated, info = games.step(calls)
        assert plain.step(calls) == rewards.tolist()
        plain.check(rows, info, ended, truncated)
        finished += int(ended.sum())
    ours = [position.flat() for position in games.positions()]
    assert ours == [play.position.flat() for play in plain.plays]


@pytest.mark.parametrize(
    "game",
    [
        name if name in TELLING else pytest.param(name, marks=pytest.mark.long)
        for name in registry.builtin_names()
    ],
)
def test_games_equal_those_of_the_plain_engine(game: str) -> None:
    compare(VectorGames(game, 4, seat="both"), 7, 5)


@pytest.mark.parametrize("seat", ["home", "away"])
def test_games_against_a_coach_equal_those_of_the_plain_engine(seat: str) -> None:
    compare(VectorGames("fourth-down", 8, seat=seat, reward="points"), 3, 40)


@pytest.mark.long
@each_game
def test_ten_thousand_games_equal_those_of_the_plain_engine(game: str) -> None:
    compare(VectorGames(game, 50, seat="both"), 11, 10_000)


@pytest.mark.long
@each_game
def test_games_against_each_coach_equal_those_of_the_plain_engine(game: str) -> None:
    rules = registry.load(game)
    if not rules.is_solo(rules.new_match()):
        for coach in rules.coaches:
            compare(VectorGames(game, 20, seat="away", opponent=coach.name), 5, 100)


def fourth_down(count: int = 300, **given: Any) -> VectorGames:
    return VectorGames("fourth-down", count, **{"seat": "both", **given})


def after(games: VectorGames, steps: int) -> list[Any]:
    """Return the results after some steps of random calls."""
    games.reset(seed=5)
    results: Any = None
    for _ in range(steps):
        results = games.step(games.random_calls())
    return [array.copy() for array in results[:4]]


def test_results_do_not_depend_on_threads() -> None:
    with_one, with_two = (after(fourth_down(1100, threads=n), 90) for n in (1, 2))
    assert all(map(np.array_equal, with_one, with_two))
    assert with_one[1].any()


def test_a_step_allocates_no_arrays() -> None:
    games = fourth_down(4096, threads=1)
    games.reset(seed=1)
    outs = [games.step(games.random_calls()) for _ in range(4)]
    assert all(ours is theirs for ours, theirs in zip(outs[0], outs[2], strict=True))
    tracemalloc.start()
    try:
        for _ in range(20):
            games.step(games.random_calls())
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 4096  # one byte per game: every array is larger


def test_results_stay_valid_for_one_more_step() -> None:
    games = fourth_down(64)
    rows, _ = games.reset(seed=1)
    kept = rows.copy()
    then, *_ = games.step(games.random_calls())
    assert np.array_equal(rows, kept)
    assert not np.array_equal(rows, then)


def test_a_reset_without_a_seed_begins_further_games() -> None:
    games = fourth_down(3)
    games.reset(seed=5)
    assert games.game_numbers.tolist() == [0, 1, 2]
    first, _ = games.reset()
    assert games.game_numbers.tolist() == [3, 4, 5]
    kept = first.copy()
    games.reset(seed=5)
    again, _ = games.reset()
    assert np.array_equal(again, kept)


def test_without_a_seed_vectors_differ() -> None:
    ours, theirs = fourth_down(64).reset()[0], fourth_down(64).reset()[0]
    assert not np.array_equal(ours, theirs)


def test_a_finished_game_is_followed_by_the_next() -> None:
    start = {"phase": "try", "possession": "home", "period": 2, "clock": 0}
    games = fourth_down(2, start=start)
    assert games.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    games.reset(seed=1)
    _, rewards, ended, _, info = games.step(games.random_calls())
    assert ended.all()
    assert set(rewards.tolist()) <= {0.0, 1.0}
    assert not info["action_mask"].any()
    assert info["asked"].tolist() == [NOBODY, NOBODY]
    _, rewards, ended, _, info = games.step(np.array([99, -1]))  # ignored
    assert not ended.any()
    assert not rewards.any()
    assert games.game_numbers.tolist() == [2, 3]


def test_what_is_hidden_makes_no_difference_in_compiled_games() -> None:
    """Run the same games twice; then the same team makes different secret calls."""
    ours, theirs = (VectorGames("data-driven", 200, seat="both") for _ in range(2))
    rules, compared = ours.rules, 0
    secret = np.zeros((len(rules.questions), len(rules.calls)), bool)
    for number, question in enumerate(rules.questions):
        if (
            question.name == "play"
        ):  # before the formation, which is called without knowing the play
            secret[number, list(question.secret_calls)] = True
    for seed in range(6):
        for games in (ours, theirs):
            rows, info = games.reset(seed=seed)
        for _ in range(20 + seed):
            calls = ours.random_calls().copy()
            ours.step(calls)
            rows, _, _, _, info = theirs.step(calls)
        masks = info["action_mask"].astype(bool) & secret[_questions(rows, ours)]
        places = np.flatnonzero(masks.sum(1) > 1)
        before = info["asked"].copy()
        one, two = ours.random_calls().copy(), ours.random_calls().copy()
        one[places] = masks[places].argmax(1)
        two[:] = one
        two[places] = masks.shape[1] - 1 - masks[places, ::-1].argmax(1)
        left, right = ours.step(one), theirs.step(two)
        places = places[left[4]["asked"][places] == 1 - before[places]]
        assert np.array_equal(left[0][places], right[0][places])
        assert np.array_equal(left[4]["action_mask"][places], right[4]["action_mask"][places])
        compared += len(places)
    assert compared > 50


def _questions(rows: Any, games: VectorGames) -> Any:
    """Return the question numbers; those of Data-Driven Football name no team."""
    return rows[:, games.observation.names.index("question")].astype(int)


def test_gymnasium_creates_the_vector_environment() -> None:
    games = gymnasium.make_vec(
        registration.environment_id("fourth-down"),
        16,
        vectorization_mode="vector_entry_point",
        seat="both",
    )
    rows, _ = games.reset(seed=1)
    assert rows in games.observation_space
    assert games.action_space.shape == (16,)
    assert isinstance(games.unwrapped, VectorGames)
    games.close()


def test_illegal_calls_are_refused_and_change_nothing() -> None:
    games = fourth_down(3)
    rows, info = games.reset(seed=1)
    calls = games.random_calls().copy()
    calls[1] = int(info["action_mask"][1].argmin())
    with pytest.raises(HashmarkError, match=r"^game 1: action \d+ \(.+\) is not allowed"):
        games.step(calls)
    calls[1] = 1 << 40
    with pytest.raises(HashmarkError, match=r"^game 1: action 1099511627776 is not allowed here"):
        games.step(calls)
    for wrong in (calls[:2], calls.astype(float), "punt"):
        with pytest.raises(
            HashmarkError, match=r"^actions: 3 integers expected, one per game, not"
        ):
            games.step(wrong)
    assert games.reset(seed=1)[0].tolist() == rows.tolist()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"num_envs": 0}, "num_envs: 0 is not between 1 and"),
        ({"num_envs": 2.5}, "num_envs: 2.5 is not a whole number"),
        ({"threads": 0}, "threads: 0 is not between"),
        ({"reward": "style"}, "unknown reward 'style'"),
    ],
)
def test_invalid_arguments_are_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(HashmarkError, match=f"^{said}"):
        VectorGames("fourth-down", **{"num_envs": 2, **given})


def test_a_step_before_the_first_reset_is_refused() -> None:
    with pytest.raises(HashmarkError, match=r"call reset\(\) before step\(\)"):
        fourth_down(2).step(np.zeros(2, int))


def test_random_calls_are_legal_and_uniform() -> None:
    start = {"phase": "drive", "possession": "home", "spot": 50}
    games = fourth_down(30_000, start=start)
    _, info = games.reset(seed=1)
    calls = games.random_calls()
    assert info["action_mask"][np.arange(len(calls)), calls].all()
    counted = np.bincount(calls)
    legal = np.flatnonzero(info["action_mask"][0])
    assert np.abs(counted[legal] - len(calls) / len(legal)).max() < 400  # five standard deviations


def test_constants_of_the_loop_are_distinct() -> None:
    assert kernel.BY_RESULT != kernel.BY_POINTS
    assert kernel.NO_FAILURE < 0


@pytest.mark.long
def test_an_illegal_call_of_a_user_defined_opponent_raises_an_error() -> None:
    def stubborn(m: Any, g: Any) -> int:
        """Always punt."""
        return 5

    games = VectorGames("fourth-down", 4, opponent=stubborn)

    def go_on() -> None:
        for seed in range(20):
            games.reset(seed=seed)
            for _ in range(10):
                games.step(games.random_calls())

    with pytest.raises(HashmarkError, match="a coach called 'punt', which is not allowed there"):
        go_on()


def test_the_first_environment_announces_that_it_compiles(tmp_path: Path) -> None:
    code = (
        "from hashmark.envs.vector import VectorGames\nVectorGames('fourth-down', 8).reset(seed=1)"
    )
    changed = {**os.environ, "HASHMARK_CACHE": str(tmp_path)}
    said = [
        subprocess.run(
            [sys.executable, "-c", code], env=changed, capture_output=True, text=True, check=True
        ).stderr
        for _ in range(2)
    ]
    assert said[0].startswith("compiling fourth-down for the vector environment (once; ")
    assert said[1] == ""  # the code is cached
