"""Work on a Ray cluster, for games, seasons and what-ifs alike; imported only with `--cluster`.

The work is sent once; each job, some seconds of it, is a task that sends back what it made. Ray
does the task of a lost worker again elsewhere, so that nothing else is lost with it. A cluster that
cannot be reached is given up within half a minute: it is first tried in a process of its own, for
Ray itself would try for minutes, or end the process.
"""

from __future__ import annotations

import functools
import importlib
import logging
import pickle
import re
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import hashmark
from hashmark.sim.threads import Done, Interrupted, Job
from hashmark.table import cache, extras
from hashmark.table.errors import HashmarkError

TRIES = 10  # of a task whose worker is lost
AHEAD = 2  # tasks in hand for each processor
PATIENCE = 5.0  # seconds for an address to answer
TRIAL = 22.0  # seconds for Ray to answer there
GRACE = 10.0  # seconds after Ctrl-C for what was begun
NAP = 0.2  # seconds between two looks at Ctrl-C
LOCAL = "local"  # the address of a cluster on this machine alone
KNOCK = """\
import sys, ray
ray.init(address=sys.argv[1], log_to_driver=False, logging_level="ERROR")
print("processors", int(ray.cluster_resources().get("CPU", 0)))
ray.shutdown()
"""


class ClusterFault(HashmarkError):
    """The cluster cannot do what it is asked: the business of who runs it."""


def load_ray() -> Any:
    """The library, or a sentence on how to get it."""
    extras.need("--cluster", "ray")
    return importlib.import_module("ray")


def spread(
    address: str,
    work: Callable[[Job], Done],
    jobs: Iterable[Job],
    interrupted: Interrupted,
) -> Iterator[tuple[Job, Done]]:
    """Do the jobs on the cluster at this address and hand back what each made, in order.

    `address` is Ray's: `auto`, `host:port`, `ray://host:port`, or `local` for this machine. The
    next job is asked for when there is room for it. When the user interrupts, what was begun
    is waited for, but not for long: what was done are the first jobs.
    """
    ray = load_ray()
    if not join(ray, address, interrupted):
        return
    task = ray.remote(max_retries=TRIES, num_cpus=1)(do_job)
    sent, program = ray.put(pickle.dumps(work)), fingerprint()
    left = iter(jobs)
    waiting: deque[tuple[Job, Any]] = deque()
    pressed = 0.0
    while True:
        while not interrupted() and len(waiting) < AHEAD * _processors(ray):
            job = next(left, None)
            if job is None:
                break
            waiting.append((job, task.remote([sent], program, job)))
        if interrupted():
            pressed = pressed or time.monotonic()
            if time.monotonic() - pressed > GRACE:
                _give_up(ray, [one for _, one in waiting])
                return
        if not waiting:
            return
        if ray.wait([waiting[0][1]], timeout=NAP)[0]:
            job, first = waiting.popleft()
            yield job, _made(ray, first)


def _processors(ray: Any) -> int:
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def _give_up(ray: Any, tasks: list[Any]) -> None:
    for one in tasks:
        ray.cancel(one, force=True)


def _made(ray: Any, task: Any) -> Any:
    """What a task sent back; a fault of its own is the user's to read."""
    try:
        fault, made = ray.get(task)
    except ray.exceptions.RayTaskError as failed:
        raise ClusterFault(f"--cluster: a task failed: {failed.cause}") from None
    except ray.exceptions.RayError as failed:
        raise ClusterFault(f"--cluster: a task was lost {TRIES + 1} times: {failed}") from None
    if fault is not None:
        raise ClusterFault(fault)
    return made


# --- Joining a cluster -----------------------------------------------------------------------

_joined: str | None = None  # where this process has joined a cluster by itself


def join(ray: Any, address: str, interrupted: Interrupted) -> bool:
    """Connect to the cluster, once for a process; False if the user interrupts."""
    global _joined
    if ray.is_initialized():
        if _joined in (None, address):
            return True
        ray.shutdown()
    if address != LOCAL:
        knock(address)
        if not try_out(address, interrupted):
            return False
    more = {"include_dashboard": False} if address == LOCAL else {}
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **more)
    except (OSError, ValueError, RuntimeError) as fault:
        raise ClusterFault(f"--cluster {address}: {fault}") from None
    _joined = address
    return True


def knock(address: str) -> None:
    """Refuse an address where nobody answers at all."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not re.fullmatch(r"[0-9]{1,5}", port):
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), PATIENCE).close()
    except (OSError, OverflowError, ValueError) as fault:
        raise ClusterFault(f"--cluster {address}: nobody answers there ({fault})") from None


def try_out(address: str, interrupted: Interrupted, seconds: float = TRIAL) -> bool:
    """Join the cluster in a process that can be given up; False if the user interrupts."""
    child = subprocess.Popen(
        [sys.executable, "-c", KNOCK, address],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,  # Ctrl-C is for us to hear
    )
    deadline = time.monotonic() + seconds
    with child:
        try:
            while not interrupted():
                try:
                    said, complained = child.communicate(timeout=NAP)
                except subprocess.TimeoutExpired:
                    if time.monotonic() < deadline:
                        continue
                    raise ClusterFault(
                        f"--cluster {address}: no Ray cluster has answered there in "
                        f"{seconds:.0f} seconds"
                    ) from None
                _check_answer(address, child.returncode, said, complained)
                return True
        finally:
            child.kill()
    return False


def _check_answer(address: str, status: int, said: str, complained: str) -> None:
    """What the trial has found out."""
    if status:
        lines = [line.strip() for line in complained.splitlines() if line.strip()]
        why = lines[-1] if lines else f"it ended with status {status}"
        raise ClusterFault(f"--cluster {address}: no cluster can be joined there ({why})")
    if "processors 0" in said.splitlines():
        raise ClusterFault(f"--cluster {address}: that cluster has no processor to play on")


# --- In a worker ---------------------------------------------------------------------------------

_kept: dict[bytes, Callable[[Any], Any]] = {}  # the work that was sent, unpacked once


def fingerprint() -> str:
    """Two machines with the same play the same games."""
    return f"{hashmark.__version__} {cache.program()}"


@functools.cache
def _own_fingerprint() -> str:
    """That of a worker, which has loaded its program for good."""
    return fingerprint()


def do_job(sent: list[Any], program: str, job: Any) -> tuple[str | None, Any]:
    """In a worker: a fault in words, or what was made of the job.

    Faults are told in words, since not every exception survives the way.
    """
    if _own_fingerprint() != program:
        return "--cluster: a worker has another version of hashmark", None
    key = sent[0].binary()
    try:
        if key not in _kept:
            _kept.clear()
            _kept[key] = pickle.loads(load_ray().get(sent[0]))
        return None, _kept[key](job)
    except HashmarkError as fault:
        return str(fault), None
    except Exception as fault:
        return f"--cluster: a task failed: {type(fault).__name__}: {fault}", None
