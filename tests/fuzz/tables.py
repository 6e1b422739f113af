"""Fuzzes the tables of a season, its schedule and its real figures: refused, or usable."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from hashmark.league.facts import real, schedule
from hashmark.table import places

from . import hostile
from .harness import Fuzzer, main

ROWS = 41  # a head and whole pairs


@cache
def honest(module: str) -> list[str]:
    """The first lines of a shipped table."""
    suffix = schedule.SUFFIX if module == "schedule" else real.SUFFIX
    text = (schedule.SHIPPED / f"2008{suffix}").read_text(encoding="utf-8")
    return text.splitlines()[:ROWS]


def make(random: Random) -> bytes:
    lines = list(honest(random.choice(("schedule", "figures"))))
    for _ in range(random.choice((1, 1, 2, 3))):
        at = random.randrange(len(lines))
        cells = lines[at].split(",")
        cells[random.randrange(len(cells))] = random.choice((*hostile.TEXTS, *hostile.NUMBERS))
        what = random.random()
        if what < 0.7:
            lines[at] = ",".join(cells)
        elif what < 0.8:
            lines[at] = ",".join(cells[: random.randrange(len(cells))])
        else:
            lines[at] = hostile.mutated_text(random, lines[at])
    raw = ("\n".join(lines) + "\n").encode(errors="surrogatepass")
    return hostile.mutated_bytes(random, raw) if random.random() < 0.1 else raw


def check(case: bytes) -> None:
    """The case as either table: it is read as the other one too."""
    with TemporaryDirectory() as folder, places.look_in([Path(folder)]):
        if case.startswith(b"id,"):
            (Path(folder) / f"2008{schedule.SUFFIX}").write_bytes(case)
            read = schedule.load(2008)
            for team in schedule.TEAMS:
                read.record(team)
                read.wins(team)
            return
        (Path(folder) / f"2008{real.SUFFIX}").write_bytes(case)
        real.write(real.load(2008))


FUZZER = Fuzzer("tables", ".csv", make, check)

if __name__ == "__main__":
    main(FUZZER)
