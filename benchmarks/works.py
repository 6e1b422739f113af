"""Whether long work slows a table: answer times while a season is played beside the server, against
the same tables without, turn by turn in one run.

The tables are those of `tables.py`, each with a player who calls at a human pace. A turn without
work is followed by one with it, several times, so that whatever else the machine does is in both.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import Any

from tables import Line, Times, play, server, share

WORKER = 1
RUNS = 10_000  # seasons: more than fit into a run
PREPARED = 600.0  # seconds that compiling may take on a slow machine


async def working(line: Line, seed: int) -> str:
    """Ask for a season, and wait until it is played; its key."""
    settings = {"season": 2008, "runs": RUNS, "seed": seed}
    made = await line.ask("POST", "/api/works", {"kind": "season", "settings": settings})
    line.token = made["token"] or line.token
    until = time.monotonic() + PREPARED
    while not (told := await line.ask("GET", f"/api/works/{made['key']}"))["progress"]["done"]:
        if told["state"] == "failed" or time.monotonic() > until:
            raise RuntimeError(f"the work does not begin: {told['said']}")
        await asyncio.sleep(0.5)
    return str(made["key"])


async def stopped(line: Line, key: str) -> int:
    """Stop the work; how many seasons it has played."""
    await line.ask("DELETE", f"/api/works/{key}")
    while (told := await line.ask("GET", f"/api/works/{key}"))["state"] not in ("stopped", "done"):
        await asyncio.sleep(0.1)
    return int(told["progress"]["done"])


async def turn(port: int, tables: int, seconds: float, pause: float, times: Times) -> None:
    until = time.monotonic() + seconds
    await asyncio.gather(*(play(port, number, until, times, pause) for number in range(tables)))


async def measure(
    port: int, tables: int, seconds: float, turns: int, pause: float
) -> dict[str, Any]:
    without, beside = Times(), Times()
    line = Line(port)
    await turn(port, 4, 1.0, 0.0, Times())  # what is loaded once is loaded
    seasons = 0
    await stopped(line, await working(line, 0))  # and compiled
    for number in range(1, turns + 1):
        await turn(port, tables, seconds, pause, without)
        key = await working(line, number)
        await turn(port, tables, seconds, pause, beside)
        seasons += await stopped(line, key)
    line.writer.close()
    return {
        "tables": tables,
        "turns": turns,
        "seasons_played_beside": seasons,
        **{
            f"{name}_ms_{said}": share(times, part)
            for name, times in (("without", without.calls), ("beside", beside.calls))
            for said, part in (("50th", 0.5), ("99th", 0.99))
        },
        **{
            f"ratio_{said}": round(share(beside.calls, part) / share(without.calls, part), 2)
            for said, part in (("50th", 0.5), ("99th", 0.99))
        },
        "bare_ratio_50th": round(share(beside.bare, 0.5) / share(without.bare, 0.5), 2),
    }


def tables_beside_work(
    tables: float = 20, seconds: float = 8.0, turns: float = 4, pause: float = 0.5
) -> dict[str, Any]:
    """So many tables, for some turns of so many seconds each without and with long work."""
    with server(WORKER) as (port, _):
        return asyncio.run(measure(port, int(tables), seconds, int(turns), pause))


if __name__ == "__main__":
    print(json.dumps(tables_beside_work(*map(float, sys.argv[1:])), indent=2))
