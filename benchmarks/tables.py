"""Many tables at once: how long an answer takes, against a bare route of the same server; and how
heavy its pages are.

The server is a process of its own. Here as many players as there are tables call as fast as they
are asked, each over one connection, and before each call ask the bare route once: both kinds of
request meet the same queue. The requests are written by hand, so that asking costs little.
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
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PAGES = (("lobby", "/"), ("table", "/table"), ("new game", "/new/data-driven"))
LATER = 30  # calls after which the page of a table is weighed
GAMES = ("fourth-down", "roll-for-yardage", "rapid-roll", "data-driven")
PROGRAM = (
    "import sys; from hashmark.web.serving import serve; from hashmark.web.limits import Limits; "
    "serve('127.0.0.1', 0, sys.argv[1], False, lambda said: print(said, flush=True), "
    "Limits(rate=1e6, burst=10**6, tables_each=10**4, tables=10**4, loaded=10**4, "
    "streams=10**4, streams_each=10**4), workers=int(sys.argv[2]))"
)


@dataclass
class Line:
    """One connection to the server."""

    port: int
    token: str = ""
    reader: Any = None
    writer: Any = None

    async def ask(self, method: str, path: str, form: dict[str, Any] | None = None) -> Any:
        """One request, and what it says."""
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        body = b"" if form is None else json.dumps(form).encode()
        head = [f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}"]
        head += ["Content-Type: application/json"] if form is not None else []
        head += [f"Authorization: Bearer {self.token}"] if self.token else []
        self.writer.write("\r\n".join([*head, "", ""]).encode() + body)
        answered = await self.reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", answered)
        text = await self.reader.readexactly(int(length[1]) if length else 0)
        if not answered.startswith(b"HTTP/1.1 2"):
            raise RuntimeError(f"{path}: {answered[:20]!r} {text[:200]!r}")
        return json.loads(text)


@dataclass
class Times:
    """How long each request took, in milliseconds."""

    calls: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)

    def figures(self, seconds: float) -> dict[str, float]:
        """Calls a second, and their times against those of the bare route."""
        half, most = share(self.calls, 0.5), share(self.calls, 0.99)
        bare, bare_most = share(self.bare, 0.5), share(self.bare, 0.99)
        return {
            "calls_a_second": round(len(self.calls) / seconds),
            "call_ms_50th": half,
            "call_ms_99th": most,
            "bare_ms_50th": bare,
            "bare_ms_99th": bare_most,
            "ratio_50th": round(half / bare, 2),
            "ratio_99th": round(most / bare_most, 2),
        }


async def timed(times: list[float], asked: Any) -> Any:
    begun = time.perf_counter()
    found = await asked
    times.append(1000 * (time.perf_counter() - begun))
    return found


async def play(port: int, number: int, until: float, times: Times, pause: float) -> None:
    """One table: laid, begun, and called at until time is up; a finished game is followed by
    another."""
    line, luck = Line(port), random.Random(number)
    while time.monotonic() < until:
        made = await line.ask("POST", "/api/tables", {"rules": GAMES[number % len(GAMES)]})
        line.token = made["token"] or line.token
        at = f"/api/tables/{made['id']}"
        state = await line.ask("POST", f"{at}/ready", {"word": "x"})
        while time.monotonic() < until and not state["over"]:
            wanted = state["wanted"]
            if not wanted or not wanted["yours"]:
                state = await line.ask("GET", f"{at}?wait=5")
                continue
            await asyncio.sleep(luck.uniform(0, 2 * pause))
            await timed(times.bare, line.ask("GET", "/api/alive"))
            call = luck.choice(wanted["calls"])["call"]
            form = {"moment": wanted["moment"], "call": call}
            state = await timed(times.calls, line.ask("POST", f"{at}/answers", form))
    line.writer.close()


async def bytes_of(port: int, path: str, token: str = "") -> tuple[int, str]:
    """All bytes that come for an address, packed as for a browser; and what they say."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n"
    cookie = f"Cookie: hashmark={token}\r\n" if token else ""
    writer.write(f"{head}{cookie}Connection: close\r\n\r\n".encode())
    answered = await reader.read()
    writer.close()
    headers, _, body = answered.partition(b"\r\n\r\n")
    if b"transfer-encoding: chunked" in headers.lower():
        body = unchunked(body)
    packed = b"content-encoding: gzip" in headers.lower()
    return len(answered), (gzip.decompress(body) if packed else body).decode()


def unchunked(body: bytes) -> bytes:
    """A body that came in pieces."""
    whole = b""
    while body:
        length, _, rest = body.partition(b"\r\n")
        whole, body = whole + rest[: int(length, 16)], rest[int(length, 16) + 2 :]
    return whole


async def called_at(line: Line) -> str:
    """The page of a table at which some plays have been called."""
    made = await line.ask("POST", "/api/tables", {"rules": "data-driven"})
    line.token, at = made["token"], f"/api/tables/{made['id']}"
    await line.ask("POST", f"{at}/ready", {"word": "x"})
    for _ in range(LATER):
        wanted = (await line.ask("GET", f"{at}?wait=5"))["wanted"]
        form = {"moment": wanted["moment"], "call": wanted["calls"][0]["call"]}
        await line.ask("POST", f"{at}/answers", form)
    await line.ask("GET", f"{at}?wait=5")
    line.writer.close()
    return f"/table/{made['id']}"


async def weight(port: int, path: str) -> int:
    """A page with its styles and scripts and what those import, as a first visitor loads it."""
    line = Line(port)
    if path == "/table":
        path = await called_at(line)
    total, page = await bytes_of(port, path, line.token)
    wanted = set(re.findall(r'(?:src|href)="(/[^"]*\.(?:css|js|svg))"', page))
    seen: set[str] = set()
    while wanted:
        one = wanted.pop()
        seen.add(one)
        size, text = await bytes_of(port, one)
        total += size
        wanted |= {
            f"/static/{name}" for name in re.findall(r'(?:import|from) "\./([^"]+)"', text)
        } - seen
    return total


def share(values: list[float], part: float) -> float:
    return round(sorted(values)[int(part * (len(values) - 1))], 2)


def memory_of(process: int) -> int:
    """The memory of a process in kilobytes."""
    said = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    found = re.search(r"VmRSS:\s+(\d+)", said)
    return int(found[1]) if found else 0


async def measure(
    port: int, process: int, tables: float, seconds: float, pause: float
) -> dict[str, Any]:
    for number in range(len(GAMES)):  # what is loaded once is loaded
        await play(port, number, time.monotonic() + 1, Times(), 0)
    empty = memory_of(process)
    times = Times()
    until = time.monotonic() + seconds
    await asyncio.gather(
        *(play(port, number, until, times, pause) for number in range(int(tables)))
    )
    return {
        "tables": tables,
        **times.figures(seconds),
        "kilobytes_a_table": round((memory_of(process) - empty) / tables),
        "page_bytes": {name: await weight(port, path) for name, path in PAGES},
    }


@contextmanager
def server(workers: int = 0) -> Iterator[tuple[int, int]]:
    """A server in a process of its own with an empty database: its port and its process."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'tables.db'}"
        with subprocess.Popen(
            [sys.executable, "-c", PROGRAM, url, str(workers)], stdout=subprocess.PIPE, text=True
        ) as served:
            assert served.stdout is not None
            found = re.search(r":(\d+)/", served.stdout.readline())
            assert found is not None
            try:
                yield int(found[1]), served.pid
            finally:
                served.terminate()


def tables_at_once(
    tables: float = 200, seconds: float = 20.0, pause: float = 0.0
) -> dict[str, Any]:
    """So many tables against coaches, for so many seconds; a player pauses before each call."""
    with server() as (port, process):
        return asyncio.run(measure(port, process, tables, seconds, pause))


if __name__ == "__main__":
    print(json.dumps(tables_at_once(*map(float, sys.argv[1:])), indent=2))
