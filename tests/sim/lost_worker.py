"""Helpers for runs on a local Ray cluster: identified workers, one of which is lost.

Nothing here depends on the speed of the machine: workers wait for each other, and the lost one
kills itself after its work is done and before it returns the result.
"""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ray

WORKERS = 2


def start() -> Path:
    """Start a cluster of two workers on this machine; return a directory for their notes."""
    ray.init(num_cpus=WORKERS, log_to_driver=False, include_dashboard=False)
    return Path(tempfile.mkdtemp(prefix="workers-"))


def worker_pids(notes: Path) -> list[int]:
    """Return the process IDs of the workers; each is held until all have answered."""
    meeting = Path(tempfile.mkdtemp(dir=notes))
    meet = ray.remote(_meet)
    return sorted(ray.get([meet.remote(meeting) for _ in range(WORKERS)]))


def _meet(place: Path) -> int:
    """In a worker: wait for the others."""
    (place / str(os.getpid())).touch()
    while len(list(place.iterdir())) < WORKERS:
        time.sleep(0.05)
    return os.getpid()


def kill_first_worker(play: Callable[..., Any], notes: Path) -> Callable[..., Any]:
    """Wrap a task so that the first worker to finish one is killed before it returns."""
    note = notes / "killed"

    def play_or_die(*arguments: Any) -> Any:
        result = play(*arguments)
        try:
            handle = os.open(note, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
        except FileExistsError:
            return result
        os.write(handle, str(os.getpid()).encode())
        os.close(handle)
        os.kill(os.getpid(), signal.SIGKILL)
        return None

    return play_or_die


def killed_pid(notes: Path) -> int:
    """Return the process ID of the lost worker."""
    return int((notes / "killed").read_text())
