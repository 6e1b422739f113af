"""Job queue: shared jobs, leases, fairness, stopping and expiry."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import update

from hashmark.club.works import Work
from hashmark.web import queue as queues
from hashmark.web import work_files
from hashmark.web.limits import Limits, TooMuch
from hashmark.web.queue import (
    DONE,
    FAILED,
    LEASE,
    RUNNING,
    STOPPED,
    TRIES,
    WAITING,
    Queue,
)
from hashmark.web.schema import WORKS
from hashmark.web.store import Store
from hashmark.web.work_files import NoSuchWork

ANN, BOB = "a" * 64, "b" * 64


def work(number: int = 1) -> Work:
    """Return a job; the queue does not look into its settings."""
    return Work("season", {"season": 2008, "runs": number, "seed": 0}, f"key{number}")


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    opened = Store(database)
    yield opened
    opened.close()


@pytest.fixture
def queue(store: Store) -> Queue:
    return Queue(store, Limits(works=5, works_each=3, works_kept=2))


def test_the_same_request_is_one_job(queue: Queue) -> None:
    first = queue.ask(work(), ANN, "here")
    second = queue.ask(work(), BOB, "there")
    assert first.key == second.key
    assert second.caller == "here"
    assert queue.asked_by("key1", ANN)
    assert queue.asked_by("key1", BOB)
    assert [one.key for one in queue.yours(BOB)] == ["key1"]
    assert queue.claim("w") is not None
    assert queue.claim("w") is None


def test_two_workers_never_claim_the_same_job(store: Store, queue: Queue) -> None:
    wide = Queue(store, Limits(works=50, works_each=50))
    for number in range(12):
        wide.ask(work(number), ANN, "here")
    claimed_keys: list[str] = []

    def take(name: str) -> None:
        while (row := wide.claim(name)) is not None:
            claimed_keys.append(row.key)

    threads = [threading.Thread(target=take, args=(f"w{index}",)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    while (row := wide.claim("late")) is not None:  # a worker that lost every race has given up
        claimed_keys.append(row.key)
    assert sorted(claimed_keys) == sorted(f"key{number}" for number in range(12))


def test_progress_checkpoint_and_result_are_stored(queue: Queue) -> None:
    queue.ask(work(), ANN, "here")
    row = queue.claim("w")
    assert row is not None
    assert row.state == RUNNING
    assert queue.beat(row, 10, 200, 1.5, kept="half") == RUNNING
    now = queue.get("key1")
    assert (now.done, now.total, now.seconds) == (10, 200, 1.5)
    assert queue.kept("key1") == "half"
    assert queue.finish(row, {"wins": 3}, "<p>page</p>", {"a.toml": "x"})
    assert queue.get("key1").state == DONE
    assert queue.result("key1") == ({"wins": 3}, "<p>page</p>")
    assert queue.files("key1") == ["a.toml"]
    assert queue.file("key1", "a.toml") == b"x"
    assert queue.kept("key1") == ""
    assert [one.key for one in queue.recent()] == ["key1"]
    with pytest.raises(NoSuchWork, match="no such file"):
        queue.file("key1", "b.toml")


def test_an_expired_lease_can_be_claimed(queue: Queue) -> None:
    queue.ask(work(), ANN, "here")
    row = queue.claim("dead")
    assert row is not None
    queue.beat(row, 5, 9, 1.0, kept="so far")
    assert queue.claim("other") is None
    claimed = queue.claim("other", time.time() + LEASE + 1)
    assert claimed is not None
    assert claimed.worker == "other"
    assert claimed.tries == 2
    assert queue.kept("key1") == "so far"
    # The first worker comes back to life: its reports are rejected.
    assert queue.beat(row, 9, 9, 1.0) == FAILED
    assert not queue.finish(row, {}, "", {})
    assert queue.get("key1").state == RUNNING


def expire_leases(queue: Queue) -> None:
    """Expire the leases of all running jobs."""
    with queue.engine.begin() as connection:
        connection.execute(update(WORKS).values(lease=time.time() - 1))


def test_a_job_whose_worker_died_waits_and_can_be_stopped(queue: Queue) -> None:
    """It counts as waiting, and stopping takes effect at once."""
    for number in (1, 2):
        queue.ask(work(number), ANN, "here")
        assert queue.claim("dead") is not None
    expire_leases(queue)
    assert queue.get("key1").state == WAITING
    assert queue.before(queue.get("key2")) == 1
    assert queue.leave("key1", ANN)
    assert queue.get("key1").state == STOPPED
    assert queue.claim("other") == queue.get("key2")


def test_a_job_of_another_program_version_fails_even_if_its_worker_died(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue.ask(work(), ANN, "here")
    assert queue.claim("dead") is not None
    expire_leases(queue)
    monkeypatch.setattr(queues, "fingerprint", lambda: "another")
    queue.sweep(time.time() + queues.ABANDONED + 1)
    assert "program has changed" in queue.get("key1").said


def test_a_job_fails_after_losing_too_many_workers(queue: Queue) -> None:
    queue.ask(work(), ANN, "here")
    for _ in range(TRIES):
        row = queue.claim("w")
        assert row is not None
        assert queue.lose(row)
    assert queue.claim("w") is None
    row = queue.get("key1")
    assert row.state == FAILED
    assert "lost" in row.said
    assert queue.ask(work(), ANN, "here").state == WAITING
    assert queue.claim("w") is not None


def test_a_released_job_does_not_count_as_lost(queue: Queue) -> None:
    queue.ask(work(), ANN, "here")
    for _ in range(TRIES + 2):
        row = queue.claim("w")
        assert row is not None
        assert queue.give_back(row)


def test_callers_with_the_least_worker_time_go_first(queue: Queue) -> None:
    queue.ask(work(1), ANN, "greedy")
    row = queue.claim("w")
    assert row is not None
    queue.beat(row, 1, 2, 100.0)
    queue.ask(work(2), ANN, "greedy")
    queue.ask(work(3), BOB, "modest")
    assert queue.others_wait(row)
    assert queue.before(queue.get("key2")) == 1
    assert queue.before(queue.get("key3")) == 0
    second = queue.claim("v")
    assert second is not None
    assert second.key == "key3"
    assert not queue.others_wait(row)
    queue.finish(row, {}, "", {})
    # The worker time of ended jobs still counts, so a new caller goes first again.
    queue.ask(work(4), "c" * 64, "new")
    third = queue.claim("v")
    assert third is not None
    assert third.key == "key4"


def test_waiting_jobs_are_limited(queue: Queue) -> None:
    for number in range(3):
        queue.ask(work(number), ANN, "here")
    with pytest.raises(TooMuch, match="3 of your works"):
        queue.ask(work(3), ANN, "here")
    queue.ask(work(0), ANN, "here")  # an existing job may always be requested
    for number in (3, 4):
        queue.ask(work(number), BOB, "there")
    with pytest.raises(TooMuch, match="too many works"):
        queue.ask(work(5), BOB, "elsewhere")


def test_requesters_of_one_job_are_limited(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queues, "ASKING", 2)
    for holder in (ANN, BOB, "c" * 64):
        assert queue.ask(work(), holder, "here").key == "key1"
    assert [queue.asked_by("key1", letter * 64) for letter in "abc"] == [True, True, False]


def test_a_waiting_job_stops_when_its_last_requester_leaves(queue: Queue) -> None:
    queue.ask(work(), ANN, "here")
    queue.ask(work(), BOB, "there")
    assert not queue.leave("key1", ANN)
    assert queue.get("key1").state == WAITING
    assert queue.leave("key1", BOB)
    assert queue.get("key1").state == STOPPED
    assert queue.claim("w") is None
    assert queue.ask(work(), BOB, "there").state == WAITING


def test_a_running_job_is_asked_to_stop_unless_a_new_requester_arrives(queue: Queue) -> None:
    queue.ask(work(), ANN, "here")
    row = queue.claim("w")
    assert row is not None
    assert queue.leave("key1", ANN)
    assert queue.beat(row, 3, 9, 1.0) == STOPPED
    # A new requester arrives: the job goes on.
    queue.ask(work(), BOB, "there")
    assert queue.beat(row, 4, 9, 1.0) == RUNNING
    assert queue.leave("key1", BOB)
    assert queue.stop(row)
    row = queue.get("key1")
    assert (row.state, row.done) == (STOPPED, 4)


def test_files_are_stored_in_chunks(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_files, "PART", 10)
    content = bytes(range(95))
    queue.ask(work(), ANN, "here", {"pbp.parquet": content})
    assert queue.brought("key1") == {"pbp.parquet": content}
    assert queue.files("key1") == []
    row = queue.claim("w")
    assert row is not None
    queue.finish(row, {}, "", {"2008.toml": "t" * 25})
    assert queue.brought("key1") == {}  # uploads are deleted
    assert queue.file("key1", "2008.toml") == b"t" * 25


def test_uploads_are_deleted_when_a_job_ends_and_stored_again_with_the_next_request(
    queue: Queue,
) -> None:
    uploads = {"pbp.csv": b"plays"}
    queue.ask(work(), ANN, "here", uploads)
    first_claim = queue.claim("w")
    assert first_claim is not None
    row = queue.claim("x", time.time() + 2 * LEASE)  # the lease of the first worker has expired
    assert row is not None
    assert not queue.fail(first_claim, "it cannot be read")
    assert queue.brought("key1") == uploads
    assert queue.fail(row, "it cannot be read")
    assert queue.brought("key1") == {}
    queue.ask(work(), ANN, "here", uploads)
    assert queue.brought("key1") == uploads
    assert queue.leave("key1", ANN)  # requesting and stopping must not fill the disk
    assert queue.brought("key1") == {}
    queue.ask(work(), ANN, "here")  # without the file, which a later request adds in time
    queue.ask(work(), BOB, "there", uploads)
    queue.ask(work(), ANN, "here", uploads)
    row = queue.claim("w")
    assert row is not None
    assert queue.finish(
        row, {}, "", {"pbp.csv": "made of it"}
    )  # a result with the name of an upload
    assert queue.brought("key1") == {}
    assert queue.file("key1", "pbp.csv") == b"made of it"


def test_least_recently_viewed_results_are_evicted_first(queue: Queue) -> None:
    for number in range(4):
        queue.ask(work(number), ANN, f"here{number}")
        row = queue.claim("w")
        assert row is not None
        queue.finish(row, {}, "", {"a": "b"})
    with queue.engine.begin() as connection:
        for number, looked in enumerate((40.0, 10.0, 30.0, 20.0)):
            connection.execute(
                update(WORKS).where(WORKS.c.key == f"key{number}").values(looked=looked)
            )
    assert queue.look("key1").key == "key1"  # viewed just now
    assert queue.sweep() == 2
    assert queue.find("key2") is None
    assert queue.find("key3") is None
    assert queue.files("key3") == []
    assert [one.key for one in queue.yours(ANN)] == ["key1", "key0"]


def test_jobs_expire_at_their_date(queue: Queue) -> None:
    row = queue.ask(work(), ANN, "here", until=time.time() + 1000)
    claimed = queue.claim("w")
    assert claimed is not None
    queue.finish(claimed, {}, "", {})
    assert queue.sweep(time.time() + 500) == 0
    assert queue.sweep(time.time() + 2000) == 1
    assert queue.find(row.key) is None
    with pytest.raises(NoSuchWork):  # an expired job is gone, swept or not
        queue.ask(work(2), ANN, "here", until=time.time() - 1)
    queue.keep("key2")
    assert queue.get("key2").until is None


def test_a_repeated_request_extends_the_expiry_date(queue: Queue) -> None:
    now = time.time()
    queue.ask(work(), ANN, "here", until=now + 100)
    assert queue.ask(work(), BOB, "there", until=now + 900).until == now + 900
    assert queue.ask(work(), BOB, "there", until=now + 500).until == now + 900
    row = queue.claim("w")
    assert row is not None
    queue.finish(row, {}, "", {})
    with queue.engine.begin() as connection:
        connection.execute(update(WORKS).values(until=now - 1))
    renewed = queue.ask(
        work(), ANN, "here", until=now + 100
    )  # the expired one is gone, swept or not
    assert (renewed.state, renewed.until) == (WAITING, now + 100)


def test_waiting_jobs_past_their_date_are_swept(queue: Queue) -> None:
    for number in (1, 2):
        queue.ask(work(number), ANN, "here", until=time.time() + 1000)
    with queue.engine.begin() as connection:
        connection.execute(update(WORKS).values(until=time.time() - 1))
    assert queue.claim("w") is not None  # an expired job may still be run
    assert queue.sweep() == 1


def test_orphaned_files_are_deleted_by_the_second_sweep(queue: Queue) -> None:
    queue.bring("nobody", {"a": b"b"})
    queue.sweep()
    assert queue.brought("nobody")  # its job may be about to be inserted
    queue.sweep()
    assert not queue.brought("nobody")


def test_only_workers_of_the_same_program_version_claim_a_job(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue.ask(work(), ANN, "here")
    monkeypatch.setattr(queues, "fingerprint", lambda: "another")
    assert queue.claim("w") is None
    queue.sweep(time.time() + queues.ABANDONED - 60)
    assert queue.get("key1").state == WAITING
    queue.sweep(time.time() + queues.ABANDONED + 60)
    assert queue.get("key1").state == FAILED
    assert "program has changed" in queue.get("key1").said


def test_private_job_types_are_not_listed(queue: Queue) -> None:
    queue.ask(replace(work(), kind="charts"), ANN, "here")
    row = queue.claim("w")
    assert row is not None
    queue.finish(row, {}, "", {})
    assert queue.recent() == []
    assert [one.key for one in queue.yours(ANN)] == ["key1"]


@pytest.mark.parametrize(
    ("kind", "settings", "is_listed"),
    [
        ("season", {"season": 2008, "plan": "bold"}, True),
        ("season", {"season": 2008, "charts": "0" * 64}, False),
        ("whatif", {"season": 2008, "team": "ARI", "play": ["trap=+5%"]}, True),
        ("whatif", {"season": 2008, "team": "ARI", "plan": "name = 'mine'"}, False),
    ],
)
def test_jobs_with_private_settings_are_not_listed(
    queue: Queue, kind: str, settings: dict[str, Any], is_listed: bool
) -> None:
    queue.ask(Work(kind, settings, "key"), ANN, "here")
    row = queue.claim("w")
    assert row is not None
    queue.finish(row, {}, "", {})
    assert [one.key for one in queue.recent()] == (["key"] if is_listed else [])
