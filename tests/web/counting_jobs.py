"""Job types that only count, slowly, to test workers with.

`main` is a worker process for these job types, `serve` a server with such workers. Every process
loads this file, so it imports little.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from hashmark.errors import HashmarkError
from hashmark.reports.bar_chart import BarRow, draw_bar_chart
from hashmark.reports.report import Report, ReportSection
from hashmark.sim.cluster import ClusterError
from hashmark.web.jobs import job, worker
from hashmark.web.jobs.job_types import JobContext, JobResult, Settings

WORKER_PROGRAM = f"{__name__}:main"


class Counting:
    """Counts to a number with a pause at each step and checkpoints every step."""

    name = "count"
    is_resumable = True
    is_sandboxed = False
    required_libraries = ()

    def parse_settings(self, settings: Settings) -> dict[str, Any]:
        return {"to": 10, "pause": 0.02, "then": "", **settings}

    def digest_inputs(self, settings: Settings) -> str:
        return ""

    def title(self, settings: Settings) -> str:
        return f"Counting to {settings['to']}"

    def commands(self, settings: Settings) -> list[list[str]]:
        return [["count", str(settings["to"])]]

    def files(self, settings: Settings) -> dict[str, str]:
        return {}

    def run(self, settings: Settings, context: JobContext) -> JobResult:
        first = count = int(context.checkpoint.read() or 0)
        while count < settings["to"] and not context.interrupted():
            time.sleep(settings["pause"])
            count += 1
            context.progress(count, settings["to"])
            context.checkpoint.write(str(count))
            if settings["then"] == "fail":
                raise HashmarkError("it cannot be counted")
            if settings["then"] == "fault":
                raise RuntimeError("nobody foresaw this")
            if settings["then"] == "die":
                os._exit(9)
            if settings["then"] == "away":
                raise ClusterError("--cluster 10.0.0.5:6379: nobody answers there")
        print("this is no message")
        lines = [BarRow(f"number {number}", number, str(number)) for number in range(1, count + 1)]
        chart = draw_bar_chart("Numbers", "one by one", lines)
        report = Report("Counted", f"From {first} to {count}.", [ReportSection("Numbers", [chart])])
        return JobResult(
            {"counted": count, "from": first}, report, is_complete=count == settings["to"]
        )


class Stubborn(Counting):
    """Counting job that cannot be resumed and ignores requests to stop."""

    name = "stubborn"
    is_resumable = False

    def run(self, settings: Settings, context: JobContext) -> JobResult:
        for at in range(settings["to"]):
            time.sleep(settings["pause"])
            context.progress(at, settings["to"])
        return JobResult({"counted": settings["to"]}, None)


class Hungry(Counting):
    """Job that reads untrusted input: takes a given amount of memory, or dies."""

    name = "hungry"
    is_resumable = False
    is_sandboxed = True

    def run(self, settings: Settings, context: JobContext) -> JobResult:
        if settings["then"] == "die":
            os._exit(9)
        memory = bytearray(settings["to"])
        return JobResult({"taken": len(memory), "cluster": context.cluster}, None)


COUNT, STUBBORN, HUNGRY = Counting(), Stubborn(), Hungry()


def register_job_types() -> None:
    """Register these job types."""
    names = ("COUNT", "STUBBORN", "HUNGRY")
    job.JOB_TYPES |= {name.lower(): f"{__name__}:{name}" for name in names}


def main(bounded: str = "") -> None:
    register_job_types()
    worker.main(bounded)


def serve() -> None:
    """Serve at a port with a database and this many counting workers."""
    from hashmark.web import server
    from hashmark.web.jobs import workers
    from hashmark.web.rate_limits import Limits

    register_job_types()
    workers.WorkerProcess.program = WORKER_PROGRAM
    port, url, number = sys.argv[1:]
    limits = Limits(rate=5000, burst=5000)
    server.serve(
        "127.0.0.1",
        int(port),
        url,
        False,
        lambda line: print(line, flush=True),
        limits,
        workers=int(number),
    )
