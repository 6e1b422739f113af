"""Solving, from the rows of the rules to the values in a file, on the last blocks of 4th Down!."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hashmark.engine import registry
from hashmark.engine.dice import Die
from hashmark.engine.effects import EffectHandler
from hashmark.engine.record import winner
from hashmark.errors import HashmarkError
from hashmark.values import array_file, solution, solve_on_disk
from hashmark.values.solution import NotSolved, SolveTask
from hashmark.values.solve_on_disk import solve
from hashmark.values.solved import SolvedGame
from values.enumerated import Enumerated

pytestmark = pytest.mark.heavy

RULES = registry.load("fourth-down")
MATCH = RULES.new_match()
CLOSE = 1e-12


class Dice(EffectHandler):
    """Effect handler with seeded dice."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def roll_die(self, die: Die, team: int) -> int:
        return int(self.random.choice(die.faces))


def start(clock: int, **given: Any) -> Any:
    """Return a drive late in the second half."""
    position = {"phase": "drive", "possession": "home", "spot": 45, "period": 2, "clock": clock}
    return RULES.new_position(MATCH, {**position, **given})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HASHMARK_DATA", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="module")
def solved(folder: None) -> SolvedGame:
    """Solve the last 48 blocks, the first of which are steady."""
    task = SolveTask(RULES, MATCH, start=start(48))
    return SolvedGame(RULES, MATCH, solve(task, threads=1))


def played(source: SolvedGame, games: int) -> list[Any]:
    """Return positions of random games that the source contains."""
    positions = []
    for seed in range(games):
        g = start(48)
        g.handler = Dice(seed)
        while not RULES.is_over(g):
            positions.append(g.copy())
            RULES.step(MATCH, g, g.handler.random.choice(RULES.legal_calls(MATCH, g)))
    return positions


@pytest.mark.parametrize(
    ("clock", "scores"),
    [
        pytest.param(2, [(0, 0), (0, 7)], id="close games"),
        pytest.param(
            3,
            [(0, 0), (0, 7), (3, 0), (10, 14), (20, 0)],
            id="longer and other games",
            marks=pytest.mark.long,
        ),
    ],
)
def test_plain_enumeration_gives_the_same_values(
    solved: SolvedGame, clock: int, scores: list[tuple[int, int]]
) -> None:
    enumerated = Enumerated(RULES, MATCH)
    for home, away in scores:
        g = start(clock, score={"home": home, "away": away})
        solved_values, enumerated_values = solved.judge(g), enumerated.judge(g)
        for call, value in enumerated_values.calls.items():
            assert solved_values.calls[call].home == pytest.approx(value.home, abs=CLOSE)
            assert solved_values.calls[call].tie == pytest.approx(value.tie, abs=CLOSE)
            assert solved_values.calls[call].away == pytest.approx(value.away, abs=CLOSE)
        assert solved.value(g).home == pytest.approx(enumerated_values.value.home, abs=CLOSE)


def test_a_value_is_the_mean_of_the_values_after_the_best_call(solved: SolvedGame) -> None:
    for g in played(solved, 3):
        value, judged = solved.value(g), solved.judge(g)
        assert value.home + value.tie + value.away == pytest.approx(1, abs=CLOSE)
        after = solved.value_of_call(g, judged.best)
        assert after.home == pytest.approx(value.home, abs=CLOSE)
        assert after.away == pytest.approx(value.away, abs=CLOSE)
        assert judged.loss(solved.best_call(g)) == pytest.approx(0, abs=CLOSE)
        for call in judged.calls:
            assert judged.calls[call].home == pytest.approx(
                solved.value_of_call(g, call).home, abs=CLOSE
            )


def test_more_points_are_never_worse(solved: SolvedGame) -> None:
    worths = []
    for home in range(40):
        g = start(48, score={"home": home, "away": 20})
        worths.append(solved.value(g).worth(0))
    assert all(one <= more + CLOSE for one, more in pairwise(worths))


def test_finished_games_have_values_and_unreachable_positions_none(solved: SolvedGame) -> None:
    g = RULES.new_position(MATCH, {"phase": "over", "score": {"home": 3, "away": 0}})
    assert solved.value(g).home == 1
    assert winner(g) == 0
    with pytest.raises(NotSolved, match="no game reaches this position"):
        solved.value(start(48, score={"home": 500, "away": 0}))
    with pytest.raises(NotSolved):
        solved.value(start(170))


def test_threads_and_interruptions_do_not_change_the_file(folder: None) -> None:
    task = SolveTask(RULES, MATCH, start=start(9))
    whole = solve(task, threads=1).read_bytes()
    task.path.unlink()

    def interrupt(what: str, done: int, of: int) -> None:
        if what == "solving" and done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(task, threads=2, progress=interrupt)
    assert not task.path.exists()
    progress: list[int] = []
    solve(task, threads=2, progress=lambda what, done, of: progress.append(done))
    assert progress[0] == 4
    assert task.path.read_bytes() == whole
    assert not task.path.with_suffix(solve_on_disk.WORK_SUFFIX).exists()


def test_a_damaged_work_space_is_not_resumed(folder: None) -> None:
    task = SolveTask(RULES, MATCH, start=start(8))
    whole = solve(task, threads=1).read_bytes()

    def interrupt(what: str, done: int, of: int) -> None:
        if what == "solving" and done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(task, threads=1, progress=interrupt)
    space = task.path.with_suffix(solve_on_disk.WORK_SUFFIX) / "space.bin"
    space.write_bytes(bytes(space.stat().st_size))
    progress: list[int] = []
    solve(task, threads=1, progress=lambda what, done, of: progress.append(done))
    assert progress[0] == 0
    assert task.path.read_bytes() == whole


def test_a_damaged_file_and_one_of_other_rules_are_refused(
    solved: SolvedGame, tmp_path: Path
) -> None:
    content = bytearray(solved.file.path.read_bytes())
    path = tmp_path / "x.solution"
    path.write_bytes(content[:-40])
    with pytest.raises(HashmarkError, match="cannot read"):
        SolvedGame(RULES, MATCH, path)
    first = next(name for name in solved.file.metadata["arrays"] if name.startswith("values/"))
    content[solved.file.metadata["arrays"][first]["offset"]] ^= 1
    path.write_bytes(content)
    with pytest.raises(HashmarkError, match="damaged: run `hashmark solve` again"):
        array_file.ArrayFile(path).verify()
    with pytest.raises(HashmarkError, match="another version of the rules"):
        SolvedGame(replace(RULES, version=99), MATCH, solved.file.path)
    with pytest.raises(HashmarkError, match="with different options"):
        SolvedGame(RULES, RULES.new_match({"late-half-ends": "true"}), solved.file.path)


def test_solutions_are_listed(solved: SolvedGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HASHMARK_DATA", str(solved.file.path.parent.parent))
    assert solved.file.path in [path for path, _ in solution.list_solutions()]
    assert solution.find(RULES, MATCH) is None  # only endgames were solved


def test_tasks_that_cannot_be_solved_are_refused() -> None:
    rules = registry.load("rapid-roll")
    with pytest.raises(HashmarkError, match="rapid-roll is too large to be solved"):
        SolveTask(rules, rules.new_match())
    with pytest.raises(HashmarkError, match="tie: 2 is not between 0 and 1"):
        SolveTask(RULES, MATCH, 2)


def test_arrays_match_their_checksums(solved: SolvedGame) -> None:
    array = solved.file.array("keys")
    entry = solved.file.metadata["arrays"]["keys"]
    assert array_file.chunk_checksums(array_file.bytes_of(array)) == entry["crc"]
    assert not isinstance(array, np.memmap)
