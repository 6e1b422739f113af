"""The queue of long work: one work for one question, leases, turns, stopping, letting go."""

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
    """A question like any other; the queue does not look into it."""
    return Work("season", {"season": 2008, "runs": number, "seed": 0}, f"key{number}")


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    made = Store(database)
    yield made
    made.close()


@pytest.fixture
def queue(store: Store) -> Queue:
    return Queue(store, Limits(works=5, works_each=3, works_kept=2))


def test_the_same_question_is_one_work(queue: Queue) -> None:
    first = queue.ask(work(), ANN, "here")
    second = queue.ask(work(), BOB, "there")
    assert first.key == second.key
    assert second.caller == "here"
    assert queue.asked_by("key1", ANN)
    assert queue.asked_by("key1", BOB)
    assert [one.key for one in queue.yours(BOB)] == ["key1"]
    assert queue.claim("w") is not None
    assert queue.claim("w") is None


def test_two_workers_never_get_the_same(store: Store, queue: Queue) -> None:
    wide = Queue(store, Limits(works=50, works_each=50))
    for number in range(12):
        wide.ask(work(number), ANN, "here")
    got: list[str] = []

    def take(name: str) -> None:
        while (row := wide.claim(name)) is not None:
            got.append(row.key)

    threads = [threading.Thread(target=take, args=(f"w{at}",)) for at in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    while (row := wide.claim("late")) is not None:  # whoever lost every race had given up
        got.append(row.key)
    assert sorted(got) == sorted(f"key{number}" for number in range(12))


def test_how_far_it_is_and_what_came_of_it(queue: Queue) -> None:
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


def test_a_lease_that_has_run_out_is_anybodys(queue: Queue) -> None:
    queue.ask(work(), ANN, "here")
    row = queue.claim("dead")
    assert row is not None
    queue.beat(row, 5, 9, 1.0, kept="so far")
    assert queue.claim("other") is None
    taken = queue.claim("other", time.time() + LEASE + 1)
    assert taken is not None
    assert taken.worker == "other"
    assert taken.tries == 2
    assert queue.kept("key1") == "so far"
    # The first one comes back to life: nothing of what it says counts.
    assert queue.beat(row, 9, 9, 1.0) == FAILED
    assert not queue.finish(row, {}, "", {})
    assert queue.get("key1").state == RUNNING


def died(queue: Queue) -> None:
    """Whoever works here has been silent for too long."""
    with queue.engine.begin() as connection:
        connection.execute(update(WORKS).values(lease=time.time() - 1))


def test_a_work_whose_worker_is_gone_waits_and_can_be_stopped(queue: Queue) -> None:
    """It is not said to be worked on, and stopping it waits for nobody."""
    for number in (1, 2):
        queue.ask(work(number), ANN, "here")
        assert queue.claim("dead") is not None
    died(queue)
    assert queue.get("key1").state == WAITING
    assert queue.before(queue.get("key2")) == 1
    assert queue.leave("key1", ANN)
    assert queue.get("key1").state == STOPPED
    assert queue.claim("other") == queue.get("key2")


def test_a_work_of_another_program_is_given_up_also_if_its_worker_died(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue.ask(work(), ANN, "here")
    assert queue.claim("dead") is not None
    died(queue)
    monkeypatch.setattr(queues, "fingerprint", lambda: "another")
    queue.sweep(time.time() + queues.ABANDONED + 1)
    assert "program has changed" in queue.get("key1").said


def test_a_work_that_loses_its_workers_is_given_up(queue: Queue) -> None:
    queue.ask(work(), ANN, "here")
    for _ in range(TRIES):
        row = queue.claim("w")
        assert row is not None
        assert queue.lose(row)
    assert queue.claim("w") is None
    found = queue.get("key1")
    assert found.state == FAILED
    assert "lost" in found.said
    assert queue.ask(work(), ANN, "here").state == WAITING
    assert queue.claim("w") is not None


def test_given_back_it_is_not_lost(queue: Queue) -> None:
    queue.ask(work(), ANN, "here")
    for _ in range(TRIES + 2):
        row = queue.claim("w")
        assert row is not None
        assert queue.give_back(row)


def test_who_has_had_the_least_goes_first(queue: Queue) -> None:
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
    # Done or not, what it took is remembered, so the next of somebody new goes first again.
    queue.ask(work(4), "c" * 64, "new")
    third = queue.claim("v")
    assert third is not None
    assert third.key == "key4"


def test_bounds_on_what_waits(queue: Queue) -> None:
    for number in range(3):
        queue.ask(work(number), ANN, "here")
    with pytest.raises(TooMuch, match="3 of your works"):
        queue.ask(work(3), ANN, "here")
    queue.ask(work(0), ANN, "here")  # what is there already may always be asked for
    for number in (3, 4):
        queue.ask(work(number), BOB, "there")
    with pytest.raises(TooMuch, match="too many works"):
        queue.ask(work(5), BOB, "elsewhere")


def test_bounds_on_who_asks_for_one(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queues, "ASKING", 2)
    for holder in (ANN, BOB, "c" * 64):
        assert queue.ask(work(), holder, "here").key == "key1"
    assert [queue.asked_by("key1", one * 64) for one in "abc"] == [True, True, False]


def test_stopping_before_it_begins(queue: Queue) -> None:
    queue.ask(work(), ANN, "here")
    queue.ask(work(), BOB, "there")
    assert not queue.leave("key1", ANN)
    assert queue.get("key1").state == WAITING
    assert queue.leave("key1", BOB)
    assert queue.get("key1").state == STOPPED
    assert queue.claim("w") is None
    assert queue.ask(work(), BOB, "there").state == WAITING


def test_stopping_while_it_goes_on(queue: Queue) -> None:
    queue.ask(work(), ANN, "here")
    row = queue.claim("w")
    assert row is not None
    assert queue.leave("key1", ANN)
    assert queue.beat(row, 3, 9, 1.0) == STOPPED
    # Somebody wants it after all: it goes on.
    queue.ask(work(), BOB, "there")
    assert queue.beat(row, 4, 9, 1.0) == RUNNING
    assert queue.leave("key1", BOB)
    assert queue.stop(row)
    found = queue.get("key1")
    assert (found.state, found.done) == (STOPPED, 4)


def test_files_in_parts(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_files, "PART", 10)
    content = bytes(range(95))
    queue.ask(work(), ANN, "here", {"pbp.parquet": content})
    assert queue.brought("key1") == {"pbp.parquet": content}
    assert queue.files("key1") == []
    row = queue.claim("w")
    assert row is not None
    queue.finish(row, {}, "", {"2008.toml": "t" * 25})
    assert queue.brought("key1") == {}  # nothing of it is kept
    assert queue.file("key1", "2008.toml") == b"t" * 25


def test_what_was_brought_goes_however_a_work_ends_and_comes_with_the_next_question(
    queue: Queue,
) -> None:
    brought = {"pbp.csv": b"plays"}
    queue.ask(work(), ANN, "here", brought)
    late = queue.claim("w")
    assert late is not None
    row = queue.claim("x", time.time() + 2 * LEASE)  # whose lease has run out is not asked
    assert row is not None
    assert not queue.fail(late, "it cannot be read")
    assert queue.brought("key1") == brought
    assert queue.fail(row, "it cannot be read")
    assert queue.brought("key1") == {}
    queue.ask(work(), ANN, "here", brought)
    assert queue.brought("key1") == brought
    assert queue.leave("key1", ANN)  # nobody fills the disk by asking and stopping
    assert queue.brought("key1") == {}
    queue.ask(work(), ANN, "here")  # without it: who brings it later brings it in time
    queue.ask(work(), BOB, "there", brought)
    queue.ask(work(), ANN, "here", brought)
    row = queue.claim("w")
    assert row is not None
    assert queue.finish(row, {}, "", {"pbp.csv": "made of it"})  # of the same name
    assert queue.brought("key1") == {}
    assert queue.file("key1", "pbp.csv") == b"made of it"


def test_what_nobody_looked_at_the_longest_goes_first(queue: Queue) -> None:
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
    assert queue.look("key1").key == "key1"  # looked at just now
    assert queue.sweep() == 2
    assert queue.find("key2") is None
    assert queue.find("key3") is None
    assert queue.files("key3") == []
    assert [one.key for one in queue.yours(ANN)] == ["key1", "key0"]


def test_what_has_a_date_goes_by_it(queue: Queue) -> None:
    row = queue.ask(work(), ANN, "here", until=time.time() + 1000)
    taken = queue.claim("w")
    assert taken is not None
    queue.finish(taken, {}, "", {})
    assert queue.sweep(time.time() + 500) == 0
    assert queue.sweep(time.time() + 2000) == 1
    assert queue.find(row.key) is None
    with pytest.raises(NoSuchWork):  # whose time is over is gone, swept or not
        queue.ask(work(2), ANN, "here", until=time.time() - 1)
    queue.keep("key2")
    assert queue.get("key2").until is None


def test_what_is_asked_again_has_the_later_date(queue: Queue) -> None:
    now = time.time()
    queue.ask(work(), ANN, "here", until=now + 100)
    assert queue.ask(work(), BOB, "there", until=now + 900).until == now + 900
    assert queue.ask(work(), BOB, "there", until=now + 500).until == now + 900
    row = queue.claim("w")
    assert row is not None
    queue.finish(row, {}, "", {})
    with queue.engine.begin() as connection:
        connection.execute(update(WORKS).values(until=now - 1))
    found = queue.ask(work(), ANN, "here", until=now + 100)  # it is gone, swept or not
    assert (found.state, found.until) == (WAITING, now + 100)


def test_what_waits_beyond_its_date_harms_nobody(queue: Queue) -> None:
    for number in (1, 2):
        queue.ask(work(number), ANN, "here", until=time.time() + 1000)
    with queue.engine.begin() as connection:
        connection.execute(update(WORKS).values(until=time.time() - 1))
    assert queue.claim("w") is not None  # nobody looks at it, but whoever has it may end it
    assert queue.sweep() == 1


def test_files_without_a_work_go(queue: Queue) -> None:
    queue.bring("nobody", {"a": b"b"})
    queue.sweep()
    assert queue.brought("nobody")  # it may be on its way
    queue.sweep()
    assert not queue.brought("nobody")


def test_only_the_same_program_takes_it_up(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    queue.ask(work(), ANN, "here")
    monkeypatch.setattr(queues, "fingerprint", lambda: "another")
    assert queue.claim("w") is None
    queue.sweep(time.time() + queues.ABANDONED - 60)
    assert queue.get("key1").state == WAITING
    queue.sweep(time.time() + queues.ABANDONED + 60)
    assert queue.get("key1").state == FAILED
    assert "program has changed" in queue.get("key1").said


def test_a_private_kind_is_not_listed(queue: Queue) -> None:
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
def test_what_is_made_of_something_of_ones_own_is_not_listed(
    queue: Queue, kind: str, settings: dict[str, Any], is_listed: bool
) -> None:
    queue.ask(Work(kind, settings, "key"), ANN, "here")
    row = queue.claim("w")
    assert row is not None
    queue.finish(row, {}, "", {})
    assert [one.key for one in queue.recent()] == (["key"] if is_listed else [])
