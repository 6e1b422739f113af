"""Workers for background jobs: processes beside the server, each supervised by a thread.

The thread claims jobs, passes them to its process and records the progress. The process has low
priority and never touches the database. If it dies, its job is restarted at once. If the whole
server dies, the process exits by itself, and another worker claims the job when its lease expires.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import queue as stdlib_queue
import secrets
import socket
import subprocess
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from hashmark.sim.threads import cores
from hashmark.table import aside, writing
from hashmark.table.errors import HashmarkError
from hashmark.web.queue import FAILED, STOPPED, Queue, Row

logger = logging.getLogger("hashmark.web")
LOOK = 0.5  # between two polls of the queue
BEAT = 1.0  # between two heartbeats
SLICE = 20.0  # time slice after which a long job yields to others
STOP_TIMEOUT_SECONDS = 10.0  # timeout for a process to stop
SHUTDOWN_TIMEOUT_SECONDS = 1.5  # the same at shutdown
LONGEST = 2 * 3600.0  # timeout of a job
IDLE = 120.0  # an idle process is ended after this time
EXITED, LATER = "gone", "later"
TOO_HEAVY = "the file needs more memory or time to be read than a file of plays does"
TIMED_OUT = "this took too long and was given up: ask for less"
Message = Mapping[str, Any]


class Hand:
    """Worker process (`worker`) seen from the server."""

    program = "hashmark.club.hand:main"

    def __init__(self, bounded: bool = False) -> None:
        arguments = ("bounded",) if bounded else ()
        self.process = aside.begin(self.program, *arguments, heard=True, told=True)
        self._messages: stdlib_queue.SimpleQueue[Message] = stdlib_queue.SimpleQueue()
        self.idle_since = time.monotonic()
        threading.Thread(target=self._read_stdout, daemon=True).start()

    def _read_stdout(self) -> None:
        assert self.process.stdout is not None
        with contextlib.suppress(ValueError, OSError):
            for line in self.process.stdout:
                self._messages.put(json.loads(line))
        self._messages.put({EXITED: True})

    def hear(self, seconds: float) -> Message:
        """Return the next message, or an empty one after a timeout."""
        try:
            return self._messages.get(timeout=max(0.0, seconds))
        except stdlib_queue.Empty:
            return {}

    def tell(self, message: Message) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(OSError, ValueError):  # it has exited; `receive` will report it
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def end(self) -> None:
        """Kill the process and close its pipes."""
        if self.alive:
            self.process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(STOP_TIMEOUT_SECONDS)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


class Workers:
    """Worker threads of a server."""

    def __init__(self, queue: Queue, number: int, cluster: str | None = None) -> None:
        self.queue, self.cluster = queue, cluster
        self.threads = max(1, (cores() - 1) // max(1, number))
        self.closing = threading.Event()
        prefix = f"{socket.gethostname()[:24]}-{os.getpid()}-{secrets.token_hex(4)}"
        self.workers = [Worker(self, f"{prefix}-{index}") for index in range(number)]

    def start(self) -> None:
        for worker in self.workers:
            worker.thread.start()

    def close(self) -> None:
        """Return running jobs to the queue and end all processes."""
        self.closing.set()
        for worker in self.workers:
            if worker.thread.ident is not None:
                worker.thread.join()


class Worker:
    """Thread with a worker process."""

    def __init__(self, workers: Workers, name: str) -> None:
        self.all, self.queue, self.name = workers, workers.queue, name
        self.thread = threading.Thread(target=self._run, name=f"worker {name}", daemon=True)
        self.hand: Hand | None = None

    def _run(self) -> None:
        try:
            while not self.all.closing.is_set():
                try:
                    row = self.queue.claim(self.name)
                    if row is not None:
                        self._run_job(row)
                        continue
                    self.queue.sweep_seldom()
                except (SQLAlchemyError, HashmarkError, OSError) as error:
                    # nothing is lost: the lease expires
                    logger.error("a worker has to wait: %s", type(error).__name__)
                    self._end_process()
                self._wait_for_work()
        finally:
            self._end_process()

    def _wait_for_work(self) -> None:
        """Wait for work; end the process after a while without any."""
        if self.hand is not None and time.monotonic() - self.hand.idle_since > IDLE:
            self._end_process()
        self.all.closing.wait(LOOK)

    def _end_process(self) -> None:
        if self.hand is not None:
            self.hand.end()
            self.hand = None

    def _run_job(self, row: Row) -> None:
        """Supervise one job from its claim until it ends or is released."""
        bounded = row.work.bounded
        if self.hand is None or not self.hand.alive or bounded:
            self._end_process()
            self.hand = Hand(bounded)
        with TemporaryDirectory(prefix="hashmark-work-") as folder:
            self.hand.tell(self._job_message(row, Path(folder)))
            JobSupervisor(self, self.hand, row).run()
        if bounded:
            self._end_process()
        elif self.hand is not None:
            self.hand.idle_since = time.monotonic()

    def _job_message(self, row: Row, folder: Path) -> Message:
        files: dict[str, str] = {}
        for name, content in self.queue.brought(row.key).items():
            path = folder / Path(name).name
            writing.put(path, content)
            files[name] = str(path)
        return {
            "key": row.key,
            "kind": row.kind,
            "settings": row.settings,
            "kept": self.queue.kept(row.key),
            "threads": self.all.threads,
            "cluster": self.all.cluster,
            "files": files,
        }


class JobSupervisor:
    """Supervision of one running job."""

    def __init__(self, worker: Worker, hand: Hand, row: Row) -> None:
        self.worker, self.queue, self.hand, self.row = worker, worker.queue, hand, row
        self.began = self.last_heartbeat = self.slice_started = time.monotonic()
        self.done, self.total = row.done, row.total
        self.kept: str | None = None
        self.why = ""  # reason for stopping early: STOPPED, or LATER to resume it
        self.deadline = self.began + LONGEST

    def run(self) -> None:
        """Supervise the job until it ends or its lease is lost."""
        while not self._handle(self.hand.hear(self.last_heartbeat + BEAT - time.monotonic())):
            now = time.monotonic()
            if now > self.deadline:
                self._time_out()
                return
            if now - self.last_heartbeat >= BEAT:
                if not self._heartbeat():
                    return
                self._yield_if_others_wait(now)
            if self.worker.all.closing.is_set() and not self.why:
                self._request_stop(LATER, SHUTDOWN_TIMEOUT_SECONDS)

    def _handle(self, message: Message) -> bool:
        """Handle a message; return whether it was the last one."""
        if "progress" in message:
            self.done, self.total = message["progress"]
        elif "kept" in message:
            self.kept = message["kept"]
        elif "result" in message:
            self.queue.finish(self.row, message["result"], message["page"], message["files"])
            return True
        elif "failed" in message:
            if details := message.get("why"):
                logger.error("a work of the kind %s failed: %s", self.row.kind, details)
            if error_traceback := message.get("fault"):
                logger.error("a work of the kind %s failed", self.row.kind)
                if os.environ.get("HASHMARK_TRACEBACK"):
                    logger.error(error_traceback)
            self.queue.fail(self.row, message["failed"])
            return True
        elif "interrupted" in message:
            self._release_interrupted()
            return True
        elif EXITED in message:
            self.worker._end_process()
            if self.why:
                self._release_interrupted()
            elif self.row.work.bounded:
                self.queue.fail(self.row, TOO_HEAVY)
            else:
                self.queue.lose(self.row)
            return True
        return False

    def _heartbeat(self) -> bool:
        """Renew the lease with the current progress; return False if it was lost."""
        now = time.monotonic()
        seconds, self.last_heartbeat = now - self.last_heartbeat, now
        checkpoint, self.kept = self.kept, None
        state = self.queue.beat(self.row, self.done, self.total, seconds, checkpoint)
        if state == FAILED:
            self.worker._end_process()
            return False
        if state == STOPPED and self.why != STOPPED:
            if self.row.work.goes_on:
                self._request_stop(STOPPED, STOP_TIMEOUT_SECONDS)
            else:
                self.why = STOPPED
                self.worker._end_process()
        return True

    def _yield_if_others_wait(self, now: float) -> None:
        """Yield to waiting callers after a time slice if the job can be resumed."""
        if self.why or now - self.slice_started < SLICE or not self.row.work.goes_on:
            return
        self.slice_started = now
        if self.queue.others_wait(self.row):
            self._request_stop(LATER, STOP_TIMEOUT_SECONDS)

    def _request_stop(self, reason: str, timeout: float) -> None:
        self.why = reason
        self.deadline = time.monotonic() + timeout
        self.hand.tell({"stop": True})

    def _release_interrupted(self) -> None:
        """Save the checkpoint of an interrupted job and release it."""
        if self.kept is not None:
            self._save_checkpoint()
        if self.why == STOPPED:
            self.queue.stop(self.row)
        else:
            self.queue.give_back(self.row)

    def _save_checkpoint(self) -> None:
        seconds = time.monotonic() - self.last_heartbeat
        self.queue.beat(self.row, self.done, self.total, seconds, self.kept)

    def _time_out(self) -> None:
        """End a job that exceeded its deadline."""
        self.worker._end_process()
        if self.why:
            self._release_interrupted()
        else:
            self.queue.fail(self.row, TIMED_OUT)
