"""Job types that only count, slowly, to test workers with.

`main` is a worker process for these job types, `serve` a server with such workers. Every process
loads this file, so it imports little.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from hashmark.club import hand, works
from hashmark.club.kinds import Result, Running, Settings
from hashmark.pages.report import Report, Section
from hashmark.pages.rows import Row, rows
from hashmark.sim.cluster import ClusterFault
from hashmark.table.errors import HashmarkError

HERE = f"{__name__}:main"


class Counting:
    """Counts to a number with a pause at each step and checkpoints every step."""

    name = "count"
    goes_on = True
    bounded = False
    needs = ()

    def read(self, settings: Settings) -> dict[str, Any]:
        return {"to": 10, "pause": 0.02, "then": "", **settings}

    def materials(self, settings: Settings) -> str:
        return ""

    def title(self, settings: Settings) -> str:
        return f"Counting to {settings['to']}"

    def commands(self, settings: Settings) -> list[list[str]]:
        return [["count", str(settings["to"])]]

    def files(self, settings: Settings) -> dict[str, str]:
        return {}

    def run(self, settings: Settings, running: Running) -> Result:
        first = count = int(running.kept.read() or 0)
        while count < settings["to"] and not running.interrupted():
            time.sleep(settings["pause"])
            count += 1
            running.progress(count, settings["to"])
            running.kept.write(str(count))
            if settings["then"] == "fail":
                raise HashmarkError("it cannot be counted")
            if settings["then"] == "fault":
                raise RuntimeError("nobody foresaw this")
            if settings["then"] == "die":
                os._exit(9)
            if settings["then"] == "away":
                raise ClusterFault("--cluster 10.0.0.5:6379: nobody answers there")
        print("this is no message")
        lines = [Row(f"number {number}", number, str(number)) for number in range(1, count + 1)]
        chart = rows("Numbers", "one by one", lines)
        report = Report("Counted", f"From {first} to {count}.", [Section("Numbers", [chart])])
        return Result({"counted": count, "from": first}, report, whole=count == settings["to"])


class Stubborn(Counting):
    """Counting job that cannot be resumed and ignores requests to stop."""

    name = "stubborn"
    goes_on = False

    def run(self, settings: Settings, running: Running) -> Result:
        for at in range(settings["to"]):
            time.sleep(settings["pause"])
            running.progress(at, settings["to"])
        return Result({"counted": settings["to"]}, None)


class Hungry(Counting):
    """Job that reads untrusted input: takes a given amount of memory, or dies."""

    name = "hungry"
    goes_on = False
    bounded = True

    def run(self, settings: Settings, running: Running) -> Result:
        if settings["then"] == "die":
            os._exit(9)
        memory = bytearray(settings["to"])
        return Result({"taken": len(memory), "cluster": running.cluster}, None)


COUNT, STUBBORN, HUNGRY = Counting(), Stubborn(), Hungry()


def known() -> None:
    """Register these job types."""
    names = ("COUNT", "STUBBORN", "HUNGRY")
    works.KINDS |= {name.lower(): f"{__name__}:{name}" for name in names}


def main(bounded: str = "") -> None:
    known()
    hand.main(bounded)


def serve() -> None:
    """Serve at a port with a database and this many counting workers."""
    from hashmark.web import serving, workers
    from hashmark.web.limits import Limits

    known()
    workers.Hand.program = HERE
    port, url, number = sys.argv[1:]
    limits = Limits(rate=5000, burst=5000)
    serving.serve(
        "127.0.0.1",
        int(port),
        url,
        False,
        lambda line: print(line, flush=True),
        limits,
        workers=int(number),
    )
