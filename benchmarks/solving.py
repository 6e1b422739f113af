"""Solving whole games, and asking them: time and memory of the commands, as a user starts them.

Each game is solved in an empty data folder, so that nothing is found done; compiled code may be at
hand. `best` and `review` are measured against the start of their own command (with `--help`, which
reads the command line and does nothing), and that against the start of any (`--version`). Games
that are not solved are reviewed by playing calls out; what that compiles is compiled before. Beside
the clock stands how many others wanted the processor.
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

GAMES = ("fourth-down", "roll-for-yardage")
ESTIMATED = ("rapid-roll", "data-driven")
POSITIONS = {
    "fourth-down": {"phase": "fourth-down", "possession": "home", "period": 2, "clock": 60,
                    "spot": 45, "down": 4, "to_go": 4},
    "roll-for-yardage": {"phase": "scrimmage", "possession": "home", "period": 3, "clock": 14,
                         "spot": 55, "down": 4, "to_go": 5},
}  # fmt: skip
TURNS = 3


def solving() -> dict[str, Any]:
    """Each solved game: solving it, one look at it, a review; and reviews of the others."""
    said = {name: _solved(name) for name in GAMES}
    return said | {name: {"review": _estimated(name)} for name in ESTIMATED}


def _estimated(name: str) -> dict[str, float]:
    """The review of a whole game whose values are estimates."""
    with tempfile.TemporaryDirectory() as place:
        known = {**os.environ, "HASHMARK_DATA": place}
        game = _game(known, name, Path(place), away="book", seed=1)
        _run(known, "warm", name)
        return _run(known, "review", game)


def _solved(name: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        known = {**os.environ, "HASHMARK_DATA": place}
        solved = _run(known, "solve", name)
        (folder / "position.json").write_text(json.dumps(POSITIONS[name]))
        game = _game(known, name, folder, away="bold", seed=4)
        starts = {of: _quickest(known, of, "--help") for of in ("best", "review")}
        best = _quickest(known, "best", name, "--position", str(folder / "position.json"))
        review = _quickest(known, "review", game)
        return {
            "solve": solved,
            "file_megabytes": sum(one.stat().st_size for one in folder.glob("*/*.solution"))
            // 10**6,
            "version_processor_seconds": _quickest(known, "--version"),
            "start_processor_seconds": starts,
            "best_beyond_start": round(best - starts["best"], 3),
            "review_beyond_start": round(review - starts["review"], 3),
        }


def _game(known: dict[str, str], name: str, folder: Path, *, away: str, seed: int) -> str:
    """The log of a whole game of the book against another coach."""
    log = str(folder / "game.log")
    seats = ("--home", "coach:book", "--away", f"coach:{away}")
    _run(known, "play", name, *seats, "--seed", str(seed), "--log", log)
    return log


def _quickest(known: dict[str, str], *arguments: str) -> float:
    return float(min(_run(known, *arguments)["processor_seconds"] for _ in range(TURNS)))


def _run(known: dict[str, str], *arguments: str) -> dict[str, float]:
    """A command: seconds by the clock and of the processor, and the most memory it had."""
    began = time.perf_counter()
    line = [sys.executable, "-m", "hashmark", *arguments]
    process = subprocess.Popen(
        line, env=known, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(line)} ended with {process.returncode}")
    return {
        "seconds": round(time.perf_counter() - began, 2),
        "processor_seconds": round(used.ru_utime + used.ru_stime, 3),
        "megabytes": used.ru_maxrss // 1000,
        "load": round(os.getloadavg()[0], 1),
    }
