"""The learners of the docs, and the coach `best` in compiled games, on the last blocks."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

from envs.conftest import START
from envs.test_vector import compare
from hashmark.envs.vector import VectorGames
from hashmark.values.solved import SolvedGame

DOCS = Path(__file__).parents[2] / "docs"
PROGRAM = DOCS / "learn_fourth_down.py"


def test_the_example_learns_to_beat_random_calls(solved: SolvedGame) -> None:
    program = runpy.run_path(str(PROGRAM))
    table = program["learn"](300, 512, 1, START)
    learned, _ = program["regret"](program["learned"](table), 40, START)
    by_chance, error = program["regret"](program["coach"]("random"), 40, START)
    assert learned < by_chance - 2 * error
    best, _ = program["regret"](lambda play: solved.best_call(play.position), 5, START)
    assert best == pytest.approx(0, abs=1e-12)


def test_the_example_prints_a_line_per_policy(
    solved: SolvedGame, capsys: pytest.CaptureFixture[str]
) -> None:
    program = runpy.run_path(str(PROGRAM))
    program["main"](["--steps", "5", "--games", "64", "--judged", "3", "--clock", "5"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["random", "book", "learned"]
    assert all("points of win probability a game" in line for line in lines)


def test_the_coach_best_plays_the_same_in_compiled_games(solved: SolvedGame) -> None:
    compare(VectorGames("fourth-down", 8, opponent="best", start=START), 3, 60)


def test_masked_ppo_learns_in_numpy() -> None:
    program = runpy.run_path(str(DOCS / "learn_masked_ppo.py"))
    learned = program["learn"](updates=12, games=128, seed=1)
    wins, error = program["win_rate"](learned, 1000, 2)
    by_chance, _ = program["win_rate"](None, 1000, 2)
    assert wins > by_chance + 2 * error


def test_masked_ppo_never_calls_what_is_not_legal() -> None:
    program = runpy.run_path(str(DOCS / "learn_masked_ppo.py"))
    rng = np.random.default_rng(1)
    policy = program["Policy"](4, 9, rng)
    masks = rng.random((500, 9)) < 0.3
    masks[:, 0] |= ~masks.any(-1)
    chances = policy(rng.normal(size=(500, 4)), masks)[2]
    assert (np.exp(chances).sum(-1) - 1 < 1e-9).all()
    assert masks[np.arange(500), policy.sample(chances)].all()


def test_the_gradient_of_masked_ppo_is_that_of_its_loss() -> None:
    """Compare the descent of one batch with differences of the loss itself."""
    program = runpy.run_path(str(DOCS / "learn_masked_ppo.py"))
    rng = np.random.default_rng(2)
    policy = program["Policy"](4, 3, rng)
    policy.weights = [rng.normal(0, 0.5, weight.shape) for weight in policy.weights]
    rows, masks = rng.normal(size=(20, 4)), np.array([[True, True, False]] * 20)
    calls = rng.integers(0, 2, 20)
    logs = policy(rows, masks)[2][np.arange(20), calls]
    batch = program["Rollout"](
        rows, masks, calls, logs + 0.05, rng.normal(size=20), rng.normal(size=20)
    )

    def loss() -> float:
        _, _, chances, values = policy(rows, masks)
        ratio = np.exp(chances[np.arange(20), calls] - batch.chances)
        clipped = np.clip(ratio, 1 - program["CLIP"], 1 + program["CLIP"])
        gain = np.minimum(ratio * batch.advantages, clipped * batch.advantages)
        entropy = -(np.exp(chances) * np.where(masks, chances, 0)).sum(-1)
        error = (values - batch.returns) ** 2
        return float((-gain - program["ENTROPY"] * entropy + 0.25 * error).mean())

    found: list[np.ndarray] = []
    policy._descend = lambda gradients, rate: found.extend(gradients)
    policy.learn(batch, 1.0)
    for weight, gradient in zip(policy.weights, found, strict=True):
        for place in np.ndindex(weight.shape):
            weight[place] += 1e-6
            above = loss()
            weight[place] -= 2e-6
            slope = (above - loss()) / 2e-6
            weight[place] += 1e-6
            assert gradient[place] == pytest.approx(slope, abs=1e-6)


def test_maskable_ppo_runs_where_it_is_installed(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sb3_contrib")
    program = runpy.run_path(str(DOCS / "learn_maskable_ppo.py"))
    program["main"](["--steps", "64", "--games", "2", "--judged", "4"])
    assert capsys.readouterr().out.startswith("MaskablePPO wins ")
