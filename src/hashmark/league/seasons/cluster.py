"""Seasons on a Ray cluster: tasks of seconds, counts back; imported only with `--cluster`.

The seasons that were made ready are sent once; a task plays some of them and returns their sums.
Ray plays the task of a lost worker again elsewhere, so that nothing else is lost with it.
"""

from __future__ import annotations

import importlib
import logging
import re
import socket
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import hashmark
from hashmark.league.seasons.saved import Span
from hashmark.league.seasons.season import Replay
from hashmark.league.seasons.tally import Tally
from hashmark.table import cache
from hashmark.table.errors import HashmarkError

TRIES = 10  # of a task whose worker is lost
AHEAD = 2  # tasks in hand for each processor
PATIENCE = 5.0  # seconds for an address to answer
NAP = 0.2  # seconds between two looks at Ctrl-C

_kept: dict[bytes, Replay] = {}  # in a worker: what was sent, unpacked once


def play_blocks(
    address: str,
    replay: Replay,
    seed: int,
    blocks: Sequence[Span],
    interrupted: Callable[[], bool],
) -> Iterator[tuple[Span, Tally]]:
    """Play the blocks on the cluster at this address, in any order.

    `address` is Ray's: `auto`, `host:port`, `ray://host:port`, or `local` for this machine.
    """
    ray = load_ray()
    joined = join(ray, address)
    try:
        yield from _play(ray, replay, seed, blocks, interrupted)
    finally:
        if joined:
            ray.shutdown()


def load_ray() -> Any:
    """The library, or a sentence on how to get it."""
    try:
        return importlib.import_module("ray")
    except ImportError:
        raise HashmarkError(
            "--cluster needs Ray: install it with pip install 'hashmark[cluster]'"
        ) from None


def join(ray: Any, address: str) -> bool:
    """Connect to the cluster; False if this process already was."""
    if ray.is_initialized():
        return False
    knock(address)
    try:
        where = None if address == "local" else address
        ray.init(address=where, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, ValueError, RuntimeError) as fault:
        raise HashmarkError(f"--cluster {address}: {fault}") from None
    return True


def knock(address: str) -> None:
    """Refuse an address where nobody answers at once: Ray itself would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not re.fullmatch(r"[0-9]{1,5}", port):
        return
    try:
        socket.create_connection((host, int(port)), PATIENCE).close()
    except (OSError, OverflowError, ValueError) as fault:
        raise HashmarkError(f"--cluster {address}: nobody answers there ({fault})") from None


def _play(
    ray: Any,
    replay: Replay,
    seed: int,
    blocks: Sequence[Span],
    interrupted: Callable[[], bool],
) -> Iterator[tuple[Span, Tally]]:
    task = ray.remote(max_retries=TRIES, num_cpus=1)(play_task)
    sent = ray.put(replay)
    program = fingerprint()
    left = iter(blocks)
    waiting: dict[Any, Span] = {}
    while True:
        most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        while len(waiting) < most and not interrupted():
            span = next(left, None)
            if span is None:
                break
            waiting[task.remote([sent], program, seed, span)] = span
        if not waiting:
            return
        ready, _ = ray.wait(list(waiting), timeout=NAP)
        for one in ready:
            span = waiting.pop(one)
            yield span, _result(ray, one)


def _result(ray: Any, task: Any) -> Tally:
    try:
        return Tally.from_json(ray.get(task))
    except ray.exceptions.RayTaskError as fault:
        raise HashmarkError(f"--cluster: a task failed: {fault.cause}") from None
    except ray.exceptions.RayError as fault:
        raise HashmarkError(f"--cluster: a task was lost {TRIES + 1} times: {fault}") from None


def fingerprint() -> str:
    """Two machines with the same play the same games."""
    return f"{hashmark.__version__} {cache.program()}"


def play_task(sent: list[Any], program: str, seed: int, span: Span) -> dict[str, Any]:
    """In a worker: play the seasons and return what they add up to."""
    if fingerprint() != program:
        raise RuntimeError("this worker has another version of hashmark")
    key = sent[0].binary()
    if key not in _kept:
        _kept.clear()
        _kept[key] = load_ray().get(sent[0])
    return _kept[key].block(seed, *span).to_json()
