"""A what-if on a local Ray cluster of two workers, one of which is killed on the way.

Run by `test_what_ifs.py` in a process of its own; prints what came out as JSON.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

import ray

from hashmark.league import changes, trial
from hashmark.league.season import Recipe
from hashmark.league.trial import Lineup, Trial, real_field
from hashmark.table import places

RUNS, SEED = 120, 9


def worker() -> int:
    """In a worker: who it is; long enough for the other one to be asked as well."""
    time.sleep(0.5)
    return os.getpid()


def main() -> None:
    ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
    asked = ray.remote(worker)
    workers = sorted(set(ray.get([asked.remote() for _ in range(4)])))
    killed: list[int] = []

    def kill_one(done: int, wanted: int) -> None:
        for process in workers:
            if not killed and b"play_task" in Path(f"/proc/{process}/cmdline").read_bytes():
                os.kill(process, signal.SIGKILL)
                killed.append(process)

    trial.CLUSTER_GAMES = 160  # five runs of two lineups
    with places.look_in([Path(sys.argv[1])]):
        ground = real_field(Recipe(2008, plan="book"), "ARI")
        there, here = Trial(ground, cluster="local", progress=kill_one), Trial(ground, threads=1)
        plan = changes.pass_rate("+10%").apply(there.plan)
        lineups = [Lineup(there.plan), Lineup(plan)]
        far = there.play(lineups, RUNS, SEED, statistics=True)
        ray.shutdown()
        near = here.play(lineups, RUNS, SEED, statistics=True)
    same = all(
        (one.points == other.points).all() and (one.sums == other.sums).all()
        for one, other in zip(far, near, strict=True)
    )
    print(json.dumps({"workers": len(workers), "killed": len(killed), "same": same}))


if __name__ == "__main__":
    main()
