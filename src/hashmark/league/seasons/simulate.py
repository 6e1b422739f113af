"""Simulation of many seasons on threads or a cluster, with checkpoints to resume from."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hashmark.errors import HashmarkError
from hashmark.league.seasons import checkpoints
from hashmark.league.seasons.checkpoints import (
    Checkpoint,
    CheckpointFile,
    CheckpointStore,
    CheckpointText,
)
from hashmark.league.seasons.outcome import SeasonOutcome
from hashmark.league.seasons.pairings import Span, run_blocks, validate_run
from hashmark.league.seasons.season import Recipe, Replay
from hashmark.league.seasons.tally import Tally
from hashmark.sim.threads import Interrupted, catch_interrupts
from hashmark.storage.atomic_write import refuse_game_log

BLOCK = 10  # seasons per work unit on a thread: a fifth of a second
CLUSTER_BLOCK = 100  # seasons per task on a cluster: some seconds


def simulate_season(
    recipe: Recipe,
    runs: int,
    seed: int = 0,
    *,
    threads: int | None = None,
    cluster: str | None = None,
    resume: Path | CheckpointText | None = None,
    fresh: bool = False,
    progress: Callable[[int], None] | None = None,
    interrupted: Interrupted | None = None,
) -> SeasonOutcome:
    """Play seasons 0 to `runs - 1` of a seed; `progress` is called with the number done.

    Ctrl-C saves a checkpoint; the next call with the same recipe and seed resumes from it and ends
    with the same result as an uninterrupted run. `resume` is where the checkpoint is stored, by
    default the user's data directory; with `fresh` an existing checkpoint is ignored. `interrupted`
    is an additional source of interruptions.
    """
    workers = validate_run(runs, seed, threads)
    if isinstance(resume, Path):
        refuse_game_log(resume)
    requested_at = time.perf_counter()
    replay = Replay(recipe)
    identity = replay.identity(seed)
    store = _checkpoint_store(resume, checkpoints.default_path(recipe.season, runs, identity))
    state = (None if fresh else store.read(identity)) or Checkpoint(identity)
    if not state.is_within(runs):
        raise HashmarkError(
            f"{store.name} already holds more than {runs} seasons: raise --runs, or start over "
            "with "
            "--fresh"
        )
    resumed_runs = state.tally.runs
    if cluster is None:
        replay.prepare()
    started_at = saved_at = time.perf_counter()
    with catch_interrupts(interrupted) as is_interrupted:
        blocks = state.remaining_blocks(runs, BLOCK if cluster is None else CLUSTER_BLOCK)
        work = SeasonBlockTask(replay, seed)
        for span, block in run_blocks(work, blocks, workers, cluster, is_interrupted):
            state.add(span, block)
            if progress is not None:
                progress(state.tally.runs)
            if time.perf_counter() - saved_at > store.every:
                store.write(state)
                saved_at = time.perf_counter()
    seconds = time.perf_counter() - started_at
    is_complete = state.tally.runs == runs
    if is_complete:
        store.remove()
    elif state.tally.runs:
        store.write(state)
    checkpoint_path = store.name if isinstance(store.name, Path) and not is_complete else None
    return SeasonOutcome(
        recipe=recipe,
        schedule=replay.schedule,
        tally=state.tally,
        requested_runs=runs,
        seed=seed,
        seconds=seconds,
        compile_seconds=started_at - requested_at,
        resumed_runs=resumed_runs,
        games=state.tally.runs * replay.games_per_season,
        checkpoint_path=checkpoint_path if state.tally.runs else None,
        made_from=replay.made_from,
    )


def _checkpoint_store(resume: Path | CheckpointText | None, default_path: Path) -> CheckpointStore:
    return resume if isinstance(resume, CheckpointText) else CheckpointFile(resume or default_path)


@dataclass(frozen=True)
class SeasonBlockTask:
    """Work unit: some seasons of a seed, played here or on another machine."""

    replay: Replay
    seed: int

    def __call__(self, span: Span) -> Tally:
        return self.replay.play_block(self.seed, *span)
