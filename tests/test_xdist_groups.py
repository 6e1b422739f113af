"""Tests that share compiled code run on the same xdist worker."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import xdist_groups
from hashmark.engine import registry

TESTS = Path(__file__).parent
GAME = [
    f"tests/conformance/test_kit.py::test_kit[data-driven-{name}]" for name in ("json", "plain")
]
SAME = "test_plain_and_compiled_games_are_the_same"
HIDDEN = "test_what_is_hidden_makes_no_difference_in_compiled_games"
IDS = [*GAME, "tests/league/seasons/test_season.py::test_rows", "tests/test_docs.py::test_links"]


class Settings:
    """Stub of pytest's configuration: two workers."""

    def __init__(self) -> None:
        self.option = self
        self.loadscopereorder = True

    def getvalue(self, name: str) -> list[str]:
        return {"tx": ["2*popen"]}[name]


class Worker:
    """Stub of an xdist worker node."""

    shutting_down = False

    def __init__(self) -> None:
        self.gateway, self.given = self, list[int]()
        self.id = self.spec = "worker"
        self.workerinfo = {"spec": self}

    def send_runtest_some(self, numbers: list[int]) -> None:
        self.given += numbers

    def shutdown(self) -> None:
        pass


def schedule_on_two_workers(tests: list[str]) -> list[list[int]]:
    """Return the tests that two workers are given first, in order."""
    scheduler: Any = xdist_groups.create_scheduler(Settings(), None)
    workers = [Worker(), Worker()]
    for worker in workers:
        scheduler.add_node(worker)
        scheduler.add_node_collection(worker, tests)
    scheduler.schedule()
    return [worker.given for worker in workers]


def test_a_group_runs_on_one_worker() -> None:
    assert sorted(schedule_on_two_workers(IDS)) == [[0, 1, 2], [3]]


def test_the_longest_group_starts_first_however_few_its_tests() -> None:
    many = [f"tests/session/test_log.py::test_{number}" for number in range(9)]
    few = [
        "tests/web/pages/test_in_browser.py::test_1",
        "tests/league/seasons/test_season.py::test_1",
    ]
    assert [given[0] for given in schedule_on_two_workers([*many, *few])] == [10, 9]


@pytest.mark.parametrize(
    ("test", "group"),
    [
        ("tests/fuzz/test_positions.py::test_a_little_fuzzing[rapid-roll]", "rapid-roll"),
        ("tests/games/two_minute_drill/test_search.py::test_x[1]", "two-minute-drill"),
        ("tests/league/plans/test_shares.py::test_x", "charts"),
        ("tests/league/validation/test_verify.py::test_x", "data-driven"),
        ("tests/values/test_rollout_runner.py::test_x[roll-for-yardage]", "roll-for-yardage"),
        ("tests/values/test_solve_on_disk.py::test_x", "fourth-down"),
        (f"tests/values/test_coach.py::{SAME}", "roll-for-yardage"),
        (f"tests/envs/test_vector.py::{HIDDEN}", "data-driven"),
        ("tests/web/pages/test_in_browser.py::test_x[rapid-roll]", "browser"),
        ("tests/session/test_log.py::test_x", "session/test_log.py"),
    ],
)
def test_node_ids_determine_the_group(test: str, group: str) -> None:
    assert xdist_groups.group_of(test) == group


def test_every_named_place_exists() -> None:
    assert set(xdist_groups.GAMES) == set(registry.builtin_names())
    assert set(xdist_groups.LONGEST_GROUPS) >= set(xdist_groups.GAMES)
    for start in (*xdist_groups.GROUPS_BY_PATH, *xdist_groups.NEEDS_ANY_GAME):
        file, _, test = start.partition("::")
        files = list(TESTS.glob(f"{file}*"))
        assert files, start
        assert not test or f"def {test}(" in files[0].read_text(encoding="utf-8")


def test_no_test_is_put_into_a_group_by_a_mark() -> None:
    """The scheduler would not see the mark."""
    mark = "mark.xdist" + "_group"
    marked = [path.name for path in TESTS.rglob("*.py") if mark in path.read_text(encoding="utf-8")]
    assert marked == []
