"""Seasons on a local Ray cluster of two workers, one of which is killed on the way.

Run by `test_cluster.py` in a process of its own; prints what came out as JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import ray

from hashmark.league.seasons import cluster, simulate
from hashmark.league.seasons.season import Recipe
from hashmark.table import places
from league import lost_worker

RUNS, BLOCK, SEED = 120, 5, 9


def main() -> None:
    notes = lost_worker.start()
    before = lost_worker.workers(notes)
    cluster.play_task = lost_worker.dying_once(cluster.play_task, notes)
    simulate.CLUSTER_BLOCK = BLOCK
    recipe = Recipe(2008, plan="book")
    with places.look_in([Path(sys.argv[1])]):
        there = simulate.simulate_season(recipe, RUNS, SEED, cluster="local")
        after = lost_worker.workers(notes)
        ray.shutdown()
        here = simulate.simulate_season(recipe, RUNS, SEED, threads=1)
    same = there.tally.to_json() == here.tally.to_json()
    said = {"workers": before, "killed": lost_worker.killed(notes), "after": after}
    print(json.dumps({**said, "same": same, "runs": there.runs}))


if __name__ == "__main__":
    main()
