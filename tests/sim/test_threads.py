"""Jobs on threads: in order, and stopped by an interruption."""

from __future__ import annotations

import signal
import threading

import pytest

from hashmark.errors import HashmarkError
from hashmark.sim.threads import (
    MAX_THREADS,
    available_cores,
    catch_interrupts,
    check_threads,
    run_jobs,
)


@pytest.mark.parametrize("workers", [1, 3])
def test_results_come_in_the_order_of_the_jobs(workers: int) -> None:
    results = run_jobs(lambda job: job * job, range(1, 20), workers, lambda: False)
    assert list(results) == [(job, job * job) for job in range(1, 20)]


def test_an_interruption_leaves_the_first_jobs_done() -> None:
    done: list[int] = []
    jobs = run_jobs(lambda job: job, range(1, 100), 2, lambda: len(done) >= 5)
    done.extend(job for job, _ in jobs)  # extend reads the list while it grows
    assert done == list(range(1, len(done) + 1))


def test_the_number_of_threads_is_limited() -> None:
    assert check_threads(None) == available_cores()
    for threads in (0, MAX_THREADS + 1):
        with pytest.raises(HashmarkError, match="threads"):
            check_threads(threads)


def test_the_first_interrupt_is_noted_and_the_second_raised() -> None:
    before = signal.getsignal(signal.SIGINT)
    with catch_interrupts() as interrupted:
        assert not interrupted()
        signal.raise_signal(signal.SIGINT)
        assert interrupted()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_other_threads_have_only_the_additional_reason() -> None:
    answers: list[bool] = []

    def ask() -> None:
        with catch_interrupts(lambda: True) as interrupted:
            answers.append(interrupted())

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    assert answers == [True]
