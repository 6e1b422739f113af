"""Running many seasons: on threads or a cluster, saved on the way, gone on with later."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from hashmark.league.seasons import saved
from hashmark.league.seasons.games import check_work
from hashmark.league.seasons.outcome import Outcome
from hashmark.league.seasons.saved import InFile, InText, Place, Saved, Span
from hashmark.league.seasons.season import Recipe, Replay
from hashmark.league.seasons.tally import Tally
from hashmark.sim.threads import Interrupted, interruptions, spread
from hashmark.table.errors import HashmarkError
from hashmark.table.writing import spare_log

BLOCK = 10  # seasons of one piece of work on a thread: a fifth of a second
CLUSTER_BLOCK = 100  # of one task on a cluster: some seconds

Blocks = Iterator[tuple[Span, Tally]]


def simulate_season(
    recipe: Recipe,
    runs: int,
    seed: int = 0,
    *,
    threads: int | None = None,
    cluster: str | None = None,
    resume: Path | InText | None = None,
    fresh: bool = False,
    progress: Callable[[int], None] | None = None,
    interrupted: Interrupted | None = None,
) -> Outcome:
    """Play seasons number 0 to `runs - 1` of a seed; `progress` hears how many are done.

    Ctrl-C saves what is done; the next call with the same recipe and seed goes on from there and
    ends with the same result as one that was never interrupted. `resume` is the place for that,
    the user's data folder if it is left out; with `fresh` it is not looked at. `interrupted` is
    another one who may end it like that.
    """
    workers = check_work(runs, seed, threads)
    if isinstance(resume, Path):
        spare_log(resume)
    asked = time.perf_counter()
    replay = Replay(recipe)
    identity = replay.identity(seed)
    place = _place(resume, saved.usual_path(recipe.season, runs, identity))
    state = (None if fresh else place.read(identity)) or Saved.new(identity)
    if not state.fits(runs):
        raise HashmarkError(
            f"{place.name} holds more than {runs} seasons; ask for more with --runs, or begin anew "
            "with --fresh"
        )
    before = state.tally.runs
    if cluster is None:
        replay.prepare()
    began = noted = time.perf_counter()
    with interruptions(interrupted) as ended:
        for span, made in _blocks(replay, seed, state, runs, workers, cluster, ended):
            state.add(span, made)
            if progress is not None:
                progress(state.tally.runs)
            if time.perf_counter() - noted > place.every:
                place.write(state)
                noted = time.perf_counter()
    seconds = time.perf_counter() - began
    whole = state.tally.runs == runs
    if whole:
        place.remove()
    elif state.tally.runs:
        place.write(state)
    left_at = place.name if isinstance(place.name, Path) and not whole else None
    return Outcome(
        recipe=recipe,
        schedule=replay.schedule,
        tally=state.tally,
        asked=runs,
        seed=seed,
        seconds=seconds,
        preparing=began - asked,
        earlier=before,
        games=state.tally.runs * replay.games_a_season,
        saved=left_at if state.tally.runs else None,
        made_from=replay.made_from,
    )


def _place(resume: Path | InText | None, usual: Path) -> Place:
    return resume if isinstance(resume, InText) else InFile(resume or usual)


def _blocks(
    replay: Replay,
    seed: int,
    state: Saved,
    runs: int,
    workers: int,
    cluster: str | None,
    interrupted: Callable[[], bool],
) -> Blocks:
    """The seasons that are left, block by block, wherever they are played."""
    work = Seasons(replay, seed)
    if cluster is not None:
        from hashmark.sim import cluster as far

        yield from far.spread(cluster, work, state.left(runs, CLUSTER_BLOCK), interrupted)
        return
    yield from spread(work, state.left(runs, BLOCK), workers, interrupted)


@dataclass(frozen=True)
class Seasons:
    """The work: some seasons of a seed, here or on another machine."""

    replay: Replay
    seed: int

    def __call__(self, span: Span) -> Tally:
        return self.replay.block(self.seed, *span)
