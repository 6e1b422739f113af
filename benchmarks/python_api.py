"""Benchmarks of the Python API: frames against the simulation without rows, and the import.

Processor time counts, with one thread; both sides are measured alternately in one process, and the
best of several runs counts for each side.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import hashmark as hm

ROWS_GAMES, PLAYS_GAMES = 1_000_000, 10_000
REPEATS, IMPORT_REPEATS = 3, 20


def measure_frames() -> dict[str, Any]:
    """Compare rows of 4th Down! and plays of Data-Driven Football with bare simulations."""
    return {
        "rows_of_a_million_games": compare(
            lambda: simulate("fourth-down", ROWS_GAMES),
            lambda: simulate("fourth-down", ROWS_GAMES, rows=True).frame(),
        ),
        "plays_of_10000_games": compare(
            lambda: simulate("data-driven", PLAYS_GAMES),
            lambda: simulate("data-driven", PLAYS_GAMES).plays(),
        ),
        "nflverse_plays_of_10000_games": compare(
            lambda: simulate("data-driven", PLAYS_GAMES),
            lambda: simulate("data-driven", PLAYS_GAMES).plays(nflverse=True),
        ),
    }


def simulate(game: str, games: int, rows: bool = False) -> hm.Simulation:
    return hm.simulate(game, games, rows=rows, threads=1)


def compare(bare: Callable[[], object], frame: Callable[[], object]) -> dict[str, float]:
    """Return the best processor seconds of both sides and their ratio.

    Polars works on other threads, whose processor time counts too.
    """
    seconds: tuple[list[float], list[float]] = ([], [])
    bare()  # compiles
    for _ in range(REPEATS):
        for side, run in enumerate((bare, frame)):
            start = time.process_time()
            run()
            seconds[side].append(time.process_time() - start)
    without, with_frame = (min(side) for side in seconds)
    return {
        "without_rows": round(without, 3),
        "with_frame": round(with_frame, 3),
        "ratio": round(with_frame / without, 2),
    }


def measure_import() -> dict[str, float]:
    """Return the milliseconds of a bare interpreter, and what `import hashmark` adds."""
    bare, package = [], []
    for _ in range(IMPORT_REPEATS):
        bare.append(_run("pass"))
        package.append(_run("import hashmark"))
    return {
        "bare_interpreter": round(1000 * min(bare), 1),
        "import_hashmark_adds": round(1000 * (min(package) - min(bare)), 1),
    }


def _run(code: str) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - start
