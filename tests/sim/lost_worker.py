"""What the runs on a local Ray cluster share: workers that are known, and one that is lost.

Nothing here depends on how fast the machine is: workers wait for each other, and the one that
is lost ends itself, with its work done and not yet handed back.
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
    """A cluster of two workers on this machine, and a folder in which they leave notes."""
    ray.init(num_cpus=WORKERS, log_to_driver=False, include_dashboard=False)
    return Path(tempfile.mkdtemp(prefix="workers-"))


def workers(notes: Path) -> list[int]:
    """The processes of the workers: each is kept until all have been asked."""
    here = Path(tempfile.mkdtemp(dir=notes))
    asked = ray.remote(_meet)
    return sorted(ray.get([asked.remote(here) for _ in range(WORKERS)]))


def _meet(place: Path) -> int:
    """In a worker: wait for the others."""
    (place / str(os.getpid())).touch()
    while len(list(place.iterdir())) < WORKERS:
        time.sleep(0.05)
    return os.getpid()


def dying_once(play: Callable[..., Any], notes: Path) -> Callable[..., Any]:
    """The task, but the first worker that has played one is killed before it can say so."""
    note = notes / "killed"

    def play_or_die(*arguments: Any) -> Any:
        made = play(*arguments)
        try:
            handle = os.open(note, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
        except FileExistsError:
            return made
        os.write(handle, str(os.getpid()).encode())
        os.close(handle)
        os.kill(os.getpid(), signal.SIGKILL)
        return None

    return play_or_die


def killed(notes: Path) -> int:
    """The worker that was lost."""
    return int((notes / "killed").read_text())
