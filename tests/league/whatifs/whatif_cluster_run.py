"""A what-if on a local Ray cluster of two workers, one of which is killed on the way.

Run by `test_whatif.py` in a process of its own; prints what came out as JSON.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import ray

from hashmark.league.seasons.season import Recipe
from hashmark.league.whatifs import changes, trial, trial_cluster
from hashmark.league.whatifs.trial import Lineup, Trial, real_field
from hashmark.table import places
from league import lost_worker

RUNS, SEED = 120, 9


def main() -> None:
    notes = lost_worker.start()
    workers = lost_worker.workers(notes)
    trial_cluster.play_task = lost_worker.dying_once(trial_cluster.play_task, notes)
    trial.CLUSTER_GAMES = 160  # five runs of two lineups
    with places.look_in([Path(sys.argv[1])]):
        ground = real_field(Recipe(2008, plan="book"), "ARI")
        there, here = Trial(ground, cluster="local"), Trial(ground, threads=1)
        plan = changes.pass_rate("+10%").apply(there.plan)
        lineups = [Lineup(there.plan), Lineup(plan)]
        far = there.play(lineups, RUNS, SEED, statistics=True)
        ray.shutdown()
        near = here.play(lineups, RUNS, SEED, statistics=True)
    same = all(
        (one.points == other.points).all() and (one.sums == other.sums).all()
        for one, other in zip(far, near, strict=True)
    )
    killed = lost_worker.killed(notes) in workers
    print(json.dumps({"workers": len(workers), "killed": killed, "same": same}))


if __name__ == "__main__":
    main()
