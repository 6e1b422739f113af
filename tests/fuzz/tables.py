"""Fuzzer of a season's CSV tables, its schedule and its real figures: refused, or usable."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hashmark.league.data import real_stats, schedule
from hashmark.storage import search_path

from . import hostile
from .harness import Fuzzer, main

ROWS = 41  # a header and whole pairs of rows


@cache
def valid_lines(module: str) -> list[str]:
    """Return the first lines of a shipped table."""
    suffix = schedule.SUFFIX if module == "schedule" else real_stats.SUFFIX
    text = (schedule.SHIPPED / f"2008{suffix}").read_text(encoding="utf-8")
    return text.splitlines()[:ROWS]


def make(random: Random) -> bytes:
    lines = list(valid_lines(random.choice(("schedule", "figures"))))
    for _ in range(random.choice((1, 1, 2, 3))):
        index = random.randrange(len(lines))
        cells = lines[index].split(",")
        cells[random.randrange(len(cells))] = random.choice((*hostile.TEXTS, *hostile.NUMBERS))
        choice = random.random()
        if choice < 0.7:
            lines[index] = ",".join(cells)
        elif choice < 0.8:
            lines[index] = ",".join(cells[: random.randrange(len(cells))])
        else:
            lines[index] = hostile.mutate_text(random, lines[index])
    raw = ("\n".join(lines) + "\n").encode(errors="surrogatepass")
    return hostile.mutate_bytes(random, raw) if random.random() < 0.1 else raw


def check(case: bytes) -> None:
    """Parse the case as the table that its first bytes indicate, and use it."""
    with TemporaryDirectory() as folder, search_path.search_first([Path(folder)]):
        if case.startswith(b"id,"):
            (Path(folder) / f"2008{schedule.SUFFIX}").write_bytes(case)
            season_schedule = schedule.load(2008)
            for team in schedule.TEAMS:
                season_schedule.record(team)
                season_schedule.wins(team)
            return
        (Path(folder) / f"2008{real_stats.SUFFIX}").write_bytes(case)
        real_stats.to_csv(real_stats.load(2008))


FUZZER = Fuzzer("tables", ".csv", make, check)

if __name__ == "__main__":
    main(FUZZER)
