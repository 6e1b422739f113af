"""Job queue: shared jobs, leases, fairness, stopping and expiry."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import update

from hashmark.web.db.schema import WORKS
from hashmark.web.jobs import job_files
from hashmark.web.jobs import queue as queues
from hashmark.web.jobs.job import Job
from hashmark.web.jobs.job_files import JobNotFound
from hashmark.web.jobs.queue import (
    DONE,
    FAILED,
    LEASE_SECONDS,
    MAX_ATTEMPTS,
    RUNNING,
    STOPPED,
    WAITING,
    JobQueue,
)
from hashmark.web.rate_limits import LimitExceeded, Limits
from hashmark.web.tables.table_store import TableStore
from web.manual_clock import ManualClock

ANN, BOB = "a" * 64, "b" * 64


def work(number: int = 1) -> Job:
    """Return a job; the queue does not look into its settings."""
    return Job("season", {"season": 2008, "runs": number, "seed": 0}, f"key{number}")


@pytest.fixture
def store(database: str) -> Iterator[TableStore]:
    opened = TableStore(database)
    yield opened
    opened.close()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def queue(store: TableStore, clock: ManualClock) -> JobQueue:
    return JobQueue(store, clock, Limits(works=5, works_each=3, works_kept=2))


def test_the_same_request_is_one_job(queue: JobQueue) -> None:
    first = queue.submit(work(), ANN, "here")
    second = queue.submit(work(), BOB, "there")
    assert first.key == second.key
    assert second.caller == "here"
    assert queue.is_requester("key1", ANN)
    assert queue.is_requester("key1", BOB)
    assert [one.key for one in queue.list_requested_by(BOB)] == ["key1"]
    assert queue.claim("w") is not None
    assert queue.claim("w") is None


def test_two_workers_never_claim_the_same_job(store: TableStore, queue: JobQueue) -> None:
    wide = JobQueue(store, queue.clock, Limits(works=50, works_each=50))
    for number in range(12):
        wide.submit(work(number), ANN, "here")
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


def test_progress_checkpoint_and_result_are_stored(queue: JobQueue) -> None:
    queue.submit(work(), ANN, "here")
    row = queue.claim("w")
    assert row is not None
    assert row.state == RUNNING
    assert queue.heartbeat(row, 10, 200, 1.5, checkpoint="half") == RUNNING
    now = queue.get("key1")
    assert (now.done, now.total, now.seconds) == (10, 200, 1.5)
    assert queue.checkpoint("key1") == "half"
    assert queue.finish(row, {"wins": 3}, "<p>page</p>", {"a.toml": "x"})
    assert queue.get("key1").state == DONE
    assert queue.result("key1") == ({"wins": 3}, "<p>page</p>")
    assert queue.list_results("key1") == ["a.toml"]
    assert queue.read_file("key1", "a.toml") == b"x"
    assert queue.checkpoint("key1") == ""
    assert [one.key for one in queue.list_recent()] == ["key1"]
    with pytest.raises(JobNotFound, match="no such file"):
        queue.read_file("key1", "b.toml")


def test_an_expired_lease_can_be_claimed(queue: JobQueue, clock: ManualClock) -> None:
    queue.submit(work(), ANN, "here")
    row = queue.claim("dead")
    assert row is not None
    queue.heartbeat(row, 5, 9, 1.0, checkpoint="so far")
    assert queue.claim("other") is None
    clock.advance(LEASE_SECONDS - 1)
    assert queue.claim("other") is None
    clock.advance(1)
    claimed = queue.claim("other")
    assert claimed is not None
    assert claimed.worker == "other"
    assert claimed.tries == 2
    assert queue.checkpoint("key1") == "so far"
    # The first worker comes back to life: its reports are rejected.
    assert queue.heartbeat(row, 9, 9, 1.0) == FAILED
    assert not queue.finish(row, {}, "", {})
    assert queue.get("key1").state == RUNNING


@pytest.mark.parametrize("jump", [3600.0, -3600.0])
def test_a_jump_of_the_wall_clock_does_not_expire_a_lease(
    queue: JobQueue, clock: ManualClock, jump: float
) -> None:
    queue.submit(work(), ANN, "here")
    row = queue.claim("w")
    assert row is not None
    for _ in range(4):
        clock.jump(jump)
        clock.advance(LEASE_SECONDS - 1)
        assert queue.claim("other") is None
        assert queue.get("key1").state == RUNNING
        assert queue.heartbeat(row, 1, 9, 1.0) == RUNNING
    assert queue.claim("other") is None
    clock.advance(LEASE_SECONDS)  # from here on the worker is suspended
    other = queue.claim("other")
    assert other is not None
    clock.jump(-jump)
    assert queue.heartbeat(row, 2, 9, 1.0) == FAILED  # it wakes up: one of them works
    assert queue.heartbeat(other, 2, 9, 1.0) == RUNNING
    assert queue.claim("third") is None


@pytest.mark.parametrize("hours", [5.0, -5.0])
def test_servers_with_clocks_hours_apart_share_jobs(
    store: TableStore, queue: JobQueue, clock: ManualClock, hours: float
) -> None:
    there = ManualClock(clock.wall() + hours * 3600)
    elsewhere = JobQueue(store, there)
    queue.submit(work(), ANN, "here")
    row = queue.claim("w")
    assert row is not None
    for _ in range(4):
        assert elsewhere.claim("other") is None
        assert elsewhere.get("key1").state == RUNNING
        clock.advance(1.0)
        assert queue.heartbeat(row, 1, 9, 1.0) == RUNNING
        there.advance(2 * LEASE_SECONDS)  # the renewal was before its next look
    assert elsewhere.claim("other") is None
    there.advance(LEASE_SECONDS)
    other = elsewhere.claim("other")
    assert other is not None
    assert queue.heartbeat(row, 2, 9, 1.0) == FAILED
    assert elsewhere.finish(other, {}, "", {})
    assert queue.get("key1").state == DONE


def test_leases_of_older_programs_are_observed_too(queue: JobQueue, clock: ManualClock) -> None:
    """They were the wall-clock time of their expiry."""
    queue.submit(work(), ANN, "here")
    assert queue.claim("w") is not None
    with queue.engine.begin() as connection:
        connection.execute(update(WORKS).values(lease=clock.wall() - 1.25))
    assert queue.claim("other") is None
    clock.advance(LEASE_SECONDS)
    assert queue.claim("other") is not None


def expire_leases(queue: JobQueue, clock: ManualClock) -> None:
    """Let the leases of all running jobs expire."""
    assert queue.claim("other") is None  # from now on they are observed
    clock.advance(LEASE_SECONDS)


def test_a_job_whose_worker_died_waits_and_can_be_stopped(
    queue: JobQueue, clock: ManualClock
) -> None:
    """It counts as waiting, and stopping takes effect at once."""
    for number in (1, 2):
        queue.submit(work(number), ANN, "here")
        assert queue.claim("dead") is not None
    expire_leases(queue, clock)
    assert queue.get("key1").state == WAITING
    assert queue.jobs_ahead(queue.get("key2")) == 1
    assert queue.withdraw("key1", ANN)
    assert queue.get("key1").state == STOPPED
    assert queue.claim("other") == queue.get("key2")


def test_a_job_of_another_program_version_fails_even_if_its_worker_died(
    queue: JobQueue, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue.submit(work(), ANN, "here")
    assert queue.claim("dead") is not None
    expire_leases(queue, clock)
    monkeypatch.setattr(queues, "fingerprint", lambda: "another")
    clock.advance(queues.OTHER_VERSION_SECONDS + 1)
    queue.sweep()
    assert "Hashmark was updated" in queue.get("key1").said


def test_a_job_fails_after_losing_too_many_workers(queue: JobQueue) -> None:
    queue.submit(work(), ANN, "here")
    for _ in range(MAX_ATTEMPTS):
        row = queue.claim("w")
        assert row is not None
        assert queue.requeue_lost(row)
    assert queue.claim("w") is None
    row = queue.get("key1")
    assert row.state == FAILED
    assert "crashed three times" in row.said
    assert queue.submit(work(), ANN, "here").state == WAITING
    assert queue.claim("w") is not None


def test_a_released_job_does_not_count_as_lost(queue: JobQueue) -> None:
    queue.submit(work(), ANN, "here")
    for _ in range(MAX_ATTEMPTS + 2):
        row = queue.claim("w")
        assert row is not None
        assert queue.release(row)


def test_callers_with_the_least_worker_time_go_first(queue: JobQueue) -> None:
    queue.submit(work(1), ANN, "greedy")
    row = queue.claim("w")
    assert row is not None
    queue.heartbeat(row, 1, 2, 100.0)
    queue.submit(work(2), ANN, "greedy")
    queue.submit(work(3), BOB, "modest")
    assert queue.should_yield(row)
    assert queue.jobs_ahead(queue.get("key2")) == 1
    assert queue.jobs_ahead(queue.get("key3")) == 0
    second = queue.claim("v")
    assert second is not None
    assert second.key == "key3"
    assert not queue.should_yield(row)
    queue.finish(row, {}, "", {})
    # The worker time of ended jobs still counts, so a new caller goes first again.
    queue.submit(work(4), "c" * 64, "new")
    third = queue.claim("v")
    assert third is not None
    assert third.key == "key4"


def test_waiting_jobs_are_limited(queue: JobQueue) -> None:
    for number in range(3):
        queue.submit(work(number), ANN, "here")
    with pytest.raises(LimitExceeded, match="3 of your jobs"):
        queue.submit(work(3), ANN, "here")
    queue.submit(work(0), ANN, "here")  # an existing job may always be requested
    for number in (3, 4):
        queue.submit(work(number), BOB, "there")
    with pytest.raises(LimitExceeded, match="too many jobs"):
        queue.submit(work(5), BOB, "elsewhere")


def test_requesters_of_one_job_are_limited(
    queue: JobQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queues, "MAX_REQUESTERS", 2)
    for holder in (ANN, BOB, "c" * 64):
        assert queue.submit(work(), holder, "here").key == "key1"
    assert [queue.is_requester("key1", letter * 64) for letter in "abc"] == [True, True, False]


def test_a_waiting_job_stops_when_its_last_requester_leaves(queue: JobQueue) -> None:
    queue.submit(work(), ANN, "here")
    queue.submit(work(), BOB, "there")
    assert not queue.withdraw("key1", ANN)
    assert queue.get("key1").state == WAITING
    assert queue.withdraw("key1", BOB)
    assert queue.get("key1").state == STOPPED
    assert queue.claim("w") is None
    assert queue.submit(work(), BOB, "there").state == WAITING


def test_a_running_job_is_asked_to_stop_unless_a_new_requester_arrives(queue: JobQueue) -> None:
    queue.submit(work(), ANN, "here")
    row = queue.claim("w")
    assert row is not None
    assert queue.withdraw("key1", ANN)
    assert queue.heartbeat(row, 3, 9, 1.0) == STOPPED
    # A new requester arrives: the job goes on.
    queue.submit(work(), BOB, "there")
    assert queue.heartbeat(row, 4, 9, 1.0) == RUNNING
    assert queue.withdraw("key1", BOB)
    assert queue.mark_stopped(row)
    row = queue.get("key1")
    assert (row.state, row.done) == (STOPPED, 4)


def test_files_are_stored_in_chunks(queue: JobQueue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_files, "CHUNK_BYTES", 10)
    content = bytes(range(95))
    queue.submit(work(), ANN, "here", {"pbp.parquet": content})
    assert queue.read_uploads("key1") == {"pbp.parquet": content}
    assert queue.list_results("key1") == []
    row = queue.claim("w")
    assert row is not None
    queue.finish(row, {}, "", {"2008.toml": "t" * 25})
    assert queue.read_uploads("key1") == {}  # uploads are deleted
    assert queue.read_file("key1", "2008.toml") == b"t" * 25


def test_uploads_are_deleted_when_a_job_ends_and_stored_again_with_the_next_request(
    queue: JobQueue, clock: ManualClock
) -> None:
    uploads = {"pbp.csv": b"plays"}
    queue.submit(work(), ANN, "here", uploads)
    first_claim = queue.claim("w")
    assert first_claim is not None
    clock.advance(2 * LEASE_SECONDS)  # the lease of the first worker expires
    row = queue.claim("x")
    assert row is not None
    assert not queue.fail(first_claim, "it cannot be read")
    assert queue.read_uploads("key1") == uploads
    assert queue.fail(row, "it cannot be read")
    assert queue.read_uploads("key1") == {}
    queue.submit(work(), ANN, "here", uploads)
    assert queue.read_uploads("key1") == uploads
    assert queue.withdraw("key1", ANN)  # requesting and stopping must not fill the disk
    assert queue.read_uploads("key1") == {}
    queue.submit(work(), ANN, "here")  # without the file, which a later request adds in time
    queue.submit(work(), BOB, "there", uploads)
    queue.submit(work(), ANN, "here", uploads)
    row = queue.claim("w")
    assert row is not None
    assert queue.finish(
        row, {}, "", {"pbp.csv": "made of it"}
    )  # a result with the name of an upload
    assert queue.read_uploads("key1") == {}
    assert queue.read_file("key1", "pbp.csv") == b"made of it"


def test_least_recently_viewed_results_are_evicted_first(
    queue: JobQueue, clock: ManualClock
) -> None:
    for number in range(4):
        clock.advance(1)
        queue.submit(work(number), ANN, f"here{number}")
        row = queue.claim("w")
        assert row is not None
        queue.finish(row, {}, "", {"a": "b"})
    with queue.engine.begin() as connection:
        for number, looked in enumerate((40.0, 10.0, 30.0, 20.0)):
            connection.execute(
                update(WORKS).where(WORKS.c.key == f"key{number}").values(looked=looked)
            )
    assert queue.view("key1").key == "key1"  # viewed just now
    assert queue.sweep() == 2
    assert queue.find("key2") is None
    assert queue.find("key3") is None
    assert queue.list_results("key3") == []
    assert [one.key for one in queue.list_requested_by(ANN)] == ["key1", "key0"]


def test_jobs_expire_at_their_date(queue: JobQueue, clock: ManualClock) -> None:
    row = queue.submit(work(), ANN, "here", expires_at=clock.wall() + 1000)
    claimed = queue.claim("w")
    assert claimed is not None
    queue.finish(claimed, {}, "", {})
    clock.advance(500)
    assert queue.sweep() == 0
    clock.advance(1500)
    assert queue.sweep() == 1
    assert queue.find(row.key) is None
    queue.sweep_if_due()  # not again with the next request
    with pytest.raises(JobNotFound):  # an expired job is gone, swept or not
        queue.submit(work(2), ANN, "here", expires_at=clock.wall() - 1)
    queue.clear_expiry("key2")
    assert queue.get("key2").until is None


def test_a_repeated_request_extends_the_expiry_date(queue: JobQueue, clock: ManualClock) -> None:
    now = clock.wall()
    queue.submit(work(), ANN, "here", expires_at=now + 100)
    assert queue.submit(work(), BOB, "there", expires_at=now + 900).until == now + 900
    assert queue.submit(work(), BOB, "there", expires_at=now + 500).until == now + 900
    row = queue.claim("w")
    assert row is not None
    queue.finish(row, {}, "", {})
    with queue.engine.begin() as connection:
        connection.execute(update(WORKS).values(until=now - 1))
    renewed = queue.submit(
        work(), ANN, "here", expires_at=now + 100
    )  # the expired one is gone, swept or not
    assert (renewed.state, renewed.until) == (WAITING, now + 100)


def test_waiting_jobs_past_their_date_are_swept(queue: JobQueue, clock: ManualClock) -> None:
    for number in (1, 2):
        queue.submit(work(number), ANN, "here", expires_at=clock.wall() + 1000)
    clock.advance(1001)
    assert queue.claim("w") is not None  # an expired job may still be run
    assert queue.sweep() == 1


def test_orphaned_files_are_deleted_by_the_second_sweep(queue: JobQueue) -> None:
    queue.store_uploads("nobody", {"a": b"b"})
    queue.sweep()
    assert queue.read_uploads("nobody")  # its job may be about to be inserted
    queue.sweep()
    assert not queue.read_uploads("nobody")


def test_only_workers_of_the_same_program_version_claim_a_job(
    queue: JobQueue, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue.submit(work(), ANN, "here")
    monkeypatch.setattr(queues, "fingerprint", lambda: "another")
    assert queue.claim("w") is None
    clock.advance(queues.OTHER_VERSION_SECONDS - 60)
    queue.sweep()
    assert queue.get("key1").state == WAITING
    clock.advance(120)
    queue.sweep()
    assert queue.get("key1").state == FAILED
    assert "Hashmark was updated" in queue.get("key1").said


def test_private_job_types_are_not_listed(queue: JobQueue) -> None:
    queue.submit(replace(work(), kind="charts"), ANN, "here")
    row = queue.claim("w")
    assert row is not None
    queue.finish(row, {}, "", {})
    assert queue.list_recent() == []
    assert [one.key for one in queue.list_requested_by(ANN)] == ["key1"]


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
    queue: JobQueue, kind: str, settings: dict[str, Any], is_listed: bool
) -> None:
    queue.submit(Job(kind, settings, "key"), ANN, "here")
    row = queue.claim("w")
    assert row is not None
    queue.finish(row, {}, "", {})
    assert [one.key for one in queue.list_recent()] == (["key"] if is_listed else [])
