"""Benchmark of solving games and querying solutions: time and memory of the commands.

Each game is solved in an empty data folder, so that nothing is reused; compiled code may be cached.
`best` and `review` are compared with the start of their own command (with `--help`, which only
parses the command line), and that with the start of the program (`--version`). Games that are not
solved are reviewed by rollouts; the code for these is compiled first. The load average shows how
busy the machine was.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

SOLVED_GAMES = ("fourth-down", "roll-for-yardage")
UNSOLVED_GAMES = ("rapid-roll", "data-driven")
POSITIONS = {
    "fourth-down": {"phase": "fourth-down", "possession": "home", "period": 2, "clock": 60,
                    "spot": 45, "down": 4, "to_go": 4},
    "roll-for-yardage": {"phase": "scrimmage", "possession": "home", "period": 3, "clock": 14,
                         "spot": 55, "down": 4, "to_go": 5},
}  # fmt: skip
REPEATS = 3


def measure_solving() -> dict[str, Any]:
    """Measure solving, one query and a review of each solved game, and reviews of the others."""
    results = {name: _measure_solved(name) for name in SOLVED_GAMES}
    return results | {name: {"review": _measure_review(name)} for name in UNSOLVED_GAMES}


def _measure_review(name: str) -> dict[str, float]:
    """Measure the review of a whole game whose values are estimates."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "HASHMARK_DATA": folder}
        log = _play_game(environment, name, Path(folder), away="book", seed=1)
        _run(environment, "warm", name)
        return _run(environment, "review", log)


def _measure_solved(name: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as data_folder:
        folder = Path(data_folder)
        environment = {**os.environ, "HASHMARK_DATA": data_folder}
        solve = _run(environment, "solve", name)
        (folder / "position.json").write_text(json.dumps(POSITIONS[name]))
        log = _play_game(environment, name, folder, away="bold", seed=4)
        starts = {
            command: _best_processor_seconds(environment, command, "--help")
            for command in ("best", "review")
        }
        best = _best_processor_seconds(
            environment, "best", name, "--position", str(folder / "position.json")
        )
        review = _best_processor_seconds(environment, "review", log)
        return {
            "solve": solve,
            "file_megabytes": sum(path.stat().st_size for path in folder.glob("*/*.solution"))
            // 10**6,
            "version_processor_seconds": _best_processor_seconds(environment, "--version"),
            "start_processor_seconds": starts,
            "best_beyond_start": round(best - starts["best"], 3),
            "review_beyond_start": round(review - starts["review"], 3),
        }


def _play_game(
    environment: dict[str, str], name: str, folder: Path, *, away: str, seed: int
) -> str:
    """Play a game of the book against another coach and return the path of its log."""
    log = str(folder / "game.log")
    seats = ("--home", "coach:book", "--away", f"coach:{away}")
    _run(environment, "play", name, *seats, "--seed", str(seed), "--log", log)
    return log


def _best_processor_seconds(environment: dict[str, str], *arguments: str) -> float:
    return float(min(_run(environment, *arguments)["processor_seconds"] for _ in range(REPEATS)))


def _run(environment: dict[str, str], *arguments: str) -> dict[str, float]:
    """Run a command; return its wall-clock and processor seconds and its peak memory."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "hashmark", *arguments]
    process = subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return {
        "seconds": round(time.perf_counter() - start, 2),
        "processor_seconds": round(usage.ru_utime + usage.ru_stime, 3),
        "megabytes": usage.ru_maxrss // 1000,
        "load": round(os.getloadavg()[0], 1),
    }
