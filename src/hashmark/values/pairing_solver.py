"""Solving a pairing: the game's induction on compiled code and threads, then one atomic file."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

from hashmark.compiler import registration
from hashmark.engine.rule_set import RuleSet
from hashmark.sim.threads import check_threads, wait_for
from hashmark.storage import atomic_write, fsync
from hashmark.values import array_file
from hashmark.values.pairing_table import PairingTask, model_of

PairingProgress = Callable[[int, int], None]
"""Callback with the number of moments solved, and the total."""

TEAM_COUNT = 2


@cache
def register_functions(module: Any) -> None:
    """Make the functions of a pairing model callable from compiled code."""
    from numba.extending import register_jitable

    registration.register()
    for function in module.COMPILED_FUNCTIONS:
        register_jitable(no_cfunc_wrapper=True, forceinline=False)(function)


def compile_sweep(rules: RuleSet) -> Any:
    """Return the compiled step of a game's induction; the tables are data, so one serves all."""
    model = model_of(rules)
    register_functions(model)
    return registration.compile_loop(model.sweep, rules, "solving pairings", inline=False)


def solve(
    task: PairingTask, *, threads: int | None = None, progress: PairingProgress | None = None
) -> Path:
    """Solve a pairing and write its table; return the path. An interrupted run leaves nothing."""
    workers = check_threads(threads)
    model = model_of(task.rules)
    with ThreadPoolExecutor(workers) as pool:

        def run_parts(part: Callable[..., None], spots: int) -> None:
            jobs = [
                pool.submit(part, number, number % TEAM_COUNT, *span)
                for number, span in enumerate(_spans(spots, workers))
            ]
            for job in jobs:
                wait_for(job)

        parts = len(_spans(1, workers))
        induction = model.start(task.m, compile_sweep(task.rules), run_parts, parts)
        total = induction.total_steps
        for done in induction.steps():
            if progress is not None:
                progress(done, total)
    fsync.make_dirs(task.path.parent)
    metadata = {**task.identity, "gap": induction.mean_gap}
    with atomic_write.AtomicFile(task.path) as file:
        array_file.write_arrays_and_footer(
            file, 0, model.to_arrays(task.m, induction), {}, metadata
        )
    return task.path


def _spans(spots: int, workers: int) -> list[tuple[int, int]]:
    """Return the spans of spots, one for each team in turn, enough for all workers."""
    pieces = max(1, workers // TEAM_COUNT)
    edges = [spots * number // pieces for number in range(pieces + 1)]
    return [(edges[n], edges[n + 1]) for n in range(pieces) for _ in range(TEAM_COUNT)]
