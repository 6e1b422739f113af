"""The learner of the docs, and the coach `best` in compiled games, on the last blocks."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from envs.conftest import START
from envs.test_vector import compare
from hashmark.envs.vector import VectorGames
from hashmark.values.solved import SolvedGame

PROGRAM = Path(__file__).parents[2] / "docs" / "learn_fourth_down.py"


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
