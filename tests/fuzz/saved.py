"""Fuzzer of saved seasons: refused with a sentence, or counts that add up to a report."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from hashmark.league.data import schedule
from hashmark.league.seasons import checkpoints
from hashmark.league.seasons.outcome import SeasonOutcome
from hashmark.league.seasons.season import Recipe
from hashmark.league.seasons.season_report import build_season_report
from hashmark.league.seasons.tally import ROBIN_GAMES, Tally

from . import hostile
from .harness import Fuzzer, main

IDENTITY = "0123456789abcdef"


@cache
def valid_data() -> dict[str, Any]:
    """Return ten seasons in which every team wins eight games."""
    tally = Tally.empty()
    tally.runs = 10
    tally.wins[:, 16] = tally.seeds[:, 0] = tally.reached[:, 0] = 10
    tally.robin[:, ROBIN_GAMES] = 20
    tally.points[:] = 3000
    header = {"format": checkpoints.FORMAT, "identity": IDENTITY, "done": [[0, 5], [7, 5]]}
    return {**header, "tally": tally.to_json()}


def make(random: Random) -> bytes:
    return hostile.make_json(random, valid_data())


def check(case: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "case.json"
        path.write_bytes(case)
        progress = checkpoints.read_checkpoint(path, IDENTITY)
    if progress is None or not progress.tally.runs:
        return
    progress.remaining_blocks(30, 10)
    outcome = SeasonOutcome(
        recipe=Recipe(2008),
        schedule=schedule.load(2008),
        tally=progress.tally,
        requested_runs=30,
        seed=0,
        seconds=1.0,
        compile_seconds=0.0,
        resumed_runs=0,
        games=1,
        checkpoint_path=None,
    )
    outcome.to_json()
    build_season_report(outcome).html()


FUZZER = Fuzzer("saved", ".json", make, check)

if __name__ == "__main__":
    main(FUZZER)
