"""Seasons on a local Ray cluster of two workers, one of which is killed on the way.

Run by `test_cluster.py` in a process of its own; prints what came out as JSON.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

import ray

from hashmark.league import simulate
from hashmark.league.season import Recipe
from hashmark.table import places

RUNS, BLOCK, SEED = 120, 5, 9


def worker() -> int:
    """In a worker: who it is; long enough for the other one to be asked as well."""
    time.sleep(0.5)
    return os.getpid()


def busy(process: int) -> bool:
    """Whether the worker is playing seasons."""
    return b"play_task" in Path(f"/proc/{process}/cmdline").read_bytes()


def main() -> None:
    ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
    asked = ray.remote(worker)
    workers = sorted(set(ray.get([asked.remote() for _ in range(4)])))
    killed: list[int] = []

    def kill_one(done: int) -> None:
        for process in workers:
            if not killed and busy(process):
                os.kill(process, signal.SIGKILL)
                killed.append(process)

    simulate.CLUSTER_BLOCK = BLOCK
    recipe = Recipe(2008, plan="book")
    with places.look_in([Path(sys.argv[1])]):
        there = simulate.simulate_season(recipe, RUNS, SEED, cluster="local", progress=kill_one)
        after = sorted(set(ray.get([asked.remote() for _ in range(4)])))
        ray.shutdown()
        here = simulate.simulate_season(recipe, RUNS, SEED, threads=1)
    same = there.tally.to_json() == here.tally.to_json()
    said = {"workers": workers, "killed": killed, "after": after, "same": same, "runs": there.runs}
    print(json.dumps(said))


if __name__ == "__main__":
    main()
