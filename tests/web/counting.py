"""A kind of long work that only counts, slowly: what workers do with it is what they do with any.

`main` is a process that does such works, `serve` a server whose workers are such processes. Each
of these loads this file, and should have little to load.
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
    """Counts to a number, a step each so many seconds; keeps every step."""

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
        first = at = int(running.kept.read() or 0)
        while at < settings["to"] and not running.interrupted():
            time.sleep(settings["pause"])
            at += 1
            running.progress(at, settings["to"])
            running.kept.write(str(at))
            if settings["then"] == "fail":
                raise HashmarkError("it cannot be counted")
            if settings["then"] == "fault":
                raise RuntimeError("nobody foresaw this")
            if settings["then"] == "die":
                os._exit(9)
            if settings["then"] == "away":
                raise ClusterFault("--cluster 10.0.0.5:6379: nobody answers there")
        print("this is no message")
        lines = [Row(f"number {one}", one, str(one)) for one in range(1, at + 1)]
        chart = rows("Numbers", "one by one", lines)
        report = Report("Counted", f"From {first} to {at}.", [Section("Numbers", [chart])])
        return Result({"counted": at, "from": first}, report, whole=at == settings["to"])


class Stubborn(Counting):
    """The same, but it cannot go on later, and does not listen."""

    name = "stubborn"
    goes_on = False

    def run(self, settings: Settings, running: Running) -> Result:
        for at in range(settings["to"]):
            time.sleep(settings["pause"])
            running.progress(at, settings["to"])
        return Result({"counted": settings["to"]}, None)


class Hungry(Counting):
    """One that reads what strangers bring: it takes so much memory, or dies of it."""

    name = "hungry"
    goes_on = False
    bounded = True

    def run(self, settings: Settings, running: Running) -> Result:
        if settings["then"] == "die":
            os._exit(9)
        taken = bytearray(settings["to"])
        return Result({"taken": len(taken), "cluster": running.cluster}, None)


COUNT, STUBBORN, HUNGRY = Counting(), Stubborn(), Hungry()


def known() -> None:
    """These kinds are among those that can be asked for."""
    kinds = ("COUNT", "STUBBORN", "HUNGRY")
    works.KINDS |= {one.lower(): f"{__name__}:{one}" for one in kinds}


def main(bounded: str = "") -> None:
    known()
    hand.main(bounded)


def serve() -> None:
    """A server at a port with a database, and so many workers that count."""
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
        lambda said: print(said, flush=True),
        limits,
        workers=int(number),
    )
