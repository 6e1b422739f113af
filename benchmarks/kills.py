"""Kill servers again and again while games are played; count what is lost.

    python benchmarks/kills.py [--kills N] [--seed S] [--servers N] [--postgres]

Several servers share one database, a SQLite file or a private PostgreSQL with fsync. Players and
spectators use all of them over the API (`tests/web/kill_run.py`). A server is killed with SIGKILL
at a random moment and restarted; with --postgres every fifth fault hits the database instead: its
connections are terminated, or it is stopped fast, immediately or with SIGKILL, in turn.

Every acknowledged call must be in the log exactly once and in order, and a spectator who reconnects
with Last-Event-ID must receive every numbered event exactly once. The exit status is 1 if anything
is lost, doubled or missed. Ctrl-C ends the run early with what was counted.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from web.fork_server import close_all
from web.kill_run import LOSSES, KillRun, running_servers
from web.postgres_server import DatabaseFault, PostgresServer, find_programs, running_postgres

FAULTS_PER_DATABASE_FAULT = 5
PROGRESS_SECONDS = 5.0


@contextmanager
def open_database(postgres: bool) -> Iterator[tuple[str, PostgresServer | None]]:
    """Yield the URL of an empty database, and its server if it has one."""
    if postgres:
        with running_postgres(("fsync=on",)) as server:
            yield server.create_database(), server
    else:
        with tempfile.TemporaryDirectory(prefix="hashmark-kills-") as folder:
            yield f"sqlite:///{Path(folder) / 'tables.db'}", None


class Interruption:
    """Ctrl-C, noted instead of raised, so that the run ends between two kills."""

    def __init__(self) -> None:
        self.event = threading.Event()
        signal.signal(signal.SIGINT, lambda *_: self.event.set())
        signal.signal(signal.SIGTERM, lambda *_: self.event.set())

    def is_set(self) -> bool:
        return self.event.is_set()


def strike(
    run: KillRun, database: PostgresServer | None, kills: int, interruption: Interruption
) -> Counter[str]:
    """Cause this many faults; return how many of each kind."""
    faults, struck = cycle(DatabaseFault), Counter[str]()
    started_at = shown_at = time.monotonic()
    while struck.total() < kills and not interruption.is_set():
        if database is not None and (struck.total() + 1) % FAULTS_PER_DATABASE_FAULT == 0:
            fault = next(faults)
            run.pause()
            database.fail(fault)
            run.check_clients()
            struck[f"database_{fault.value}"] += 1
        else:
            run.kill()
            struck["server"] += 1
        if time.monotonic() - shown_at > PROGRESS_SECONDS:
            shown_at = time.monotonic()
            show(f"{struck.total()} of {kills} kills, {run.calls} acknowledged calls, "
                 f"{shown_at - started_at:.0f} s")  # fmt: skip
    return struck


def show(progress: str) -> None:
    """Show the progress on one line of a terminal, or on lines of their own."""
    is_terminal = sys.stderr.isatty()
    print(f"\r{progress}" if is_terminal else progress, end="" if is_terminal else "\n",
          file=sys.stderr, flush=True)  # fmt: skip


def summarize(counted: Counter[str], struck: Counter[str], seconds: float) -> str:
    """Return the summary line."""
    kinds = ", ".join(f"{count} {kind}" for kind, count in struck.items())
    losses = ", ".join(f"{counted[name]} {name}" for name in LOSSES)
    return (
        f"{struck.total()} kills ({kinds}), {counted['tables']} tables, "
        f"{counted['acknowledged']} acknowledged calls, {counted['cut']} cut off "
        f"({counted['kept']} of them stored), {counted['events']} events over "
        f"{counted['streams']} streams, {counted['unavailable']} times unavailable; "
        f"{losses}; {seconds:.0f} s"
    )


def measure(kills: int, seed: int, servers: int, postgres: bool) -> int:
    """Run, print the summary line and return the exit status."""
    interruption, started_at = Interruption(), time.monotonic()
    try:
        with open_database(postgres) as (url, database), running_servers(url, servers) as running:
            run = KillRun(running, seed)
            run.start()
            struck = strike(run, database, kills, interruption)
            show("comparing what clients were told with the tables ...")
            counted = run.finish()
    finally:
        close_all()
    has_losses = any(counted[name] for name in LOSSES)
    verdict = "FAIL" if has_losses else "interrupted" if interruption.is_set() else "pass"
    print(f"{verdict}: {summarize(counted, struck, time.monotonic() - started_at)}")
    return int(has_losses)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=100, help="faults to cause (default: 100)")
    parser.add_argument("--seed", type=int, default=1, help="seed of moments and calls")
    parser.add_argument("--servers", type=int, default=3, help="servers on the database")
    parser.add_argument("--postgres", action="store_true", help="PostgreSQL instead of SQLite")
    options = parser.parse_args()
    if options.kills < 1 or options.servers < 1:
        parser.error("--kills and --servers: expected at least 1")
    if options.postgres and find_programs() is None:
        parser.error("--postgres: PostgreSQL is not installed")
    sys.exit(measure(options.kills, options.seed, options.servers, options.postgres))


if __name__ == "__main__":
    main()
