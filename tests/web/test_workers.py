"""Workers: processes beside the server that do long work, lose nothing and leave nothing."""

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

from hashmark.club import works as club_works
from hashmark.club.hand import MEMORY
from hashmark.club.works import Work
from hashmark.table.errors import HashmarkError
from hashmark.web import workers as beside
from hashmark.web.queue import DONE, FAILED, RUNNING, STOPPED, WAITING, Queue, Row
from hashmark.web.schema import WORKS
from hashmark.web.store import Store
from hashmark.web.workers import Workers
from patience import PATIENCE

from . import counting
from .workshop import Server

ANN, BOB = "a" * 64, "b" * 64


@pytest.fixture(autouse=True)
def _counting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(club_works, "KINDS", dict(club_works.KINDS))
    counting.known()
    monkeypatch.setattr(beside.Hand, "program", counting.HERE)
    monkeypatch.setattr(beside, "BEAT", 0.1)
    monkeypatch.setattr(beside, "LOOK", 0.05)


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[Queue]:
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    yield Queue(store)
    store.close()


@contextmanager
def at_work(queue: Queue, number: int = 1, cluster: str | None = None) -> Iterator[Workers]:
    made = Workers(queue, number, cluster)
    made.start()
    try:
        yield made
    finally:
        made.close()


def until(found: Callable[[], Any]) -> Any:
    """Wait for what one acts on."""
    end = time.monotonic() + PATIENCE
    while not (it := found()):
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.02)
    return it


def ask(queue: Queue, kind: str = "count", holder: str = ANN, caller: str = "", **more: Any) -> str:
    return queue.ask(Work.of(kind, more), holder, caller or holder).key


def ended(queue: Queue, key: str) -> Row:
    until(lambda: queue.get(key).ended)
    return queue.get(key)


def process_of(workers: Workers, at: int = 0) -> int:
    hand = until(lambda: workers.workers[at].hand)
    return int(hand.process.pid)


def alive(pid: int) -> bool:
    """Whether a process is there; one that only waits to be buried is not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_a_work_is_done_beside_the_server(queue: Queue) -> None:
    key = ask(queue, to=5)
    with at_work(queue) as workers:
        assert ended(queue, key).state == DONE
        pid = process_of(workers)
        if hasattr(os, "getpriority"):
            assert os.getpriority(os.PRIO_PROCESS, pid) == 19
        again = ask(queue, to=6)
        assert ended(queue, again).state == DONE
        assert process_of(workers) == pid  # the same goes on, with all that it has loaded
    assert queue.result(key)[0] == {"counted": 5, "from": 0}
    assert "From 0 to 5." in queue.result(key)[1]
    assert not alive(pid)


@pytest.mark.parametrize("fault", [HashmarkError("no such file"), OSError("no room")])
def test_a_fault_ends_no_worker(
    queue: Queue, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    claim, faults = queue.claim, [fault]

    def claims(name: str) -> Row | None:
        if faults:
            raise faults.pop()
        return claim(name)

    monkeypatch.setattr(queue, "claim", claims)
    key = ask(queue, to=5)
    with at_work(queue):
        assert ended(queue, key).state == DONE


def test_a_process_that_is_killed_loses_nothing(queue: Queue) -> None:
    key = ask(queue, to=60, pause=0.05)
    with at_work(queue) as workers:
        until(lambda: queue.get(key).done >= 5)
        os.kill(process_of(workers), signal.SIGKILL)
        assert ended(queue, key).state == DONE
    said = queue.result(key)[0]
    assert said["counted"] == 60
    assert said["from"] >= 5  # it went on where it was


def test_stopping_keeps_what_is_done(queue: Queue) -> None:
    key = ask(queue, to=1000, pause=0.05)
    with at_work(queue):
        until(lambda: queue.get(key).done >= 3)
        assert queue.leave(key, ANN)
        row = ended(queue, key)
        assert row.state == STOPPED
        assert 3 <= row.done < 1000
        kept = int(queue.kept(key))
        assert kept >= 3


def test_what_cannot_go_on_is_stopped_at_once(queue: Queue) -> None:
    key = ask(queue, "stubborn", to=10_000, pause=0.05)
    with at_work(queue) as workers:
        until(lambda: queue.get(key).done >= 1)
        pid = process_of(workers)
        queue.leave(key, ANN)
        assert ended(queue, key).state == STOPPED
        until(lambda: not alive(pid))
        other = ask(queue, to=2)
        assert ended(queue, other).state == DONE


def test_faults_are_sentences(queue: Queue) -> None:
    with at_work(queue):
        said = ended(queue, ask(queue, to=2, then="fail"))
        assert (said.state, said.said) == (FAILED, "it cannot be counted")
        said = ended(queue, ask(queue, to=2, then="fault"))
        assert said.state == FAILED
        assert "went wrong" in said.said
        said = ended(queue, ask(queue, to=9, then="die", pause=0.3))
        assert said.state == FAILED
        assert "lost three times" in said.said
        assert ended(queue, ask(queue, to=2)).state == DONE


def test_a_long_work_lets_others_go_first(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "SLICE", 0.3)
    long = ask(queue, to=2000, pause=0.02)
    with at_work(queue):
        until(lambda: queue.get(long).done > 10)
        short = ask(queue, holder=BOB, to=3)
        assert ended(queue, short).state == DONE
        assert not queue.get(long).ended
        until(lambda: queue.get(long).state == RUNNING)
        queue.leave(long, ANN)
        row = ended(queue, long)
    assert row.done > 10
    assert row.tries == 0


def test_where_the_cluster_is_goes_to_the_process(queue: Queue) -> None:
    with at_work(queue, cluster="ray.example:6379"):
        key = ask(queue, "hungry", to=1)
        assert ended(queue, key).state == DONE
    assert queue.result(key)[0] == {"taken": 1, "cluster": "ray.example:6379"}


def test_a_cluster_that_is_away_is_told_to_who_runs_the_server(
    queue: Queue, caplog: pytest.LogCaptureFixture
) -> None:
    """A visitor hears that he may try again, and nothing of addresses within the house."""
    with at_work(queue):
        key = ask(queue, then="away")
        row = ended(queue, key)
    assert (row.state, "try again later" in row.said) == (FAILED, True)
    assert "10.0.0.5" not in row.said
    assert "10.0.0.5" in caplog.text


def test_two_workers_do_two_works_at_once(queue: Queue) -> None:
    keys = [ask(queue, to=30 + at, pause=0.1) for at in range(2)]
    with at_work(queue, 2):
        until(lambda: all(queue.get(key).done > 0 for key in keys))
        assert {queue.get(key).state for key in keys} == {RUNNING}
        assert {ended(queue, key).state for key in keys} == {DONE}


def test_one_that_takes_too_long_is_given_up(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "LONGEST", 0.5)
    with at_work(queue):
        row = ended(queue, ask(queue, "stubborn", to=10_000, pause=0.05))
        assert row.state == FAILED
        assert "too long" in row.said


def test_at_the_end_works_are_given_back(queue: Queue) -> None:
    key = ask(queue, to=1000, pause=0.02)
    with at_work(queue) as workers:
        until(lambda: queue.get(key).done >= 3)
        pid = process_of(workers)
    row = queue.get(key)
    assert (row.state, row.tries) == (WAITING, 0)
    assert int(queue.kept(key)) >= 3
    assert not alive(pid)


def test_a_process_with_nothing_to_do_goes(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "IDLE", 0.2)
    with at_work(queue) as workers:
        key = ask(queue, to=2)
        pid = process_of(workers)
        assert ended(queue, key).state == DONE
        until(lambda: not alive(pid))
        assert ended(queue, ask(queue, to=3)).state == DONE


@pytest.mark.skipif(sys.platform != "linux", reason="bounds of a process as Linux has them")
def test_what_strangers_bring_is_read_within_bounds(queue: Queue) -> None:
    with at_work(queue) as workers:
        row = ended(queue, ask(queue, "hungry", to=MEMORY))
        assert (row.state, row.said) == (FAILED, "this needs more memory than a work may have")
        row = ended(queue, ask(queue, "hungry", to=1, then="die"))
        assert (row.state, row.said) == (FAILED, beside.TOO_HEAVY)
        row = ended(queue, ask(queue, "hungry", to=1000))
        assert row.state == DONE
        until(lambda: workers.workers[0].hand is None)  # none of its processes does another work
        assert ended(queue, ask(queue, to=2)).state == DONE


# --- A whole server ------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_server_that_ends_leaves_no_process_and_loses_nothing(
    tmp_path: Path, how: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Server(tmp_path)
    key = first.ask(to=80, pause=0.05)["key"]
    until(lambda: first.work(key)["progress"]["done"] >= 10)
    (pid,) = first.hands()
    status = first.end(how)
    assert status == (0 if how == signal.SIGTERM else -signal.SIGKILL)
    until(lambda: not alive(pid))
    store = Store(first.url)
    queue = Queue(store)
    with queue.engine.begin() as connection:
        left = connection.execute(select(WORKS.c.state)).scalar_one()
        assert left == (WAITING if how == signal.SIGTERM else RUNNING)
        connection.execute(update(WORKS).values(lease=0.0))  # as if it had run out
    assert queue.get(key).state == WAITING
    store.close()
    second = Server(tmp_path)
    try:
        until(lambda: second.work(key)["state"] == DONE)
        said = second.work(key)["result"]
        assert said["counted"] == 80
        assert said["from"] >= 5
    finally:
        second.end(signal.SIGTERM)
