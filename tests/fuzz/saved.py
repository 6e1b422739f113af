"""Fuzzer of saved seasons: refused with a sentence, or counts that add up to a report."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from hashmark.league.facts import schedule
from hashmark.league.seasons import saved
from hashmark.league.seasons.outcome import Outcome
from hashmark.league.seasons.season import Recipe
from hashmark.league.seasons.season_page import season_page
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
    header = {"format": saved.FORMAT, "identity": IDENTITY, "done": [[0, 5], [7, 5]]}
    return {**header, "tally": tally.to_json()}


def make(random: Random) -> bytes:
    return hostile.make_json(random, valid_data())


def check(case: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "case.json"
        path.write_bytes(case)
        progress = saved.read(path, IDENTITY)
    if progress is None or not progress.tally.runs:
        return
    progress.left(30, 10)
    outcome = Outcome(
        recipe=Recipe(2008),
        schedule=schedule.load(2008),
        tally=progress.tally,
        asked=30,
        seed=0,
        seconds=1.0,
        preparing=0.0,
        earlier=0,
        games=1,
        saved=None,
    )
    outcome.to_json()
    season_page(outcome).html()


FUZZER = Fuzzer("saved", ".json", make, check)

if __name__ == "__main__":
    main(FUZZER)
