"""Jobs on the threads of this machine, for games, seasons and what-ifs, and Ctrl-C handling.

`cluster.run_jobs` does the same on many machines.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

from hashmark.errors import HashmarkError
from hashmark.sanitize import quote

MAX_THREADS = 256

Job = TypeVar("Job")
Done = TypeVar("Done")
Interrupted = Callable[[], bool]


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_threads(threads: int | None) -> int:
    """Return the number of threads to use: all cores by default."""
    workers = available_cores() if threads is None else threads
    if not 1 <= workers <= MAX_THREADS:
        raise HashmarkError(f"threads: {quote(workers)} is not between 1 and {MAX_THREADS}")
    return workers


def run_jobs(
    work: Callable[[Job], Done],
    jobs: Iterable[Job],
    workers: int,
    interrupted: Interrupted,
) -> Iterator[tuple[Job, Done]]:
    """Run the jobs on threads and yield each result, in order.

    Jobs are taken from the iterable as threads become free. On an interruption, running jobs
    finish; the completed jobs are always the first ones.
    """
    pending: deque[tuple[Job, Future[Done]]] = deque()
    pool = ThreadPoolExecutor(workers)
    remaining = iter(jobs)
    try:
        while True:
            while len(pending) < 2 * workers and not interrupted():
                job = next(remaining, None)
                if job is None:
                    break
                pending.append((job, pool.submit(work, job)))
            if not pending:
                return
            job, future = pending.popleft()
            yield job, wait_for(future)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def wait_for(future: Future[Any]) -> Any:
    """Wait for a future in short intervals, so that interruptions arrive on every platform."""
    while True:
        try:
            return future.result(timeout=0.1)
        except TimeoutError:
            continue


@contextmanager
def catch_interrupts(also: Interrupted | None = None) -> Iterator[Interrupted]:
    """Yield a function that tells whether the user has pressed Ctrl-C.

    A second Ctrl-C raises KeyboardInterrupt as usual. `also` is an additional reason to end early.
    """
    pressed = threading.Event()

    def is_interrupted() -> bool:
        return pressed.is_set() or (also is not None and also())

    if threading.current_thread() is not threading.main_thread():
        yield is_interrupted
        return

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        pressed.set()
        signal.signal(signal.SIGINT, previous_handler)

    previous_handler = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield is_interrupted
    finally:
        signal.signal(signal.SIGINT, previous_handler)
