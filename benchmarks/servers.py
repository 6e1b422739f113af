"""Benchmark of several servers on one database: tables, response times, spectators, memory.

Each server runs in its own process, and so does a client for each server, so that the clients are
not the bottleneck. A client makes each call as soon as the server asks and requests the bare route
of the same server before it. Every other call goes to the next server, so that the servers share
tables. Spectators follow one game between coaches through event streams.

PostgreSQL is the installed version, with its own data folder, and waits for its disk (fsync on) as
SQLite does.
"""

from __future__ import annotations

import asyncio
import json
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tables import (
    GAMES,
    Connection,
    ResponseTimes,
    create_sqlite,
    resident_kilobytes,
    run_server_on,
    time_request,
)

SERVER_COUNTS = (1, 2, 4)
TABLE_COUNT = 120
RUN_SECONDS = 15.0
SPECTATOR_COUNT = 1000


# --- Databases -----------------------------------------------------------------------------------


def find_postgresql() -> Path | None:
    """Return the folder of PostgreSQL's programs, or None."""
    initdb = shutil.which("initdb")
    folders = [Path(initdb).resolve().parent] if initdb else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "postgres").exists()), None)


@contextmanager
def run_postgresql() -> Iterator[str]:
    """Run a private PostgreSQL server with default settings; yield its URL."""
    bin_folder, folder = find_postgresql(), tempfile.mkdtemp(prefix="hashmark-bench-")
    assert bin_folder is not None
    process_options: dict[str, Any] = {"cwd": folder, "stdout": subprocess.DEVNULL}
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        account = pwd.getpwnam("postgres")
        process_options |= {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        os.chown(folder, account.pw_uid, account.pw_gid)
    data = f"{folder}/data"
    initdb = [str(bin_folder / "initdb"), "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8"]
    settings = ("listen_addresses=", f"unix_socket_directories={folder}", "max_connections=300")
    flags = [flag for setting in settings for flag in ("-c", setting)]
    try:
        subprocess.run([*initdb, "--locale=C"], check=True, **process_options)
        process = subprocess.Popen(
            [str(bin_folder / "postgres"), "-D", data, *flags],
            stderr=subprocess.DEVNULL,
            **process_options,
        )
        try:
            yield _wait_until_ready(f"postgresql://postgres@/postgres?host={folder}")
        finally:
            process.terminate()
            process.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait_until_ready(url: str) -> str:
    import psycopg

    for _ in range(600):
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            time.sleep(0.1)
        else:
            return url
    raise RuntimeError("PostgreSQL does not start")


@contextmanager
def run_servers(url: str, count: int) -> Iterator[list[tuple[int, int]]]:
    """Run servers on a database; yield their ports and PIDs."""
    with ExitStack() as stack:
        yield [stack.enter_context(run_server_on(url)) for _ in range(count)]


# --- Tables --------------------------------------------------------------------------------------


async def play_games(ports: list[int], number: int, until: float, times: ResponseTimes) -> None:
    """Play games at one table after another; every other call goes to the next server."""
    connections = [Connection(port) for port in ports]
    token, calls = "", 0
    while time.monotonic() < until:
        connection = connections[0]
        connection.token = token
        created = await connection.request(
            "POST", "/api/tables", {"rules": GAMES[number % len(GAMES)]}
        )
        token = created["token"] or token
        for each in connections:
            each.token = token
        table_path = f"/api/tables/{created['id']}"
        state = await connection.request("POST", f"{table_path}/ready", {"word": "x"})
        while time.monotonic() < until and not state["over"]:
            pending = state["wanted"]
            if not pending or not pending["yours"]:
                state = await connection.request("GET", f"{table_path}?wait=5")
                continue
            connection = connections[calls % 2 % len(connections)]
            calls += 1
            await time_request(times.bare, connection.request("GET", "/api/alive"))
            form = {"moment": pending["moment"], "call": pending["calls"][0]["call"]}
            state = await time_request(
                times.calls, connection.request("POST", f"{table_path}/answers", form)
            )
    for each in connections:
        if each.writer is not None:
            each.writer.close()


async def run_client(ports: list[int], tables: int, seconds: float) -> dict[str, list[float]]:
    """Play at some tables and return all response times; runs in its own process."""
    times, until = ResponseTimes(), time.monotonic() + seconds
    await asyncio.gather(*(play_games(ports, number, until, times) for number in range(tables)))
    return {"calls": times.calls, "bare": times.bare}


def measure_tables(url: str, count: int, tables: int, seconds: float) -> dict[str, Any]:
    """Measure tables on several servers, each with its own client."""
    with run_servers(url, count) as running:
        ports = [port for port, _ in running]
        _run_clients(ports, len(GAMES), 1.5)  # warm up: load everything once
        before = sum(resident_kilobytes(process) for _, process in running)
        times = _run_clients(ports, tables, seconds)
        after = sum(resident_kilobytes(process) for _, process in running)
    return {
        "servers": count,
        "tables": tables,
        **times.summary(seconds),
        "megabytes_of_all_servers": round(after / 1024),
        "kilobytes_a_table": round((after - before) / tables),
    }


def _start_client(*arguments: str) -> subprocess.Popen[str]:
    """Start this program as a client in its own process; see `main`."""
    program = [sys.executable, __file__, *arguments]
    return subprocess.Popen(program, stdout=subprocess.PIPE, text=True)


def _run_clients(ports: list[int], tables: int, seconds: float) -> ResponseTimes:
    """Run one client process per server, which is the first server it calls."""
    clients = []
    for index in range(len(ports)):
        near = [*ports[index:], *ports[:index]][:2]
        arguments = ("call", json.dumps(near), str(max(1, tables // len(ports))), str(seconds))
        clients.append(_start_client(*arguments))
    times = ResponseTimes()
    for client in clients:
        output = json.loads(client.communicate()[0])
        times.calls += output["calls"]
        times.bare += output["bare"]
    return times


# --- Spectators ----------------------------------------------------------------------------------


async def follow_streams(port: int, table: str, seconds: float, spectators: int) -> dict[str, Any]:
    """Follow one game through many streams; count events and gaps. Runs in its own process."""
    received = [0] * spectators
    last = [0] * spectators
    gaps = 0

    async def listen(index: int) -> None:
        nonlocal gaps
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        path = f"/api/tables/{table}/stream"
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        async for line in reader:
            if line.startswith(b"id: "):
                number = int(line[4:])
                gaps += last[index] not in (0, number - 1)
                last[index] = number
                received[index] += 1

    tasks = [asyncio.ensure_future(listen(index)) for index in range(spectators)]
    while min(received) < 1:
        await asyncio.sleep(0.1)
    before, start = sum(received), time.monotonic()
    await asyncio.sleep(seconds)
    event_count = sum(received) - before
    elapsed = time.monotonic() - start
    for task in tasks:
        task.cancel()
    return {"events_a_second": event_count / elapsed, "gaps": gaps, "behind": max(last) - min(last)}


def measure_spectators(url: str, count: int, watchers: int, seconds: float) -> dict[str, Any]:
    """Measure spectators of one fast game between coaches.

    The first server plays the game, and the spectators are spread over all servers.
    """
    with run_servers(url, count) as running:
        coaches = {"home": "coach:random", "away": "coach:random"}
        form = {"rules": "data-driven", "seats": coaches, "pace": 0.1}

        async def create_table() -> str:
            created = await Connection(running[0][0]).request("POST", "/api/tables", form)
            return str(created["id"])

        table = asyncio.run(create_table())
        before = sum(resident_kilobytes(process) for _, process in running)
        clients = [
            _start_client("look", str(port), table, str(seconds), str(watchers // count))
            for port, _ in running
        ]
        outputs = [json.loads(output.communicate()[0]) for output in clients]
        after = sum(resident_kilobytes(process) for _, process in running)
    return {
        "servers": count,
        "watchers": watchers,
        "events_a_second": round(sum(output["events_a_second"] for output in outputs)),
        "gaps": sum(output["gaps"] for output in outputs),
        "kilobytes_a_watcher": round((after - before) / watchers),
    }


def measure_servers(
    tables: int = TABLE_COUNT, seconds: float = RUN_SECONDS, watchers: int = SPECTATOR_COUNT
) -> dict[str, Any]:
    """Measure one, two and four servers on SQLite and on PostgreSQL."""
    databases = {"sqlite": create_sqlite, "postgresql": run_postgresql}
    if find_postgresql() is None:
        databases.pop("postgresql")
    results: dict[str, Any] = {}
    for name, database in databases.items():
        results[name] = []
        for count in SERVER_COUNTS:
            with database() as url:
                figures = measure_tables(url, count, tables, seconds)
            with database() as url:
                figures["watched"] = measure_spectators(url, count, watchers, seconds)
            results[name].append(figures)
    return (
        results
        if len(databases) > 1
        else {**results, "postgresql": "not measured: it is not installed"}
    )


def main(action: str, *arguments: str) -> None:
    if action == "call":
        ports, tables, seconds = arguments
        played = run_client(json.loads(ports), int(tables), float(seconds))
        print(json.dumps(asyncio.run(played)))
    else:
        port, table, seconds, watchers = arguments
        followed = follow_streams(int(port), table, float(seconds), int(watchers))
        print(json.dumps(asyncio.run(followed)))


if __name__ == "__main__":
    if sys.argv[1:2] in (["call"], ["look"]):
        main(*sys.argv[1:])
    else:
        print(json.dumps(measure_servers(), indent=2))
