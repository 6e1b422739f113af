"""Seasons, a what-if and games on one local Ray cluster of two workers, one of which is killed.

`test_cluster.py` runs this in a separate process; it prints its results as JSON. One cluster serves
all three, since starting one takes longer than all of them.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import ray

from hashmark.league.seasons import simulate
from hashmark.league.seasons.season import Recipe
from hashmark.league.whatifs import plan_changes, trial
from hashmark.league.whatifs.trial import Lineup, Trial, real_season_setup
from hashmark.sim import cluster, run
from hashmark.storage import search_path
from sim import lost_worker

SEED = 9
RECIPE = Recipe(2008, plan="book")


def seasons(address: str | None) -> Any:
    made = simulate.simulate_season(RECIPE, 120, SEED, cluster=address, threads=1)
    return made.tally.to_json()


def what_if(address: str | None) -> Any:
    played = Trial(real_season_setup(RECIPE, "ARI"), cluster=address, threads=1)
    plan = plan_changes.parse_pass_rate("+10%").apply(played.plan)
    lineups = played.play([Lineup(played.plan), Lineup(plan)], 20, SEED, statistics=True)
    return [(lineup.points.tolist(), lineup.sums.tolist()) for lineup in lineups]


def games(address: str | None, rows: Path) -> Any:
    done = run.simulate(
        "fourth-down", 300, seed=SEED, home="bold", engine="plain", cluster=address, rows=rows
    )
    return done.digest, done.totals.sums, rows.read_text()


def interrupted() -> Any:
    """Interrupt a run; return whether its games equal the first games of a full run."""

    pressed: list[int] = []

    def press(done: int) -> None:
        if done > 100 and not pressed:
            pressed.append(done)
            os.kill(os.getpid(), signal.SIGINT)

    result = run.simulate("fourth-down", 10**6, engine="plain", cluster="local", progress=press)
    same = run.simulate("fourth-down", result.games, engine="plain").digest == result.digest
    return result.interrupted and result.games > 100 and same


def main() -> None:
    folder = Path(sys.argv[1])
    notes = lost_worker.start()
    before = lost_worker.worker_pids(notes)
    cluster.do_job = lost_worker.kill_first_worker(cluster.do_job, notes)
    simulate.CLUSTER_BLOCK = 5
    trial.CLUSTER_GAMES = 160  # five runs of two lineups
    run.TASK_SECONDS = 0.1
    with search_path.search_first([folder]):
        on_cluster = [seasons("local"), what_if("local"), games("local", notes / "far.csv")]
        after = lost_worker.worker_pids(notes)
        stopped = interrupted()
        ray.shutdown()
        locally = [seasons(None), what_if(None), games(None, notes / "near.csv")]
    same = [remote == local for remote, local in zip(on_cluster, locally, strict=True)]
    workers = {"workers": before, "killed": lost_worker.killed_pid(notes), "after": after}
    print(json.dumps({**workers, "same": same, "interrupted": stopped}))


if __name__ == "__main__":
    main()
