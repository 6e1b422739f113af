"""Worker process: reads JSON jobs on stdin, reports progress and results on stdout.

One line of JSON is one message. The input carries jobs (`{"kind": ..., "settings": ..., ...}`) and,
while a job runs, `{"stop": true}`. The output carries `progress`, `kept` (a checkpoint to resume
from) and finally `result`, `interrupted` or `failed`. When the input ends, the parent process is
gone, and the worker exits at once, even in the middle of a job. It runs at the lowest priority.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TextIO

from hashmark.club.kinds import Running
from hashmark.club.works import Work
from hashmark.pages.environment import render
from hashmark.sim.cluster import ClusterFault
from hashmark.table.errors import HashmarkError

LAST = 19  # lowest scheduling priority (niceness)
MEMORY = 4 * 2**30  # address space of a limited worker; a season takes 1.6 GB
SECONDS = 300  # CPU time of a limited worker; a season takes five seconds
OFTEN = 0.25  # seconds between two progress messages
FAULT = "something went wrong here; nothing is lost, ask again"
AWAY = "the machines that work this out do not answer just now: try again later"
Said = Mapping[str, Any]


def main(bounded: str = "") -> None:
    """Run jobs until the input ends; `bounded` limits memory and CPU time."""
    step_back(LAST)
    if bounded:
        _limit_resources()
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # stray prints go to stderr, so that they are not read as messages
    Hand(sys.stdin, out).run()


def step_back(to: int) -> None:
    """Lower the scheduling priority of this process, where the system supports it."""
    if hasattr(os, "setpriority"):
        current = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PROCESS, 0, max(current, to))


def _limit_resources() -> None:
    """Limit memory, CPU time and file writes, so that an upload cannot exhaust the machine."""
    try:
        import resource
    except ImportError:  # a system without resource limits
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.environ["POLARS_MAX_THREADS"] = "2"  # each thread reserves memory of its own


@dataclass
class Hand:
    """Worker that reads jobs and runs them one after the other."""

    inward: TextIO
    outward: TextIO
    leave: Callable[[int], Any] = os._exit
    stopped: threading.Event = field(default_factory=threading.Event)
    _jobs: list[Said] = field(default_factory=list)
    _job_arrived: threading.Condition = field(default_factory=threading.Condition)
    _last_progress_time: float = 0.0
    _progress_now: tuple[int, int] | None = None  # steps done, and of how many

    def run(self) -> None:
        """Run jobs as they arrive; never return."""
        threading.Thread(target=self._listen, daemon=True).start()
        while True:
            with self._job_arrived:
                while not self._jobs:
                    self._job_arrived.wait()
                job = self._jobs.pop(0)
            self.do(job)

    def _listen(self) -> None:
        """Read messages on a thread, so that a stop request arrives while a job runs."""
        for line in self.inward:
            message = json.loads(line)
            if "stop" in message:
                self.stopped.set()
                continue
            with self._job_arrived:
                self.stopped.clear()
                self._jobs.append(message)
                self._job_arrived.notify()
        self.leave(0)

    def do(self, message: Said) -> None:
        """Run one job and send its outcome."""
        try:
            self._do(message)
        except ClusterFault as error:  # the address and the cause are for the server's log only
            self.say({"failed": AWAY, "why": str(error)})
        except HashmarkError as error:
            self.say({"failed": str(error)})
        except MemoryError:
            self.say({"failed": "this needs more memory than a work may have"})
        except Exception:
            self.say({"failed": FAULT, "fault": traceback.format_exc()})

    def _do(self, message: Said) -> None:
        job = Work(message["kind"], message["settings"], message.get("key", ""))
        running = Running(
            progress=self._progress,
            interrupted=self.stopped.is_set,
            kept=_CheckpointSender(self, message.get("kept") or None),
            threads=message.get("threads", 1),
            cluster=message.get("cluster"),
            files=message.get("files", {}),
        )
        self._progress_now = None
        result = job.run(running)
        if self._progress_now is not None:
            self.say({"progress": self._progress_now})
        if not result.whole:
            self.say({"interrupted": True})
            return
        page = "" if result.report is None else render("report_body.html", report=result.report)
        self.say({"result": result.said, "page": page, "files": dict(result.files)})

    def _progress(self, done: int, of: int) -> None:
        """Send progress, at most every PROGRESS_INTERVAL_SECONDS."""
        self._progress_now, now = (done, of), time.monotonic()
        if now - self._last_progress_time >= OFTEN:
            self._last_progress_time = now
            self.say({"progress": [done, of]})

    def say(self, message: Said) -> None:
        self.outward.write(json.dumps(message) + "\n")
        self.outward.flush()


@dataclass
class _CheckpointSender:
    """Checkpoint that sends what it stores to the parent process."""

    hand: Hand
    text: str | None

    def read(self) -> str | None:
        return self.text

    def write(self, text: str) -> None:
        self.hand.say({"kept": text})
