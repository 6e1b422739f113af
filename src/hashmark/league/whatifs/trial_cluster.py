"""What-ifs on a Ray cluster: the matches are sent once, a task plays some runs of all of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hashmark.league.seasons.cluster import AHEAD, NAP, TRIES, fingerprint, join, load_ray
from hashmark.league.whatifs.trial import Runs, Task
from hashmark.table.errors import HashmarkError

_kept: dict[bytes, Task] = {}  # in a worker: what was sent, unpacked once


def spread(
    address: str,
    task: Task,
    blocks: Sequence[Runs],
    interrupted: Callable[[], bool],
) -> Iterator[tuple[Runs, tuple[Any, Any]]]:
    """Play the blocks on the cluster and hand back what each made, in order.

    Ray plays the task of a lost worker again elsewhere.
    """
    ray = load_ray()
    join(ray, address)
    remote = ray.remote(max_retries=TRIES, num_cpus=1)(play_task)
    sent, program = ray.put(task), fingerprint()
    left = iter(blocks)
    waiting: deque[tuple[Runs, Any]] = deque()
    while True:
        most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        while len(waiting) < most and not interrupted():
            runs = next(left, None)
            if runs is None:
                break
            waiting.append((runs, remote.remote([sent], program, runs)))
        if not waiting:
            return
        runs, first = waiting[0]
        if ray.wait([first], timeout=NAP)[0]:
            waiting.popleft()
            yield runs, _result(ray, first)


def _result(ray: Any, task: Any) -> tuple[Any, Any]:
    try:
        points, sums = ray.get(task)
    except ray.exceptions.RayTaskError as fault:
        raise HashmarkError(f"--cluster: a task failed: {fault.cause}") from None
    except ray.exceptions.RayError as fault:
        raise HashmarkError(f"--cluster: a task was lost {TRIES + 1} times: {fault}") from None
    return points, sums


def play_task(sent: list[Any], program: str, runs: Runs) -> tuple[Any, Any]:
    """In a worker: play the runs of what was sent."""
    if fingerprint() != program:
        raise RuntimeError("this worker has another version of hashmark")
    key = sent[0].binary()
    if key not in _kept:
        _kept.clear()
        _kept[key] = load_ray().get(sent[0])
    return _kept[key].block(runs)
