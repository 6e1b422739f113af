"""Several servers at one database: tables held at once, answer times, watchers, memory.

The servers are processes of their own, and so are the callers: one for each server, so that those
who ask are not slower than those who answer. Each caller plays at its tables as fast as it is asked
and asks the bare route of the same server before each call; every other call is made at the next
server, so that tables are shared. Watchers look on at one game of coaches by streams.

PostgreSQL is the system's own, in a folder of its own, and waits for its disk (fsync on) as SQLite
does.
"""

from __future__ import annotations

import asyncio
import json
import os
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tables import GAMES, PROGRAM, Line, Times, memory_of, timed

SERVERS = (1, 2, 4)
TABLES = 120
SECONDS = 15.0
WATCHERS = 1000


# --- Databases -----------------------------------------------------------------------------------


@contextmanager
def sqlite() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        yield f"sqlite:///{Path(folder) / 'tables.db'}"


def programs() -> Path | None:
    """Where PostgreSQL's programs are."""
    found = shutil.which("initdb")
    places = [Path(found).resolve().parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((one for one in places if (one / "postgres").exists()), None)


@contextmanager
def postgresql() -> Iterator[str]:
    """A PostgreSQL of our own, with its usual settings."""
    place, folder = programs(), tempfile.mkdtemp(prefix="hashmark-bench-")
    assert place is not None
    more: dict[str, Any] = {"cwd": folder, "stdout": subprocess.DEVNULL}
    if os.geteuid() == 0:  # which PostgreSQL refuses
        who = pwd.getpwnam("postgres")
        more |= {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": []}
        os.chown(folder, who.pw_uid, who.pw_gid)
    data = f"{folder}/data"
    begin = [str(place / "initdb"), "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8"]
    settings = ("listen_addresses=", f"unix_socket_directories={folder}", "max_connections=300")
    flags = [part for one in settings for part in ("-c", one)]
    try:
        subprocess.run([*begin, "--locale=C"], check=True, **more)
        served = subprocess.Popen(
            [str(place / "postgres"), "-D", data, *flags], stderr=subprocess.DEVNULL, **more
        )
        try:
            yield _ready(f"postgresql://postgres@/postgres?host={folder}")
        finally:
            served.terminate()
            served.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _ready(url: str) -> str:
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
def servers(url: str, number: int) -> Iterator[list[tuple[int, int]]]:
    """So many servers at a database: their ports and processes."""
    with ExitStack() as stack:
        found = []
        for _ in range(number):
            served = stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", PROGRAM, url, "0"], stdout=subprocess.PIPE, text=True
                )
            )
            stack.callback(served.terminate)
            assert served.stdout is not None
            said = re.search(r":(\d+)/", served.stdout.readline())
            assert said is not None
            found.append((int(said[1]), served.pid))
        yield found


# --- Tables --------------------------------------------------------------------------------------


async def play(ports: list[int], number: int, until: float, times: Times) -> None:
    """One table, at which every other call is made at the next server."""
    lines = [Line(port) for port in ports]
    token, calls = "", 0
    while time.monotonic() < until:
        line = lines[0]
        line.token = token
        made = await line.ask("POST", "/api/tables", {"rules": GAMES[number % len(GAMES)]})
        token = made["token"] or token
        for one in lines:
            one.token = token
        at = f"/api/tables/{made['id']}"
        state = await line.ask("POST", f"{at}/ready", {"word": "x"})
        while time.monotonic() < until and not state["over"]:
            wanted = state["wanted"]
            if not wanted or not wanted["yours"]:
                state = await line.ask("GET", f"{at}?wait=5")
                continue
            line = lines[calls % 2 % len(lines)]
            calls += 1
            await timed(times.bare, line.ask("GET", "/api/alive"))
            form = {"moment": wanted["moment"], "call": wanted["calls"][0]["call"]}
            state = await timed(times.calls, line.ask("POST", f"{at}/answers", form))
    for one in lines:
        if one.writer is not None:
            one.writer.close()


async def call(ports: list[int], tables: int, seconds: float) -> dict[str, list[float]]:
    """In a process of its own: so many tables, and how long each request took."""
    times, until = Times(), time.monotonic() + seconds
    await asyncio.gather(*(play(ports, number, until, times) for number in range(tables)))
    return {"calls": times.calls, "bare": times.bare}


def tables_held(url: str, number: int, tables: int, seconds: float) -> dict[str, Any]:
    """Tables at so many servers, each with callers of its own."""
    with servers(url, number) as found:
        ports = [port for port, _ in found]
        _called(ports, len(GAMES), 1.5)  # what is loaded once is loaded
        before = sum(memory_of(process) for _, process in found)
        times = _called(ports, tables, seconds)
        after = sum(memory_of(process) for _, process in found)
    return {
        "servers": number,
        "tables": tables,
        **times.figures(seconds),
        "megabytes_of_all_servers": round(after / 1024),
        "kilobytes_a_table": round((after - before) / tables),
    }


def _called(ports: list[int], tables: int, seconds: float) -> Times:
    """All callers at once, one process for each server, which is the first that they ask."""
    callers = []
    for at in range(len(ports)):
        near = [*ports[at:], *ports[:at]][:2]
        what = ["call", json.dumps(near), str(max(1, tables // len(ports))), str(seconds)]
        callers.append(
            subprocess.Popen([sys.executable, __file__, *what], stdout=subprocess.PIPE, text=True)
        )
    times = Times()
    for one in callers:
        said = json.loads(one.communicate()[0])
        times.calls += said["calls"]
        times.bare += said["bare"]
    return times


# --- Watchers ------------------------------------------------------------------------------------


async def look_on(port: int, table: str, seconds: float, watchers: int) -> dict[str, Any]:
    """In a process of its own: so many streams of one game; what came, and whether all of it."""
    heard = [0] * watchers
    last = [0] * watchers
    gaps = 0

    async def listen(at: int) -> None:
        nonlocal gaps
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        path = f"/api/tables/{table}/stream"
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        async for line in reader:
            if line.startswith(b"id: "):
                number = int(line[4:])
                gaps += last[at] not in (0, number - 1)
                last[at] = number
                heard[at] += 1

    tasks = [asyncio.ensure_future(listen(at)) for at in range(watchers)]
    while min(heard) < 1:
        await asyncio.sleep(0.1)
    before, begun = sum(heard), time.monotonic()
    await asyncio.sleep(seconds)
    found = sum(heard) - before
    took = time.monotonic() - begun
    for task in tasks:
        task.cancel()
    return {"events_a_second": found / took, "gaps": gaps, "behind": max(last) - min(last)}


def watched(url: str, number: int, watchers: int, seconds: float) -> dict[str, Any]:
    """A game of coaches without a pause at the first server, watched at all of them."""
    with servers(url, number) as found:
        coaches = {"home": "coach:random", "away": "coach:random"}
        wish = {"rules": "data-driven", "seats": coaches, "pace": 0.1}

        async def lay() -> str:
            made = await Line(found[0][0]).ask("POST", "/api/tables", wish)
            return str(made["id"])

        table = asyncio.run(lay())
        before = sum(memory_of(process) for _, process in found)
        parts = []
        for port, _ in found:
            what = ["look", str(port), table, str(seconds), str(watchers // number)]
            parts.append(
                subprocess.Popen(
                    [sys.executable, __file__, *what], stdout=subprocess.PIPE, text=True
                )
            )
        said = [json.loads(one.communicate()[0]) for one in parts]
        after = sum(memory_of(process) for _, process in found)
    return {
        "servers": number,
        "watchers": watchers,
        "events_a_second": round(sum(one["events_a_second"] for one in said)),
        "gaps": sum(one["gaps"] for one in said),
        "kilobytes_a_watcher": round((after - before) / watchers),
    }


def several_servers(
    tables: int = TABLES, seconds: float = SECONDS, watchers: int = WATCHERS
) -> dict[str, Any]:
    """One, two and four servers at SQLite and at PostgreSQL."""
    kinds = {"sqlite": sqlite, "postgresql": postgresql}
    if programs() is None:
        kinds.pop("postgresql")
    said: dict[str, Any] = {}
    for name, database in kinds.items():
        said[name] = []
        for number in SERVERS:
            with database() as url:
                one = tables_held(url, number, tables, seconds)
            with database() as url:
                one["watched"] = watched(url, number, watchers, seconds)
            said[name].append(one)
    return said if len(kinds) > 1 else {**said, "postgresql": "not measured: it is not installed"}


def main(what: str, *given: str) -> None:
    if what == "call":
        ports, tables, seconds = json.loads(given[0]), int(given[1]), float(given[2])
        print(json.dumps(asyncio.run(call(ports, tables, seconds))))
    else:
        port, table, seconds, watchers = int(given[0]), given[1], float(given[2]), int(given[3])
        print(json.dumps(asyncio.run(look_on(port, table, seconds, watchers))))


if __name__ == "__main__":
    if sys.argv[1:2] in (["call"], ["look"]):
        main(*sys.argv[1:])
    else:
        print(json.dumps(several_servers(), indent=2))
