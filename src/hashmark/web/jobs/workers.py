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
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from hashmark.compiler import subprocesses
from hashmark.errors import HashmarkError
from hashmark.sim.threads import available_cores
from hashmark.storage import atomic_write
from hashmark.storage.temp_dirs import TempDir
from hashmark.web.clock import Clock
from hashmark.web.jobs.queue import FAILED, STOPPED, JobQueue, JobRow

logger = logging.getLogger("hashmark.web")
POLL_SECONDS = 0.5  # between two polls of the queue
HEARTBEAT_SECONDS = 1.0  # between two heartbeats
TIME_SLICE_SECONDS = 20.0  # time slice after which a long job yields to others
STOP_TIMEOUT_SECONDS = 10.0  # timeout for a process to stop
SHUTDOWN_TIMEOUT_SECONDS = 1.5  # the same at shutdown
JOB_TIMEOUT_SECONDS = 2 * 3600.0  # timeout of a job
PROCESS_IDLE_SECONDS = 120.0  # an idle process is ended after this time
EXITED, LATER = "gone", "later"
TOO_HEAVY = "reading this file takes more memory or time than a play-by-play file should"
TIMED_OUT = "this took too long and was stopped: submit a smaller job"
Message = Mapping[str, Any]


class WorkerProcess:
    """Worker process (`worker`) seen from the server."""

    program = "hashmark.web.jobs.worker:main"

    def __init__(self, clock: Clock, bounded: bool = False) -> None:
        self.clock = clock
        arguments = ("bounded",) if bounded else ()
        self.process = subprocesses.start_process(
            self.program, *arguments, read_output=True, write_input=True
        )
        self._messages: stdlib_queue.SimpleQueue[Message] = stdlib_queue.SimpleQueue()
        self.idle_since = clock.monotonic()
        threading.Thread(target=self._read_stdout, daemon=True).start()

    def _read_stdout(self) -> None:
        assert self.process.stdout is not None
        with contextlib.suppress(ValueError, OSError):
            for line in self.process.stdout:
                self._messages.put(json.loads(line))
        self._messages.put({EXITED: True})

    def receive(self, seconds: float) -> Message:
        """Return the next message, or an empty one after a timeout."""
        return self.clock.receive(self._messages, seconds) or {}

    def send(self, message: Message) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(OSError, ValueError):  # it has exited; `receive` will report it
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()

    @property
    def is_alive(self) -> bool:
        return self.process.poll() is None

    def kill(self) -> None:
        """Kill the process and close its pipes."""
        if self.is_alive:
            self.process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(STOP_TIMEOUT_SECONDS)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


class WorkerPool:
    """Worker threads of a server."""

    def __init__(self, queue: JobQueue, number: int, cluster: str | None = None) -> None:
        self.queue, self.clock, self.cluster = queue, queue.clock, cluster
        self.threads = max(1, (available_cores() - 1) // max(1, number))
        self.closing = threading.Event()
        prefix = f"{socket.gethostname()[:24]}-{os.getpid()}-{secrets.token_hex(4)}"
        self.workers = [WorkerThread(self, f"{prefix}-{index}") for index in range(number)]

    def start(self) -> None:
        for worker in self.workers:
            worker.thread.start()

    def close(self) -> None:
        """Return running jobs to the queue and end all processes."""
        self.closing.set()
        for worker in self.workers:
            if worker.thread.ident is not None:
                worker.thread.join()


class WorkerThread:
    """Thread with a worker process."""

    def __init__(self, workers: WorkerPool, name: str) -> None:
        self.pool, self.queue, self.name = workers, workers.queue, name
        self.clock = workers.clock
        self.thread = threading.Thread(target=self._run, name=f"worker {name}", daemon=True)
        self.worker_process: WorkerProcess | None = None

    def _run(self) -> None:
        try:
            while not self.pool.closing.is_set():
                try:
                    row = self.queue.claim(self.name)
                    if row is not None:
                        self._run_job(row)
                        continue
                    self.queue.sweep_if_due()
                except (SQLAlchemyError, HashmarkError, OSError) as error:
                    # nothing is lost: the lease expires
                    logger.error("worker delayed: %s", type(error).__name__)
                    self._end_process()
                self._wait_for_work()
        finally:
            self._end_process()

    def _wait_for_work(self) -> None:
        """Wait for work; end the process after a while without any."""
        if (
            self.worker_process is not None
            and self.clock.monotonic() - self.worker_process.idle_since > PROCESS_IDLE_SECONDS
        ):
            self._end_process()
        self.clock.wait_for_flag(self.pool.closing, POLL_SECONDS)

    def _end_process(self) -> None:
        if self.worker_process is not None:
            self.worker_process.kill()
            self.worker_process = None

    def _run_job(self, row: JobRow) -> None:
        """Supervise one job from its claim until it ends or is released."""
        bounded = row.job.is_sandboxed
        if self.worker_process is None or not self.worker_process.is_alive or bounded:
            self._end_process()
            self.worker_process = WorkerProcess(self.clock, bounded)
        with TempDir("job") as folder:
            self.worker_process.send(self._job_message(row, Path(folder)))
            JobSupervisor(self, self.worker_process, row).run()
        if bounded:
            self._end_process()
        elif self.worker_process is not None:
            self.worker_process.idle_since = self.clock.monotonic()

    def _job_message(self, row: JobRow, folder: Path) -> Message:
        files: dict[str, str] = {}
        for name, content in self.queue.read_uploads(row.key).items():
            path = folder / Path(name).name
            atomic_write.write_file(path, content)
            files[name] = str(path)
        return {
            "key": row.key,
            "kind": row.kind,
            "settings": row.settings,
            "kept": self.queue.checkpoint(row.key),
            "threads": self.pool.threads,
            "cluster": self.pool.cluster,
            "files": files,
        }


class JobSupervisor:
    """Supervision of one running job."""

    def __init__(self, worker: WorkerThread, worker_process: WorkerProcess, row: JobRow) -> None:
        self.worker, self.queue, self.worker_process, self.row = (
            worker,
            worker.queue,
            worker_process,
            row,
        )
        self.clock = worker.clock
        self.began = self.last_heartbeat = self.slice_started = self.clock.monotonic()
        self.done, self.total = row.done, row.total
        self.checkpoint: str | None = None
        self.stop_reason = ""  # reason for stopping early: STOPPED, or LATER to resume it
        self.deadline = self.began + JOB_TIMEOUT_SECONDS

    def run(self) -> None:
        """Supervise the job until it ends or its lease is lost."""
        while not self._handle(
            self.worker_process.receive(
                self.last_heartbeat + HEARTBEAT_SECONDS - self.clock.monotonic()
            )
        ):
            now = self.clock.monotonic()
            if now > self.deadline:
                self._time_out()
                return
            if now - self.last_heartbeat >= HEARTBEAT_SECONDS:
                if not self._heartbeat():
                    return
                self._yield_if_others_wait(now)
            if self.worker.pool.closing.is_set() and not self.stop_reason:
                self._request_stop(LATER, SHUTDOWN_TIMEOUT_SECONDS)

    def _receive(self) -> Message:
        """Return the next message, or an empty one when the next heartbeat is due."""
        next_heartbeat = self.last_heartbeat + HEARTBEAT_SECONDS
        return self.worker_process.receive(next_heartbeat - self.clock.monotonic())

    def _handle(self, message: Message) -> bool:
        """Handle a message; return whether it was the last one."""
        if "progress" in message:
            self.done, self.total = message["progress"]
        elif "kept" in message:
            self.checkpoint = message["kept"]
        elif "result" in message:
            self.queue.finish(self.row, message["result"], message["page"], message["files"])
            return True
        elif "failed" in message:
            if details := message.get("why"):
                logger.error("%s job failed: %s", self.row.kind, details)
            if error_traceback := message.get("fault"):
                logger.error("%s job failed", self.row.kind)
                if os.environ.get("HASHMARK_TRACEBACK"):
                    logger.error(error_traceback)
            self.queue.fail(self.row, message["failed"])
            return True
        elif "interrupted" in message:
            self._release_interrupted()
            return True
        elif EXITED in message:
            self.worker._end_process()
            if self.stop_reason:
                self._release_interrupted()
            elif self.row.job.is_sandboxed:
                self.queue.fail(self.row, TOO_HEAVY)
            else:
                self.queue.requeue_lost(self.row)
            return True
        return False

    def _heartbeat(self) -> bool:
        """Renew the lease with the current progress; return False if it was lost."""
        now = self.clock.monotonic()
        seconds, self.last_heartbeat = now - self.last_heartbeat, now
        checkpoint, self.checkpoint = self.checkpoint, None
        state = self.queue.heartbeat(self.row, self.done, self.total, seconds, checkpoint)
        if state == FAILED:
            self.worker._end_process()
            return False
        if state == STOPPED and self.stop_reason != STOPPED:
            if self.row.job.is_resumable:
                self._request_stop(STOPPED, STOP_TIMEOUT_SECONDS)
            else:
                self.stop_reason = STOPPED
                self.worker._end_process()
        return True

    def _yield_if_others_wait(self, now: float) -> None:
        """Yield to waiting callers after a time slice if the job can be resumed."""
        if (
            self.stop_reason
            or now - self.slice_started < TIME_SLICE_SECONDS
            or not self.row.job.is_resumable
        ):
            return
        self.slice_started = now
        if self.queue.should_yield(self.row):
            self._request_stop(LATER, STOP_TIMEOUT_SECONDS)

    def _request_stop(self, reason: str, timeout: float) -> None:
        self.stop_reason = reason
        self.deadline = self.clock.monotonic() + timeout
        self.worker_process.send({"stop": True})

    def _release_interrupted(self) -> None:
        """Save the checkpoint of an interrupted job and release it."""
        if self.checkpoint is not None:
            self._save_checkpoint()
        if self.stop_reason == STOPPED:
            self.queue.mark_stopped(self.row)
        else:
            self.queue.release(self.row)

    def _save_checkpoint(self) -> None:
        seconds = self.clock.monotonic() - self.last_heartbeat
        self.queue.heartbeat(self.row, self.done, self.total, seconds, self.checkpoint)

    def _time_out(self) -> None:
        """End a job that exceeded its deadline."""
        self.worker._end_process()
        if self.stop_reason:
            self._release_interrupted()
        else:
            self.queue.fail(self.row, TIMED_OUT)
