"""Work on a Ray cluster: games, seasons and what-ifs; imported only with `--cluster`.

The work is sent once; each job, some seconds of it, is a task that returns its result. Ray reruns
the task of a lost worker elsewhere, so nothing else is lost. An unreachable cluster is given up
within half a minute: joining is first tried in a separate process, because Ray itself would try for
minutes or end the process.
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
from types import ModuleType
from typing import Any

import hashmark
from hashmark import extras
from hashmark.compiler import cache_dir
from hashmark.errors import HashmarkError
from hashmark.sim.threads import Done, Interrupted, Job

MAX_TASK_RETRIES = 10  # retries of a task whose worker is lost
TASKS_PER_PROCESSOR = 2  # submitted tasks per processor
CONNECT_SECONDS = 5.0  # seconds to open a connection
JOIN_SECONDS = 22.0  # seconds to join Ray there
GRACE_SECONDS = 10.0  # seconds after Ctrl-C for running tasks to finish
POLL_SECONDS = 0.2  # seconds between checks for Ctrl-C
LOCAL_ADDRESS = "local"  # address of a cluster on this machine only
PROBE_PROGRAM = """\
import sys, ray
ray.init(address=sys.argv[1], log_to_driver=False, logging_level="ERROR")
print("processors", int(ray.cluster_resources().get("CPU", 0)))
ray.shutdown()
"""


class ClusterError(HashmarkError):
    """The cluster cannot do what it is asked to: an operator error."""


def load_ray() -> ModuleType:
    """Import Ray, or raise an error that says how to install it."""
    extras.require("--cluster", "ray")
    return importlib.import_module("ray")


def run_jobs(
    address: str,
    work: Callable[[Job], Done],
    jobs: Iterable[Job],
    interrupted: Interrupted,
) -> Iterator[tuple[Job, Done]]:
    """Run the jobs on the cluster at this address and yield each result, in order.

    `address` is Ray's: `auto`, `host:port`, `ray://host:port`, or `local` for this machine. Jobs
    are taken from the iterable as capacity frees up. On an interruption, running tasks are awaited
    for a short time; the completed jobs are always the first ones.
    """
    ray = load_ray()
    if not join(ray, address, interrupted):
        return
    task = ray.remote(max_retries=MAX_TASK_RETRIES, num_cpus=1)(do_job)
    work_ref, program = ray.put(pickle.dumps(work)), fingerprint()
    remaining = iter(jobs)
    pending: deque[tuple[Job, Any]] = deque()
    interrupted_at = 0.0
    while True:
        while not interrupted() and len(pending) < TASKS_PER_PROCESSOR * _processors(ray):
            job = next(remaining, None)
            if job is None:
                break
            pending.append((job, task.remote([work_ref], program, job)))
        if interrupted():
            interrupted_at = interrupted_at or time.monotonic()
            if time.monotonic() - interrupted_at > GRACE_SECONDS:
                for _, running in pending:
                    ray.cancel(running, force=True)
                return
        if not pending:
            return
        if ray.wait([pending[0][1]], timeout=POLL_SECONDS)[0]:
            job, finished = pending.popleft()
            yield job, _result_of(ray, finished)


def _processors(ray: ModuleType) -> int:
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def _result_of(ray: ModuleType, task: object) -> Any:
    """Return the result of a task; raise its error as a message to the user."""
    try:
        fault, result = ray.get(task)
    except ray.exceptions.RayTaskError as failed:
        raise ClusterError(f"--cluster: a task failed: {failed.cause}") from None
    except ray.exceptions.RayError as failed:
        raise ClusterError(
            f"--cluster: a task was lost {MAX_TASK_RETRIES + 1} times: {failed}"
        ) from None
    if fault is not None:
        raise ClusterError(fault)
    return result


# --- Joining a cluster -----------------------------------------------------------------------

_joined: str | None = None  # address of the cluster this process has joined


def join(ray: ModuleType, address: str, interrupted: Interrupted) -> bool:
    """Connect to the cluster, once per process; return False if the user interrupts."""
    global _joined
    if ray.is_initialized():
        if _joined in (None, address):
            return True
        ray.shutdown()
    if address != LOCAL_ADDRESS:
        check_reachable(address)
        if not probe(address, interrupted):
            return False
    extra = {"include_dashboard": False} if address == LOCAL_ADDRESS else {}
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **extra)
    except (OSError, ValueError, RuntimeError) as fault:
        raise ClusterError(f"--cluster {address}: {fault}") from None
    _joined = address
    return True


def check_reachable(address: str) -> None:
    """Raise an error if nothing answers at this address."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not re.fullmatch(r"[0-9]{1,5}", port):
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()
    except (OSError, OverflowError, ValueError) as fault:
        raise ClusterError(
            f"--cluster {address}: nothing answers at this address ({fault})"
        ) from None


def probe(address: str, interrupted: Interrupted, seconds: float = JOIN_SECONDS) -> bool:
    """Join the cluster in a separate process; return False if the user interrupts."""
    child = subprocess.Popen(
        [sys.executable, "-c", PROBE_PROGRAM, address],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,  # Ctrl-C must reach this process only
    )
    deadline = time.monotonic() + seconds
    with child:
        try:
            while not interrupted():
                try:
                    output, errors = child.communicate(timeout=POLL_SECONDS)
                except subprocess.TimeoutExpired:
                    if time.monotonic() < deadline:
                        continue
                    raise ClusterError(
                        f"--cluster {address}: no Ray cluster answered within {seconds:.0f} s"
                    ) from None
                _check_answer(address, child.returncode, output, errors)
                return True
        finally:
            child.kill()
    return False


def _check_answer(address: str, status: int, output: str, errors: str) -> None:
    """Raise an error if the trial failed."""
    if status:
        lines = [line.strip() for line in errors.splitlines() if line.strip()]
        reason = lines[-1] if lines else f"exit status {status}"
        raise ClusterError(f"--cluster {address}: cannot join this cluster ({reason})")
    if "processors 0" in output.splitlines():
        raise ClusterError(f"--cluster {address}: this cluster has no processors")


# --- In a worker ---------------------------------------------------------------------------------

_kept: dict[bytes, Callable[[Any], Any]] = {}  # unpickled work, by reference


def fingerprint() -> str:
    """Return the program version; machines with equal fingerprints play the same games."""
    return f"{hashmark.__version__} {cache_dir.program_digest()}"


@functools.cache
def _own_fingerprint() -> str:
    """Return the fingerprint of this worker, whose program is fixed once loaded."""
    return fingerprint()


def do_job(sent: list[Any], program: str, job: object) -> tuple[str | None, Any]:
    """Run a job in a worker; return an error message or None, and the result.

    Errors are returned as text, since not every exception can be pickled.
    """
    if _own_fingerprint() != program:
        return (
            (
                "--cluster: a worker runs another version of hashmark; install the same version "
                "on all machines"
            ),
            None,
        )
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
