"""Workers: processes beside the server that run jobs, lose no progress and leave nothing behind."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from hashmark.errors import HashmarkError
from hashmark.web.db.schema import WORKS
from hashmark.web.jobs import job as job_module
from hashmark.web.jobs import workers as workers_module
from hashmark.web.jobs.job import Job
from hashmark.web.jobs.queue import DONE, FAILED, RUNNING, STOPPED, WAITING, JobQueue, JobRow
from hashmark.web.jobs.worker import MAX_MEMORY_BYTES
from hashmark.web.jobs.workers import WorkerPool
from hashmark.web.tables.table_store import TableStore
from timeouts import TIMEOUT_SECONDS
from web import counting_jobs
from web.job_server import JobServer
from web.manual_clock import ShiftedClock

ANN, BOB = "a" * 64, "b" * 64


@pytest.fixture(autouse=True)
def _counting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_module, "JOB_TYPES", dict(job_module.JOB_TYPES))
    counting_jobs.register_job_types()
    monkeypatch.setattr(workers_module.WorkerProcess, "program", counting_jobs.WORKER_PROGRAM)
    monkeypatch.setattr(workers_module, "HEARTBEAT_SECONDS", 0.1)
    monkeypatch.setattr(workers_module, "POLL_SECONDS", 0.05)


@pytest.fixture
def clock() -> ShiftedClock:
    return ShiftedClock()


@pytest.fixture
def queue(tmp_path: Path, clock: ShiftedClock) -> Iterator[JobQueue]:
    store = TableStore(f"sqlite:///{tmp_path / 'tables.db'}")
    yield JobQueue(store, clock)
    store.close()


@contextmanager
def running_workers(
    queue: JobQueue, number: int = 1, cluster: str | None = None
) -> Iterator[WorkerPool]:
    pool = WorkerPool(queue, number, cluster)
    pool.start()
    try:
        yield pool
    finally:
        pool.close()


def wait_until(condition: Callable[[], Any]) -> Any:
    """Wait until a condition holds; return its value."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not (value := condition()):
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.02)
    return value


def submit(
    queue: JobQueue, kind: str = "count", holder: str = ANN, caller: str = "", **more: Any
) -> str:
    return queue.submit(Job.of(kind, more), holder, caller or holder).key


def wait_until_ended(queue: JobQueue, key: str) -> JobRow:
    wait_until(lambda: queue.get(key).is_ended)
    return queue.get(key)


def process_of(workers: WorkerPool, index: int = 0) -> int:
    worker_process = wait_until(lambda: workers.workers[index].worker_process)
    return int(worker_process.process.pid)


def is_alive(pid: int) -> bool:
    """Return whether a process is running; a zombie is not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_a_job_runs_in_a_low_priority_process(queue: JobQueue) -> None:
    key = submit(queue, to=5)
    with running_workers(queue) as workers:
        assert wait_until_ended(queue, key).state == DONE
        pid = process_of(workers)
        if hasattr(os, "getpriority"):
            assert os.getpriority(os.PRIO_PROCESS, pid) == 19
        again = submit(queue, to=6)
        assert wait_until_ended(queue, again).state == DONE
        assert process_of(workers) == pid  # the process is reused
    assert queue.result(key)[0] == {"counted": 5, "from": 0}
    assert "From 0 to 5." in queue.result(key)[1]
    assert not is_alive(pid)


@pytest.mark.parametrize("fault", [HashmarkError("no such file"), OSError("no room")])
def test_an_error_does_not_end_a_worker(
    queue: JobQueue, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    claim, errors = queue.claim, [fault]

    def claim_or_fail(name: str) -> JobRow | None:
        if errors:
            raise errors.pop()
        return claim(name)

    monkeypatch.setattr(queue, "claim", claim_or_fail)
    key = submit(queue, to=5)
    with running_workers(queue):
        assert wait_until_ended(queue, key).state == DONE


def test_a_killed_process_loses_no_progress(queue: JobQueue) -> None:
    key = submit(queue, to=60, pause=0.05)
    with running_workers(queue) as workers:
        wait_until(lambda: queue.get(key).done >= 5)
        os.kill(process_of(workers), signal.SIGKILL)
        assert wait_until_ended(queue, key).state == DONE
    result = queue.result(key)[0]
    assert result["counted"] == 60
    assert result["from"] >= 5  # it resumed from its checkpoint


def test_a_stopped_job_keeps_its_checkpoint(queue: JobQueue) -> None:
    key = submit(queue, to=1000, pause=0.05)
    with running_workers(queue):
        wait_until(lambda: queue.get(key).done >= 3)
        assert queue.withdraw(key, ANN)
        row = wait_until_ended(queue, key)
        assert row.state == STOPPED
        assert 3 <= row.done < 1000
        checkpoint = int(queue.checkpoint(key))
        assert checkpoint >= 3


def test_a_job_without_checkpoints_is_killed_when_stopped(queue: JobQueue) -> None:
    key = submit(queue, "stubborn", to=10_000, pause=0.05)
    with running_workers(queue) as workers:
        wait_until(lambda: queue.get(key).done >= 1)
        pid = process_of(workers)
        queue.withdraw(key, ANN)
        assert wait_until_ended(queue, key).state == STOPPED
        wait_until(lambda: not is_alive(pid))
        other = submit(queue, to=2)
        assert wait_until_ended(queue, other).state == DONE


def test_failures_are_reported_in_a_sentence(queue: JobQueue) -> None:
    with running_workers(queue):
        row = wait_until_ended(queue, submit(queue, to=2, then="fail"))
        assert (row.state, row.said) == (FAILED, "it cannot be counted")
        row = wait_until_ended(queue, submit(queue, to=2, then="fault"))
        assert row.state == FAILED
        assert "went wrong" in row.said
        row = wait_until_ended(queue, submit(queue, to=9, then="die", pause=0.3))
        assert row.state == FAILED
        assert "crashed three times" in row.said
        assert wait_until_ended(queue, submit(queue, to=2)).state == DONE


def test_a_long_job_yields_to_other_callers(queue: JobQueue, clock: ShiftedClock) -> None:
    long = submit(queue, to=100_000, pause=0.02)
    with running_workers(queue):
        wait_until(lambda: queue.get(long).done > 10)
        short = submit(queue, holder=BOB, to=3)
        clock.ahead += workers_module.TIME_SLICE_SECONDS
        assert wait_until_ended(queue, short).state == DONE
        assert not queue.get(long).is_ended
        wait_until(lambda: queue.get(long).state == RUNNING)
        queue.withdraw(long, ANN)
        row = wait_until_ended(queue, long)
    assert row.done > 10
    assert row.tries == 0


def test_the_cluster_address_is_passed_to_the_process(queue: JobQueue) -> None:
    with running_workers(queue, cluster="ray.example:6379"):
        key = submit(queue, "hungry", to=1)
        assert wait_until_ended(queue, key).state == DONE
    assert queue.result(key)[0] == {"taken": 1, "cluster": "ray.example:6379"}


def test_an_unreachable_cluster_is_logged_for_the_operator_only(
    queue: JobQueue, caplog: pytest.LogCaptureFixture
) -> None:
    """The visitor is told to try again, without internal addresses."""
    with running_workers(queue):
        key = submit(queue, then="away")
        row = wait_until_ended(queue, key)
    assert (row.state, "try again later" in row.said) == (FAILED, True)
    assert "10.0.0.5" not in row.said
    assert "10.0.0.5" in caplog.text


def test_two_workers_run_two_jobs_at_once(queue: JobQueue) -> None:
    keys = [submit(queue, to=100_000 + index, pause=0.1) for index in range(2)]
    with running_workers(queue, 2):
        wait_until(lambda: all(queue.get(key).done > 0 for key in keys))
        assert {queue.get(key).state for key in keys} == {RUNNING}
        for key in keys:
            queue.withdraw(key, ANN)
        assert {wait_until_ended(queue, key).state for key in keys} == {STOPPED}


def test_a_job_that_takes_too_long_fails(queue: JobQueue, clock: ShiftedClock) -> None:
    with running_workers(queue):
        key = submit(queue, "stubborn", to=100_000, pause=0.05)
        wait_until(lambda: queue.get(key).done >= 1)
        clock.ahead += workers_module.JOB_TIMEOUT_SECONDS
        row = wait_until_ended(queue, key)
        assert row.state == FAILED
        assert "too long" in row.said


def test_shutdown_returns_running_jobs_to_the_queue(queue: JobQueue) -> None:
    key = submit(queue, to=1000, pause=0.02)
    with running_workers(queue) as workers:
        wait_until(lambda: queue.get(key).done >= 3)
        pid = process_of(workers)
    row = queue.get(key)
    assert (row.state, row.tries) == (WAITING, 0)
    assert int(queue.checkpoint(key)) >= 3
    assert not is_alive(pid)


def forward(clock: ShiftedClock) -> bool:
    """Set the clock ahead by the time after which an idle process ends."""
    clock.ahead += workers_module.PROCESS_IDLE_SECONDS
    return True


def test_an_idle_process_is_ended(queue: JobQueue, clock: ShiftedClock) -> None:
    with running_workers(queue) as workers:
        key = submit(queue, to=2)
        pid = process_of(workers)
        assert wait_until_ended(queue, key).state == DONE
        wait_until(lambda: forward(clock) and not is_alive(pid))
        assert wait_until_ended(queue, submit(queue, to=3)).state == DONE


@pytest.mark.skipif(sys.platform != "linux", reason="bounds of a process as Linux has them")
def test_jobs_on_untrusted_input_have_limited_memory(queue: JobQueue) -> None:
    with running_workers(queue) as workers:
        row = wait_until_ended(queue, submit(queue, "hungry", to=MAX_MEMORY_BYTES))
        assert (row.state, row.said) == (
            FAILED,
            "this job needs too much memory: submit a smaller one",
        )
        row = wait_until_ended(queue, submit(queue, "hungry", to=1, then="die"))
        assert (row.state, row.said) == (FAILED, workers_module.TOO_HEAVY)
        row = wait_until_ended(queue, submit(queue, "hungry", to=1000))
        assert row.state == DONE
        wait_until(lambda: workers.workers[0].worker_process is None)  # its process is not reused
        assert wait_until_ended(queue, submit(queue, to=2)).state == DONE


# --- A whole server ------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_server_that_ends_leaves_no_process_and_loses_no_progress(
    tmp_path: Path, how: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = JobServer(tmp_path)
    key = first.submit(to=80, pause=0.05)["key"]
    wait_until(lambda: first.fetch_job(key)["progress"]["done"] >= 10)
    (pid,) = first.worker_pids()
    status = first.stop(how)
    assert status == (0 if how == signal.SIGTERM else -signal.SIGKILL)
    wait_until(lambda: not is_alive(pid))
    store = TableStore(first.url)
    queue = JobQueue(store, ShiftedClock())
    with queue.engine.begin() as connection:
        state = connection.execute(select(WORKS.c.state)).scalar_one()
        assert state == (WAITING if how == signal.SIGTERM else RUNNING)
        connection.execute(update(WORKS).values(lease=0.0))  # as if it had expired
    assert queue.get(key).state == WAITING
    store.close()
    second = JobServer(tmp_path)
    try:
        wait_until(lambda: second.fetch_job(key)["state"] == DONE)
        result = second.fetch_job(key)["result"]
        assert result["counted"] == 80
        assert result["from"] >= 5
    finally:
        second.stop(signal.SIGTERM)
