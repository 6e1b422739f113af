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
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TextIO

from hashmark.errors import HashmarkError
from hashmark.reports.rendering import render
from hashmark.sim.cluster import ClusterError
from hashmark.web.clock import Clock
from hashmark.web.jobs.job import Job
from hashmark.web.jobs.job_types import JobContext
from hashmark.web.single_process import lower_priority

LOWEST_PRIORITY = 19  # lowest scheduling priority (niceness)
MAX_MEMORY_BYTES = 4 * 2**30  # address space of a limited worker; a season takes 1.6 GB
MAX_CPU_SECONDS = 300  # CPU time of a limited worker; a season takes five seconds
PROGRESS_INTERVAL_SECONDS = 0.25  # seconds between two progress messages
UNEXPECTED_ERROR = "something went wrong on the server: submit the job again"
CLUSTER_UNREACHABLE = "the job servers are not responding: try again later"
Message = Mapping[str, Any]


def main(bounded: str = "") -> None:
    """Run jobs until the input ends; `bounded` limits memory and CPU time."""
    lower_priority(LOWEST_PRIORITY)
    if bounded:
        _limit_resources()
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # stray prints go to stderr, so that they are not read as messages
    Worker(sys.stdin, out).run()


def _limit_resources() -> None:
    """Limit memory, CPU time and file writes, so that an upload cannot exhaust the machine."""
    try:
        import resource
    except ImportError:  # a system without resource limits
        return
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_SECONDS, MAX_CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.environ["POLARS_MAX_THREADS"] = "2"  # each thread reserves memory of its own


@dataclass
class Worker:
    """Worker that reads jobs and runs them one after the other."""

    input: TextIO
    output: TextIO
    exit_process: Callable[[int], Any] = os._exit
    clock: Clock = field(default_factory=Clock)  # this process has no other services
    stopped: threading.Event = field(default_factory=threading.Event)
    _jobs: list[Message] = field(default_factory=list)
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
            self.run_job(job)

    def _listen(self) -> None:
        """Read messages on a thread, so that a stop request arrives while a job runs."""
        for line in self.input:
            message = json.loads(line)
            if "stop" in message:
                self.stopped.set()
                continue
            with self._job_arrived:
                self.stopped.clear()
                self._jobs.append(message)
                self._job_arrived.notify()
        self.exit_process(0)

    def run_job(self, message: Message) -> None:
        """Run one job and send its outcome."""
        try:
            self._do(message)
        except ClusterError as error:  # the address and the cause are for the server's log only
            self.send({"failed": CLUSTER_UNREACHABLE, "why": str(error)})
        except HashmarkError as error:
            self.send({"failed": str(error)})
        except MemoryError:
            self.send({"failed": "this job needs too much memory: submit a smaller one"})
        except Exception:
            self.send({"failed": UNEXPECTED_ERROR, "fault": traceback.format_exc()})

    def _do(self, message: Message) -> None:
        job = Job(message["kind"], message["settings"], message.get("key", ""))
        running = JobContext(
            progress=self._progress,
            interrupted=self.stopped.is_set,
            checkpoint=_CheckpointSender(self, message.get("kept") or None),
            threads=message.get("threads", 1),
            cluster=message.get("cluster"),
            files=message.get("files", {}),
        )
        self._progress_now = None
        result = job.run(running)
        if self._progress_now is not None:
            self.send({"progress": self._progress_now})
        if not result.is_complete:
            self.send({"interrupted": True})
            return
        page = "" if result.report is None else render("report_body.html", report=result.report)
        self.send({"result": result.data, "page": page, "files": dict(result.files)})

    def _progress(self, done: int, of: int) -> None:
        """Send progress, at most every PROGRESS_INTERVAL_SECONDS."""
        self._progress_now, now = (done, of), self.clock.monotonic()
        if now - self._last_progress_time >= PROGRESS_INTERVAL_SECONDS:
            self._last_progress_time = now
            self.send({"progress": [done, of]})

    def send(self, message: Message) -> None:
        self.output.write(json.dumps(message) + "\n")
        self.output.flush()


@dataclass
class _CheckpointSender:
    """Checkpoint that sends what it stores to the parent process."""

    worker: Worker
    text: str | None

    def read(self) -> str | None:
        return self.text

    def write(self, text: str) -> None:
        self.worker.send({"kept": text})
