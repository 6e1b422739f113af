"""Let hostile clients send the worst input of each parser; see whether the server stays responsive.

    python benchmarks/hostile.py [--only KIND ...] [--seconds S] [--json]
    python benchmarks/hostile.py --each [--only KIND ...]

For each kind of input (`hostile_inputs.py`) a fresh server runs on two cores with the default
limits, as one that strangers can reach. The latency of its health route is measured for some
seconds without other requests, then for as long while 20 clients with addresses of their own send
hostile input. Each client waits for an answer before its next request and is bounded in requests
and bytes a second: this measures the cost of input, not a flood.

Latencies count from the moment when a request was due, so that a stall counts for all requests that
it delays. A kind passes if p99 of the health route is at most 5 times its idle value, no answer has
status 500, and the server with its worker processes stays below 2 GB. The server is killed beyond
that, as the kernel would do; it is no limit of address space (RLIMIT_AS), because threads and
memory pools reserve far more than they use. Shared pages are counted once (PSS).

With --each every input is sent alone, and its cost in processor time and memory is printed: the
worklist. Unlike latencies, these figures mean something on a busy machine too.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hostile_inputs import INPUTS, HostileRequest
from tables import percentile

CLIENT_COUNT = 20
CONNECTIONS_OF_SLOW_CLIENT = 50
REQUESTS_A_SECOND = 2.0  # of one client
BYTES_A_SECOND = 1_000_000  # of one client
CHUNK_BYTES = 64 * 1024
MAX_RATIO = 5.0
MAX_MEMORY_BYTES = 2 * 10**9
CORES = 2
SAMPLE_SECONDS = 0.2  # between two looks at the server's memory
PROBE_SECONDS = 0.025  # between two health requests; below the default rate limit
PROBE_TIMEOUT_SECONDS = 30.0
WARM_UP_SECONDS = 1.0
WORKER_IDLE_SECONDS = 4.0  # after which a worker process is done
CHARTS_PATH = "/api/charts"  # whose input is read by a worker process
CLOCK_TICKS = os.sysconf("SC_CLK_TCK")
SERVER_PROGRAM = (
    "import sys; from hashmark.web.server import serve; "
    "serve('127.0.0.1', 0, sys.argv[1], False, lambda line: print(line, flush=True), workers=1)"
)


# --- The server ----------------------------------------------------------------------------------


@contextmanager
def run_public_server() -> Iterator[tuple[int, int]]:
    """Run a server with default limits that does not trust its callers; yield its port and PID."""
    with tempfile.TemporaryDirectory(prefix="hashmark-hostile-") as folder:
        url = f"sqlite:///{Path(folder) / 'tables.db'}"
        process = subprocess.Popen(
            [sys.executable, "-c", SERVER_PROGRAM, url],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
            env={**os.environ, "HASHMARK_HOSTS": "hostile.example"},
        )
        assert process.stdout is not None
        try:
            os.sched_setaffinity(process.pid, sorted(os.sched_getaffinity(0))[:CORES])
            match = re.search(r":(\d+)/", process.stdout.readline())
            assert match is not None, "the server does not start"
            yield int(match[1]), process.pid
        finally:
            with suppress(ProcessLookupError):  # with its worker processes
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            process.stdout.close()


def find_processes(root: int) -> list[int]:
    """Return a process and all its descendants."""
    found = [root]
    for process in found:
        for tasks in Path(f"/proc/{process}/task").glob("*/children"):
            with suppress(OSError):
                found += map(int, tasks.read_text().split())
    return found


def proportional_bytes(process: int) -> int:
    """Return the resident memory of a process, with shared pages divided among those who share."""
    with suppress(OSError):
        rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
        match = re.search(r"^Pss:\s+(\d+)", rollup, re.MULTILINE)
        return 1024 * int(match[1]) if match else 0
    return 0


def processor_seconds(process: int) -> float:
    """Return the processor time of a process so far."""
    with suppress(OSError):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS
    return 0.0


class Watch(threading.Thread):
    """Watch over memory and processor time of a server; kill it beyond its memory limit."""

    def __init__(self, root: int) -> None:
        super().__init__(daemon=True)
        self.root, self.ended, self.died = root, threading.Event(), ""
        self.peak_bytes = 0
        self.start_seconds: dict[int, float] = {
            process: processor_seconds(process) for process in find_processes(root)
        }
        self.seconds: dict[int, float] = dict(self.start_seconds)

    def run(self) -> None:
        while not self.ended.wait(SAMPLE_SECONDS) and not self.died:
            self.sample()

    def sample(self) -> None:
        processes = find_processes(self.root)
        for process in processes:
            self.seconds[process] = max(self.seconds.get(process, 0.0), processor_seconds(process))
        used = sum(map(proportional_bytes, processes))
        self.peak_bytes = max(self.peak_bytes, used)
        if not used:
            self.died = "the server has ended"
        elif used > MAX_MEMORY_BYTES:
            self.died = "out of memory"
            os.killpg(self.root, signal.SIGKILL)

    def stop(self) -> None:
        self.ended.set()
        self.join()
        if not self.died:
            self.sample()

    def wait_for_workers(self, seconds: float) -> None:
        """Wait until the worker processes have been idle for a while, or for some seconds."""
        until, spent, idle_since = time.monotonic() + seconds, 0.0, time.monotonic()
        while time.monotonic() < min(until, idle_since + WORKER_IDLE_SECONDS):
            time.sleep(SAMPLE_SECONDS)
            if (now_spent := self.processor_seconds()[1]) != spent:
                spent, idle_since = now_spent, time.monotonic()

    def processor_seconds(self) -> tuple[float, float]:
        """Return the processor time of the server, and that of its worker processes."""
        spent = {
            process: seconds - self.start_seconds.get(process, 0.0)
            for process, seconds in list(self.seconds.items())
        }
        return spent[self.root], sum(spent.values()) - spent[self.root]


# --- The health route ----------------------------------------------------------------------------


def probe(port: int, seconds: float) -> dict[str, Any]:
    """Request the health route at regular times; runs in its own process."""
    connection = http.client.HTTPConnection("127.0.0.1", port, PROBE_TIMEOUT_SECONDS)
    latencies: list[float] = []
    failures = 0
    start = time.perf_counter()
    for number in range(int(seconds / PROBE_SECONDS)):
        due = start + number * PROBE_SECONDS
        now = time.perf_counter()
        if now > start + seconds + PROBE_TIMEOUT_SECONDS:
            break
        time.sleep(max(0.0, due - now))
        try:
            connection.request("GET", "/api/health")
            response = connection.getresponse()
            response.read()
            failures += response.status != 200
        except (OSError, http.client.HTTPException):
            failures += 1
            connection.close()
        latencies.append(1000 * (time.perf_counter() - due))
    return {"latencies": latencies, "failures": failures}


@contextmanager
def run_probe(port: int, seconds: float) -> Iterator[dict[str, Any]]:
    """Probe in another process meanwhile; the result is filled in at the end."""
    result: dict[str, Any] = {}
    command = [sys.executable, __file__, "--probe", str(port), "--seconds", str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()  # it has begun
            yield result
            result |= json.loads(process.stdout.read())
        finally:
            process.kill()


# --- Hostile clients -----------------------------------------------------------------------------


@dataclass
class Traffic:
    """What hostile clients have sent and received."""

    statuses: Counter[str] = field(default_factory=Counter)
    requests: int = 0
    sent_bytes: int = 0


class HostileClient:
    """Client with an address of its own that sends one request after the other."""

    def __init__(
        self,
        port: int,
        number: int,
        requests: list[HostileRequest],
        bytes_a_second: float = BYTES_A_SECOND,
    ) -> None:
        self.port, self.number, self.requests = port, number, requests
        self.bytes_a_second = bytes_a_second
        self.address = f"127.0.0.{10 + number}"

    async def run(self, until: float, traffic: Traffic) -> None:
        """Send requests until the end, not more often than allowed."""
        number = self.number
        await asyncio.sleep(number / CLIENT_COUNT / REQUESTS_A_SECOND)
        while time.monotonic() < until:
            request = self.requests[number % len(self.requests)]
            number += 1
            next_at = time.monotonic() + 1 / REQUESTS_A_SECOND
            traffic.requests += 1
            try:
                async with asyncio.timeout(until - time.monotonic()):
                    status = await self.send(request, traffic)
            except TimeoutError:
                status = "open"
            except (OSError, asyncio.IncompleteReadError):
                status = "cut"
            traffic.statuses[status] += 1
            await asyncio.sleep(max(0.0, min(next_at, until) - time.monotonic()))

    async def send(self, request: HostileRequest, traffic: Traffic) -> str:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.port, local_addr=(self.address, 0)
        )
        try:
            sending = asyncio.ensure_future(self._write(writer, request, traffic))
            line = await reader.readline()  # the server may refuse before all is sent
            sending.cancel()
            with suppress(OSError):
                await reader.read()
            return line[9:12].decode(errors="replace") or "cut"
        finally:
            writer.transport.abort()

    async def _write(
        self, writer: asyncio.StreamWriter, request: HostileRequest, traffic: Traffic
    ) -> None:
        data = request.head(self.address) + request.body
        chunk = 1 if request.is_slow else CHUNK_BYTES
        pause = 0.2 if request.is_slow else CHUNK_BYTES / self.bytes_a_second
        start = len(data) - max(len(request.body), 5000) if request.is_slow else 0
        if start:
            writer.write(data[:start])
        with suppress(OSError):
            for at in range(start, len(data), chunk):
                writer.write(data[at : at + chunk])
                traffic.sent_bytes += len(data[at : at + chunk])
                await writer.drain()
                if at + chunk < len(data):
                    await asyncio.sleep(pause)


async def attack(port: int, requests: list[HostileRequest], seconds: float) -> Traffic:
    """Let all clients send until the time is up."""
    traffic, until = Traffic(), time.monotonic() + seconds
    connections = CONNECTIONS_OF_SLOW_CLIENT if requests[0].is_slow else 1
    clients = [HostileClient(port, number, requests) for number in range(CLIENT_COUNT)]
    await asyncio.gather(
        *(client.run(until, traffic) for client in clients for _ in range(connections))
    )
    return traffic


# --- The measurement -----------------------------------------------------------------------------


def measure(kind: str, seconds: float) -> dict[str, Any]:
    """Measure one kind of input on a fresh server."""
    requests = INPUTS[kind]()
    with run_public_server() as (port, root):
        with run_probe(port, WARM_UP_SECONDS):
            pass
        with run_probe(port, seconds) as idle:
            pass
        watch = Watch(root)
        watch.start()
        with run_probe(port, seconds) as attacked:
            traffic = asyncio.run(attack(port, requests, seconds))
        watch.stop()
        return report(kind, idle, attacked, traffic, watch)


def report(
    kind: str, idle: dict[str, Any], attacked: dict[str, Any], traffic: Traffic, watch: Watch
) -> dict[str, Any]:
    """Return the figures of one kind of input, and whether it passes."""
    idle_99th = percentile(idle["latencies"], 0.99)
    attacked_99th = percentile(attacked["latencies"], 0.99)
    server_seconds, worker_seconds = watch.processor_seconds()
    ratio = round(attacked_99th / idle_99th, 1)
    faults = [watch.died] if watch.died else []
    faults += [f"p99 {ratio} times idle"] if ratio > MAX_RATIO else []
    faults += ["status 500"] if traffic.statuses["500"] else []
    faults += [f"{attacked['failures']} health requests failed"] if attacked["failures"] else []
    return {
        "kind": kind,
        "faults": faults,
        "ratio_99th": ratio,
        "idle_ms": [percentile(idle["latencies"], 0.5), idle_99th],
        "attacked_ms": [percentile(attacked["latencies"], 0.5), attacked_99th],
        "requests": traffic.requests,
        "statuses": dict(sorted(traffic.statuses.items())),
        "sent_megabytes": round(traffic.sent_bytes / 1e6, 1),
        "server_processor_seconds": round(server_seconds, 1),
        "worker_processor_seconds": round(worker_seconds, 1),
        "peak_megabytes": round(watch.peak_bytes / 1e6),
    }


# --- The cost of each input ----------------------------------------------------------------------


def measure_each(kind: str, seconds: float) -> None:
    """Send each input of a kind alone; print its cost, until an answer or for some seconds."""
    seen: set[tuple[Any, ...]] = set()
    for number, request in enumerate(INPUTS[kind]()):
        path = request.path.partition("?")[0] if request.body else request.path
        shape = path, len(request.body), request.headers
        if request.is_slow or shape in seen:  # nothing to measure, or the same once more
            continue
        seen.add(shape)
        with run_public_server() as (port, root):
            for _ in range(2):  # warm up: load everything once
                asyncio.run(send_alone(port, HostileRequest("GET", "/"), seconds))
            before, watch = proportional_bytes(root), Watch(root)
            watch.start()
            status = asyncio.run(send_alone(port, request, seconds))
            if path == CHARTS_PATH:
                watch.wait_for_workers(seconds)
            watch.stop()
        server_seconds, worker_seconds = watch.processor_seconds()
        print(
            f"{kind:15} {number:2} {server_seconds:8.2f} {worker_seconds:8.2f} "
            f"{(watch.peak_bytes - before) / 1e6:8.0f} {len(request.body) / 1e3:8.0f}  "
            f"{watch.died or status:6} {request.method} {request.path[:30]} "
            f"{request.body[:24].decode(errors='replace')!r}",
            flush=True,
        )


async def send_alone(port: int, request: HostileRequest, seconds: float) -> str:
    """Send one request as fast as possible; return its status."""
    client = HostileClient(port, 0, [request], bytes_a_second=10**9)
    try:
        async with asyncio.timeout(seconds):
            return await client.send(request, Traffic())
    except TimeoutError:
        return "open"


EACH_HEADINGS = (
    f"{'kind':15} {'':2} {'server s':>8} {'worker s':>8} {'more MB':>8} {'kB sent':>8}  answer"
)

HEADINGS = (
    f"{'kind':15} {'p99':>6} {'idle ms':>13} {'attacked ms':>16} {'MB sent':>8} {'server s':>8} "
    f"{'worker s':>8} {'peak MB':>8}  answers"
)


def format_row(figures: dict[str, Any]) -> str:
    """Return the figures of one kind as a line of a table."""
    idle, attacked = (
        "/".join(f"{value:.1f}" for value in figures[key]) for key in ("idle_ms", "attacked_ms")
    )
    answers = " ".join(f"{status}:{count}" for status, count in figures["statuses"].items())
    faults = f"  FAIL: {', '.join(figures['faults'])}" if figures["faults"] else ""
    return (
        f"{figures['kind']:15} {figures['ratio_99th']:6.1f} {idle:>13} {attacked:>16} "
        f"{figures['sent_megabytes']:8.1f} {figures['server_processor_seconds']:8.1f} "
        f"{figures['worker_processor_seconds']:8.1f} {figures['peak_megabytes']:8}  "
        f"{answers}{faults}"
    )


def run(kinds: list[str], seconds: float, as_json: bool) -> int:
    """Measure these kinds, print a line for each and a summary; return the exit status."""
    results: list[dict[str, Any]] = []
    if not as_json:
        print(HEADINGS, flush=True)
    with suppress(KeyboardInterrupt):  # then what was measured counts
        for kind in kinds:
            results.append(measure(kind, seconds))
            if not as_json:
                print(format_row(results[-1]), flush=True)
    failed = [figures["kind"] for figures in results if figures["faults"]]
    is_complete = len(results) == len(kinds)
    verdict = "FAIL" if failed else "pass" if is_complete else "interrupted"
    summary = (
        f"{verdict}: {len(results) - len(failed)} of {len(kinds)} kinds within {MAX_RATIO:g} times "
        f"idle p99, {MAX_MEMORY_BYTES / 1e9:g} GB and without a failure"
        + (f"; failed: {', '.join(failed)}" if failed else "")
    )
    print(json.dumps({"kinds": results, "summary": summary}, indent=2) if as_json else summary)
    return int(bool(failed) or not is_complete)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", action="append", choices=list(INPUTS), metavar="KIND",
                        help=f"a kind of input, may be repeated: {', '.join(INPUTS)}")  # fmt: skip
    parser.add_argument("--seconds", type=float, default=8.0, help="of each phase (default: 8)")
    parser.add_argument("--json", action="store_true", help="print all figures as JSON")
    parser.add_argument("--probe", type=int, help=argparse.SUPPRESS)  # the port to probe
    parser.add_argument("--each", action="store_true", help="print the cost of each input alone")
    options = parser.parse_args()
    if not 0.5 <= options.seconds <= 600:
        parser.error("--seconds: expected 0.5 to 600")
    if options.probe:
        print("begun", flush=True)
        print(json.dumps(probe(options.probe, options.seconds)))
        return
    if options.each:
        print(EACH_HEADINGS)
        for kind in options.only or INPUTS:
            measure_each(kind, options.seconds)
        return
    sys.exit(run(options.only or list(INPUTS), options.seconds, options.json))


if __name__ == "__main__":
    main()
