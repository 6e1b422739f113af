"""Work on the threads of this machine, for games, seasons and what-ifs alike, and Ctrl-C meanwhile.

`cluster.spread` does the same on many machines.
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

from hashmark.table.errors import HashmarkError
from hashmark.table.readable import shown

MOST_THREADS = 256

Job = TypeVar("Job")
Done = TypeVar("Done")
Interrupted = Callable[[], bool]


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_threads(threads: int | None) -> int:
    """How many threads to use: all cores if the user does not say."""
    workers = cores() if threads is None else threads
    if not 1 <= workers <= MOST_THREADS:
        raise HashmarkError(f"threads: {shown(workers)} is not between 1 and {MOST_THREADS}")
    return workers


def spread(
    work: Callable[[Job], Done],
    jobs: Iterable[Job],
    workers: int,
    interrupted: Interrupted,
) -> Iterator[tuple[Job, Done]]:
    """Do the jobs on threads and hand back what each made, in order.

    The next job is asked for when there is room for it. When the user interrupts, what was begun
    is finished: what was done are the first jobs.
    """
    waiting: deque[tuple[Job, Future[Done]]] = deque()
    pool = ThreadPoolExecutor(workers)
    left = iter(jobs)
    try:
        while True:
            while len(waiting) < 2 * workers and not interrupted():
                job = next(left, None)
                if job is None:
                    break
                waiting.append((job, pool.submit(work, job)))
            if not waiting:
                return
            job, future = waiting.popleft()
            yield job, patiently(future)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def patiently(done: Future[Any]) -> Any:
    """Wait in short naps, so that an interruption is heard on every system."""
    while True:
        try:
            return done.result(timeout=0.1)
        except TimeoutError:
            continue


@contextmanager
def interruptions(also: Interrupted | None = None) -> Iterator[Interrupted]:
    """Whether the user has pressed Ctrl-C; the second time it is an ordinary interruption.

    `also` is asked too: another reason to end early.
    """
    pressed = threading.Event()

    def ended() -> bool:
        return pressed.is_set() or (also is not None and also())

    if threading.current_thread() is not threading.main_thread():
        yield ended
        return

    def press(number: int, frame: FrameType | None) -> None:
        pressed.set()
        signal.signal(signal.SIGINT, usual)

    usual = signal.signal(signal.SIGINT, press)
    try:
        yield ended
    finally:
        signal.signal(signal.SIGINT, usual)
