"""Work on a cluster: the same results as locally, also if a worker is lost; no cluster."""

from __future__ import annotations

import pickle
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hashmark.engine import registry
from hashmark.errors import HashmarkError, UnknownName
from hashmark.sim import cluster, simulate
from hashmark.sim.run import SimulationWork
from league.invented_league import write_league
from sim import on_ray


def never() -> bool:
    return False


@on_ray.needs_ray
def test_results_are_the_same_on_a_cluster_and_a_lost_worker_costs_only_its_task(
    tmp_path: Path,
) -> None:
    """Two workers, one killed with its task all but done."""
    write_league(tmp_path)
    report = on_ray.run("sim.cluster_run", str(tmp_path))
    assert len(report["workers"]) == len(report["after"]) == 2
    assert report["killed"] in report["workers"]
    assert report["killed"] not in report["after"]
    assert report["same"] == [True, True, True]  # seasons, a what-if, games and their rows
    assert report["interrupted"]


# --- Unreachable clusters -----------------------------------------------------------------------


def test_without_ray_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(HashmarkError, match=r"--cluster needs Ray, .*: run `make cluster`"):
        cluster.load_ray()
    with pytest.raises(HashmarkError, match=r"--cluster needs Ray, .*: run `make cluster`"):
        simulate("fourth-down", 10, cluster="auto")


@pytest.mark.parametrize("address", ["127.0.0.1:9", "ray://127.0.0.1:9", "127.0.0.1:99999"])
def test_an_address_where_nothing_answers_is_refused(address: str) -> None:
    with pytest.raises(HashmarkError, match="nothing answers at this address"):
        cluster.check_reachable(address)
    cluster.check_reachable("auto")


@pytest.fixture
def silent_server() -> Iterator[str]:
    """Yield the address of a server that accepts connections and never answers."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(50)
        yield f"127.0.0.1:{listening.getsockname()[1]}"


def test_a_cluster_that_never_answers_is_given_up(
    silent_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "PROBE_PROGRAM", "import time\ntime.sleep(3600)")
    cluster.check_reachable(silent_server)
    with pytest.raises(HashmarkError, match="no Ray cluster answered within 1 s"):
        cluster.probe(silent_server, never, 1.0)
    assert not cluster.probe(silent_server, lambda: True)  # Ctrl-C


@on_ray.needs_ray
@pytest.mark.long
def test_joining_gives_up_where_the_server_does_not_speak_ray(silent_server: str) -> None:
    fake: Any = SimpleNamespace(is_initialized=never)
    with pytest.raises(HashmarkError, match="no Ray cluster answered within"):
        cluster.join(fake, silent_server, never)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (
            "raise ConnectionError('no Ray here')",
            r"cannot join this cluster \(ConnectionError: no Ray here\)",
        ),
        ("import os; os.abort()", "cannot join this cluster"),
        ("print('processors', 0)", "this cluster has no processors"),
    ],
)
def test_a_cluster_that_cannot_be_joined_is_refused(
    monkeypatch: pytest.MonkeyPatch, program: str, message: str
) -> None:
    monkeypatch.setattr(cluster, "PROBE_PROGRAM", program)
    with pytest.raises(HashmarkError, match=message):
        cluster.probe("auto", never)


def test_a_working_cluster_passes_the_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PROBE_PROGRAM", "print('processors', 4)")
    assert cluster.probe("auto", never)


# --- Tasks, without Ray ---------------------------------------------------------------------------


class Lost(Exception):
    """Ray's error about a task that was lost too often."""


class FakeRay:
    """Fake Ray with one processor, this process; with `hang` no task ever ends."""

    exceptions = SimpleNamespace(RayTaskError=ZeroDivisionError, RayError=Lost)

    def __init__(self) -> None:
        self.begun, self.cancelled = 0, 0
        self.hang: Callable[[], None] | None = None

    def is_initialized(self) -> bool:
        return True

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 1.0}

    def put(self, value: Any) -> Any:
        return SimpleNamespace(binary=lambda: b"x", value=value)

    def get(self, sent: Any) -> Any:
        return sent.value if hasattr(sent, "value") else sent()

    def remote(self, **_: Any) -> Any:
        def wrapped(function: Any) -> Any:
            def begin(*arguments: Any) -> Any:
                self.begun += 1
                return lambda: function(*arguments)

            return SimpleNamespace(remote=begin)

        return wrapped

    def wait(self, tasks: list[Any], timeout: float) -> tuple[list[Any], list[Any]]:
        if self.hang is None:
            return tasks, []
        self.hang()
        return [], tasks

    def cancel(self, task: Any, force: bool) -> None:
        self.cancelled += 1


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeRay:
    made = FakeRay()
    monkeypatch.setattr(cluster, "load_ray", lambda: made)
    monkeypatch.setattr(cluster, "_kept", {})
    return made


def double(job: int) -> int:
    if job == 7:
        raise UnknownName("number", "seven", ["eight"])
    if job == 8:
        raise KeyError("eight")
    return 2 * job


def test_results_come_in_order_and_few_jobs_are_started_ahead(fake: FakeRay) -> None:
    asked = []

    def jobs() -> Iterator[int]:
        for job in range(6):
            asked.append(job)
            yield job

    for job, made in cluster.run_jobs("auto", double, jobs(), never):
        assert made == 2 * job
        assert len(asked) <= job + 2
    assert asked == list(range(6))


@pytest.mark.parametrize(("job", "message"), [(7, "unknown number 'seven'"), (8, "KeyError")])
def test_an_error_in_a_worker_is_reported_as_one(fake: FakeRay, job: int, message: str) -> None:
    with pytest.raises(HashmarkError, match=message):
        list(cluster.run_jobs("auto", double, [1, job], never))


def test_after_ctrl_c_running_tasks_count_but_are_awaited_only_briefly(
    fake: FakeRay, monkeypatch: pytest.MonkeyPatch
) -> None:
    pressed: list[bool] = []
    done = cluster.run_jobs("auto", double, range(100), lambda: bool(pressed))
    assert next(done) == (0, 0)
    pressed.append(True)
    assert list(done) == [(1, 2)]
    assert fake.begun == 2
    monkeypatch.setattr(cluster, "GRACE_SECONDS", 0.0)
    pressed.clear()
    fake.hang = lambda: pressed.append(True)
    assert list(cluster.run_jobs("auto", double, range(100), lambda: bool(pressed))) == []
    assert fake.cancelled == 2


def test_a_worker_with_another_program_version_is_refused() -> None:
    fault, made = cluster.do_job([], "another", 0)
    assert fault is not None
    assert "another version" in fault
    assert made is None


# --- Pickled work -------------------------------------------------------------------------------


def test_pickled_work_plays_the_same_games() -> None:
    rules = registry.load("two-minute-drill")
    m = rules.new_match({})
    work = SimulationWork(rules, m, rules.new_position(m), 4, (0, 1), "plain", True)
    sent = pickle.loads(pickle.dumps(work))
    assert sent.rules is rules
    assert sent((3, 5))[0] == work((3, 5))[0]


def test_a_user_defined_coach_cannot_be_sent(fake: FakeRay) -> None:
    def mine(m: Any, g: Any) -> int:
        return 0

    with pytest.raises(
        HashmarkError, match="that are not part of hashmark cannot run on a cluster"
    ):
        simulate("fourth-down", 10, home=mine, engine="plain", cluster="auto")


def test_simulate_gives_the_same_result_on_a_cluster(fake: FakeRay, tmp_path: Path) -> None:
    remote, local = (
        simulate("fourth-down", 130, seed=3, engine="plain", cluster=address, rows=rows)
        for address, rows in (("auto", tmp_path / "far.csv"), (None, tmp_path / "near.csv"))
    )
    assert remote.totals == local.totals
    assert (tmp_path / "far.csv").read_text() == (tmp_path / "near.csv").read_text()
    assert remote.to_json()["cluster"] == "auto"
    assert local.to_json()["cluster"] is None


def test_nothing_else_imports_ray() -> None:
    code = "import sys, hashmark.cli, hashmark.league.seasons.simulate; print('ray' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
