"""Benchmark of table response times while a background job simulates a season.

The tables are those of `tables.py`, each with a player who calls at a human pace. Rounds without
and with a job alternate in one run, so that other load on the machine affects both alike.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import Any

from tables import Connection, ResponseTimes, percentile, play_games, run_server

WORKER_COUNT = 1
SEASON_RUNS = 10_000  # more than a round can finish
MAX_COMPILE_SECONDS = 600.0  # on a slow machine


async def start_job(connection: Connection, seed: int) -> str:
    """Start a season job, wait until its first season is done, and return its key."""
    settings = {"season": 2008, "runs": SEASON_RUNS, "seed": seed}
    created = await connection.request(
        "POST", "/api/works", {"kind": "season", "settings": settings}
    )
    connection.token = created["token"] or connection.token
    until = time.monotonic() + MAX_COMPILE_SECONDS
    while not (job := await connection.request("GET", f"/api/works/{created['key']}"))["progress"][
        "done"
    ]:
        if job["state"] == "failed" or time.monotonic() > until:
            raise RuntimeError(f"the work does not begin: {job['said']}")
        await asyncio.sleep(0.5)
    return str(created["key"])


async def stop_job(connection: Connection, key: str) -> int:
    """Stop a job and return how many seasons it has simulated."""
    await connection.request("DELETE", f"/api/works/{key}")
    while (job := await connection.request("GET", f"/api/works/{key}"))["state"] not in (
        "stopped",
        "done",
    ):
        await asyncio.sleep(0.1)
    return int(job["progress"]["done"])


async def run_round(
    port: int, tables: int, seconds: float, pause: float, times: ResponseTimes
) -> None:
    until = time.monotonic() + seconds
    await asyncio.gather(
        *(play_games(port, number, until, times, pause) for number in range(tables))
    )


async def measure(
    port: int, tables: int, seconds: float, turns: int, pause: float
) -> dict[str, Any]:
    without_job, with_job = ResponseTimes(), ResponseTimes()
    connection = Connection(port)
    await run_round(port, 4, 1.0, 0.0, ResponseTimes())  # warm up: load everything once
    seasons = 0
    await stop_job(connection, await start_job(connection, 0))  # and compile
    for number in range(1, turns + 1):
        await run_round(port, tables, seconds, pause, without_job)
        key = await start_job(connection, number)
        await run_round(port, tables, seconds, pause, with_job)
        seasons += await stop_job(connection, key)
    connection.writer.close()
    return {
        "tables": tables,
        "turns": turns,
        "seasons_played_beside": seasons,
        **{
            f"{name}_ms_{label}": percentile(times, fraction)
            for name, times in (("without", without_job.calls), ("beside", with_job.calls))
            for label, fraction in (("50th", 0.5), ("99th", 0.99))
        },
        **{
            f"ratio_{label}": round(
                percentile(with_job.calls, fraction) / percentile(without_job.calls, fraction), 2
            )
            for label, fraction in (("50th", 0.5), ("99th", 0.99))
        },
        "bare_ratio_50th": round(
            percentile(with_job.bare, 0.5) / percentile(without_job.bare, 0.5), 2
        ),
    }


def measure_tables_with_job(
    tables: float = 20, seconds: float = 8.0, turns: float = 4, pause: float = 0.5
) -> dict[str, Any]:
    """Measure tables in rounds of some seconds, alternately without and with a job."""
    with run_server(WORKER_COUNT) as (port, _):
        return asyncio.run(measure(port, int(tables), seconds, int(turns), pause))


if __name__ == "__main__":
    print(json.dumps(measure_tables_with_job(*map(float, sys.argv[1:])), indent=2))
