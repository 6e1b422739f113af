"""Benchmark of many web tables at once: response times compared with a bare route, and page weight.

The server runs in its own process. One simulated player per table makes each call as soon as the
server asks, over one connection, and requests the bare route once before each call: both kinds of
request wait in the same queue. The requests are written by hand to keep the client cheap.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PAGES = (("lobby", "/"), ("table", "/table"), ("new game", "/new/data-driven"))
CALLS_BEFORE_WEIGHING = 30  # calls made at a table before its page is weighed
GAMES = ("fourth-down", "roll-for-yardage", "rapid-roll", "data-driven")
SERVER_PROGRAM = (
    "import sys; from hashmark.web.server import serve; from hashmark.web.rate_limits import "
    "Limits; "
    "serve('127.0.0.1', 0, sys.argv[1], False, lambda said: print(said, flush=True), "
    "Limits(rate=1e6, burst=10**6, tables_each=10**4, tables=10**4, loaded=10**4, "
    "streams=10**4, streams_each=10**4), workers=int(sys.argv[2]))"
)


@dataclass
class Connection:
    """One HTTP connection to the server."""

    port: int
    token: str = ""
    reader: Any = None
    writer: Any = None

    async def request(self, method: str, path: str, form: dict[str, Any] | None = None) -> Any:
        """Send one request and return the decoded JSON answer."""
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        body = b"" if form is None else json.dumps(form).encode()
        head = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}"]
        head += ["Content-Type: application/json"] if form is not None else []
        head += [f"Authorization: Bearer {self.token}"] if self.token else []
        self.writer.write("\r\n".join([*head, "", ""]).encode() + body)
        response_head = await self.reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", response_head)
        response_body = await self.reader.readexactly(int(length[1]) if length else 0)
        if not response_head.startswith(b"HTTP/1.1 2"):
            raise RuntimeError(f"{path}: {response_head[:20]!r} {response_body[:200]!r}")
        return json.loads(response_body)


@dataclass
class ResponseTimes:
    """Response times of calls and of the bare route, in milliseconds."""

    calls: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)

    def summary(self, seconds: float) -> dict[str, float]:
        """Return calls per second, and percentiles of calls and of the bare route."""
        call_50th, call_99th = percentile(self.calls, 0.5), percentile(self.calls, 0.99)
        bare_50th, bare_99th = percentile(self.bare, 0.5), percentile(self.bare, 0.99)
        return {
            "calls_a_second": round(len(self.calls) / seconds),
            "call_ms_50th": call_50th,
            "call_ms_99th": call_99th,
            "bare_ms_50th": bare_50th,
            "bare_ms_99th": bare_99th,
            "ratio_50th": round(call_50th / bare_50th, 2),
            "ratio_99th": round(call_99th / bare_99th, 2),
        }


async def time_request(times: list[float], request: Awaitable[Any]) -> Any:
    start = time.perf_counter()
    answer = await request
    times.append(1000 * (time.perf_counter() - start))
    return answer


async def play_games(
    port: int, number: int, until: float, times: ResponseTimes, pause: float
) -> None:
    """Create tables and play at them until time is up, one game after another."""
    connection, rng = Connection(port), random.Random(number)
    while time.monotonic() < until:
        created = await connection.request(
            "POST", "/api/tables", {"rules": GAMES[number % len(GAMES)]}
        )
        connection.token = created["token"] or connection.token
        table_path = f"/api/tables/{created['id']}"
        state = await connection.request("POST", f"{table_path}/ready", {"word": "x"})
        while time.monotonic() < until and not state["over"]:
            pending = state["wanted"]
            if not pending or not pending["yours"]:
                state = await connection.request("GET", f"{table_path}?wait=5")
                continue
            await asyncio.sleep(rng.uniform(0, 2 * pause))
            await time_request(times.bare, connection.request("GET", "/api/alive"))
            call = rng.choice(pending["calls"])["call"]
            form = {"moment": pending["moment"], "call": call}
            state = await time_request(
                times.calls, connection.request("POST", f"{table_path}/answers", form)
            )
    connection.writer.close()


async def fetch(port: int, path: str, token: str = "") -> tuple[int, str]:
    """Return the size of a response, compressed as for a browser, and its text."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n"
    cookie = f"Cookie: hashmark={token}\r\n" if token else ""
    writer.write(f"{head}{cookie}Connection: close\r\n\r\n".encode())
    response = await reader.read()
    writer.close()
    headers, _, body = response.partition(b"\r\n\r\n")
    if b"transfer-encoding: chunked" in headers.lower():
        body = decode_chunked(body)
    is_gzipped = b"content-encoding: gzip" in headers.lower()
    return len(response), (gzip.decompress(body) if is_gzipped else body).decode()


def decode_chunked(body: bytes) -> bytes:
    """Decode a body with chunked transfer encoding."""
    whole = b""
    while body:
        length, _, rest = body.partition(b"\r\n")
        whole, body = whole + rest[: int(length, 16)], rest[int(length, 16) + 2 :]
    return whole


async def create_played_table(connection: Connection) -> str:
    """Create a table, make some calls and return the path of its page."""
    created = await connection.request("POST", "/api/tables", {"rules": "data-driven"})
    connection.token, table_path = created["token"], f"/api/tables/{created['id']}"
    await connection.request("POST", f"{table_path}/ready", {"word": "x"})
    for _ in range(CALLS_BEFORE_WEIGHING):
        pending = (await connection.request("GET", f"{table_path}?wait=5"))["wanted"]
        form = {"moment": pending["moment"], "call": pending["calls"][0]["call"]}
        await connection.request("POST", f"{table_path}/answers", form)
    await connection.request("GET", f"{table_path}?wait=5")
    connection.writer.close()
    return f"/table/{created['id']}"


async def page_bytes(port: int, path: str) -> int:
    """Return the bytes that a first visitor loads: page, styles, scripts and imports."""
    connection = Connection(port)
    if path == "/table":
        path = await create_played_table(connection)
    total, page = await fetch(port, path, connection.token)
    queued = set(re.findall(r'(?:src|href)="(/[^"]*\.(?:css|js|svg))"', page))
    seen: set[str] = set()
    while queued:
        resource = queued.pop()
        seen.add(resource)
        size, text = await fetch(port, resource)
        total += size
        queued |= {
            f"/static/{name}" for name in re.findall(r'(?:import|from) "\./([^"]+)"', text)
        } - seen
    return total


def percentile(values: list[float], fraction: float) -> float:
    return round(sorted(values)[int(fraction * (len(values) - 1))], 2)


def resident_kilobytes(process: int) -> int:
    """Return the resident memory of a process in kilobytes."""
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    match = re.search(r"VmRSS:\s+(\d+)", status)
    return int(match[1]) if match else 0


async def measure_tables(
    port: int, process: int, tables: float, seconds: float, pause: float
) -> dict[str, Any]:
    for number in range(len(GAMES)):  # warm up: load everything once
        await play_games(port, number, time.monotonic() + 1, ResponseTimes(), 0)
    idle_kilobytes = resident_kilobytes(process)
    times = ResponseTimes()
    until = time.monotonic() + seconds
    await asyncio.gather(
        *(play_games(port, number, until, times, pause) for number in range(int(tables)))
    )
    return {
        "tables": tables,
        **times.summary(seconds),
        "kilobytes_a_table": round((resident_kilobytes(process) - idle_kilobytes) / tables),
        "page_bytes": {name: await page_bytes(port, path) for name, path in PAGES},
    }


@contextmanager
def create_sqlite() -> Iterator[str]:
    """Create a folder for a database; yield the URL."""
    with tempfile.TemporaryDirectory() as folder:
        yield f"sqlite:///{Path(folder) / 'tables.db'}"


@contextmanager
def run_server_on(url: str, workers: int = 0) -> Iterator[tuple[int, int]]:
    """Run a server on a database in a separate process; yield its port and PID."""
    program = [sys.executable, "-c", SERVER_PROGRAM, url, str(workers)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        match = re.search(r":(\d+)/", process.stdout.readline())
        assert match is not None
        try:
            yield int(match[1]), process.pid
        finally:
            process.terminate()


@contextmanager
def run_server(workers: int = 0) -> Iterator[tuple[int, int]]:
    """Run a server on an empty database; yield its port and PID."""
    with create_sqlite() as url, run_server_on(url, workers) as running:
        yield running


def measure_tables_at_once(
    tables: float = 200, seconds: float = 20.0, pause: float = 0.0
) -> dict[str, Any]:
    """Measure tables against coaches for some seconds.

    Each player pauses before every call, `pause` seconds on average.
    """
    with run_server() as (port, process):
        return asyncio.run(measure_tables(port, process, tables, seconds, pause))


if __name__ == "__main__":
    print(json.dumps(measure_tables_at_once(*map(float, sys.argv[1:])), indent=2))
