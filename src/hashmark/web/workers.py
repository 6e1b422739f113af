"""Who does long work: processes beside the server, each looked after by a thread in it.

The thread takes works from the queue, hands them to its process, and writes down how far it is;
the process, which steps back behind all tables, never touches the database. If the process dies,
its work is taken up again at once; if the whole server dies, the process notices and goes, and the
work is taken up when its lease has run out, by whoever is there.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import queue as lines
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
LOOK = 0.5  # seconds between two looks whether there is something to do
BEAT = 1.0  # seconds between two notes how far it is
SLICE = 20.0  # seconds after which a long work lets others go first
PATIENCE = 10.0  # seconds that a process has to come to an end
AT_THE_END = 1.5  # the same when the server ends
LONGEST = 2 * 3600.0  # seconds that a work may take
IDLE = 120.0  # seconds after which a process that has nothing to do goes
GONE, LATER = "gone", "later"
TOO_HEAVY = "the file needs more memory or time to be read than a file of plays does"
TOO_LONG = "this took too long and was given up: ask for less"
Message = Mapping[str, Any]


class Hand:
    """A process that does works (`club.hand`), seen from here."""

    program = "hashmark.club.hand:main"

    def __init__(self, bounded: bool = False) -> None:
        words = ("bounded",) if bounded else ()
        self.process = aside.begin(self.program, *words, heard=True, told=True)
        self._heard: lines.SimpleQueue[Message] = lines.SimpleQueue()
        self.idle_since = time.monotonic()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with contextlib.suppress(ValueError, OSError):
            for line in self.process.stdout:
                self._heard.put(json.loads(line))
        self._heard.put({GONE: True})

    def hear(self, seconds: float) -> Message:
        """The next message; nothing if it is silent for so long."""
        try:
            return self._heard.get(timeout=max(0.0, seconds))
        except lines.Empty:
            return {}

    def tell(self, message: Message) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(OSError, ValueError):  # it is gone, which will be heard
            self.process.stdin.write(json.dumps(message) + "\n")
            self.process.stdin.flush()

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def end(self) -> None:
        """It goes now, whatever it is at."""
        if self.alive:
            self.process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(PATIENCE)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


class Workers:
    """Some workers of a server."""

    def __init__(self, queue: Queue, number: int, cluster: str | None = None) -> None:
        self.queue, self.cluster = queue, cluster
        self.threads = max(1, (cores() - 1) // max(1, number))
        self.closing = threading.Event()
        here = f"{socket.gethostname()[:24]}-{os.getpid()}-{secrets.token_hex(4)}"
        self.workers = [Worker(self, f"{here}-{at}") for at in range(number)]

    def start(self) -> None:
        for worker in self.workers:
            worker.thread.start()

    def close(self) -> None:
        """Give back what is being done, and end all processes."""
        self.closing.set()
        for worker in self.workers:
            if worker.thread.ident is not None:
                worker.thread.join()


class Worker:
    """One of them: a thread with a process."""

    def __init__(self, workers: Workers, name: str) -> None:
        self.all, self.queue, self.name = workers, workers.queue, name
        self.thread = threading.Thread(target=self._attend, name=f"worker {name}", daemon=True)
        self.hand: Hand | None = None

    def _attend(self) -> None:
        try:
            while not self.all.closing.is_set():
                try:
                    row = self.queue.claim(self.name)
                    if row is not None:
                        self._do(row)
                        continue
                    self.queue.sweep_seldom()
                except (SQLAlchemyError, HashmarkError, OSError) as fault:
                    # nothing is lost: the lease runs out
                    logger.error("a worker has to wait: %s", type(fault).__name__)
                    self._let_go()
                self._rest()
        finally:
            self._let_go()

    def _rest(self) -> None:
        """Nothing to do; after a while without it the process goes."""
        if self.hand is not None and time.monotonic() - self.hand.idle_since > IDLE:
            self._let_go()
        self.all.closing.wait(LOOK)

    def _let_go(self) -> None:
        if self.hand is not None:
            self.hand.end()
            self.hand = None

    def _do(self, row: Row) -> None:
        """One work from the claim to its end, or until somebody else goes on with it."""
        bounded = row.work.bounded
        if self.hand is None or not self.hand.alive or bounded:
            self._let_go()
            self.hand = Hand(bounded)
        with TemporaryDirectory(prefix="hashmark-work-") as folder:
            self.hand.tell(self._message(row, Path(folder)))
            Attending(self, self.hand, row).until_the_end()
        if bounded:
            self._let_go()
        elif self.hand is not None:
            self.hand.idle_since = time.monotonic()

    def _message(self, row: Row, folder: Path) -> Message:
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


class Attending:
    """What a thread does while its process works."""

    def __init__(self, worker: Worker, hand: Hand, row: Row) -> None:
        self.worker, self.queue, self.hand, self.row = worker, worker.queue, hand, row
        self.began = self.beaten = self.turn = time.monotonic()
        self.done, self.total = row.done, row.total
        self.kept: str | None = None
        self.why = ""  # it is to end: STOPPED, or LATER if somebody goes on with it
        self.deadline = self.began + LONGEST

    def until_the_end(self) -> None:
        while not self._over(self.hand.hear(self.beaten + BEAT - time.monotonic())):
            now = time.monotonic()
            if now > self.deadline:
                self._too_late()
                return
            if now - self.beaten >= BEAT:
                if not self._beat():
                    return
                self._see_who_waits(now)
            if self.worker.all.closing.is_set() and not self.why:
                self._ask_to_end(LATER, AT_THE_END)

    def _over(self, message: Message) -> bool:
        """Whether this was the last that is heard of it."""
        if "progress" in message:
            self.done, self.total = message["progress"]
        elif "kept" in message:
            self.kept = message["kept"]
        elif "result" in message:
            self.queue.finish(self.row, message["result"], message["page"], message["files"])
            return True
        elif "failed" in message:
            if why := message.get("why"):
                logger.error("a work of the kind %s failed: %s", self.row.kind, why)
            if fault := message.get("fault"):
                logger.error("a work of the kind %s failed", self.row.kind)
                if os.environ.get("HASHMARK_TRACEBACK"):
                    logger.error(fault)
            self.queue.fail(self.row, message["failed"])
            return True
        elif "interrupted" in message:
            self._ended_early()
            return True
        elif GONE in message:
            self.worker._let_go()
            if self.why:
                self._ended_early()
            elif self.row.work.bounded:
                self.queue.fail(self.row, TOO_HEAVY)
            else:
                self.queue.lose(self.row)
            return True
        return False

    def _beat(self) -> bool:
        """Write down how far it is; False if it is not ours any more."""
        now = time.monotonic()
        seconds, self.beaten = now - self.beaten, now
        kept, self.kept = self.kept, None
        state = self.queue.beat(self.row, self.done, self.total, seconds, kept)
        if state == FAILED:
            self.worker._let_go()
            return False
        if state == STOPPED and self.why != STOPPED:
            if self.row.work.goes_on:
                self._ask_to_end(STOPPED, PATIENCE)
            else:
                self.why = STOPPED
                self.worker._let_go()
        return True

    def _see_who_waits(self, now: float) -> None:
        """After its turn, a work that can go on later lets others go first."""
        if self.why or now - self.turn < SLICE or not self.row.work.goes_on:
            return
        self.turn = now
        if self.queue.others_wait(self.row):
            self._ask_to_end(LATER, PATIENCE)

    def _ask_to_end(self, why: str, patience: float) -> None:
        self.why = why
        self.deadline = time.monotonic() + patience
        self.hand.tell({"stop": True})

    def _ended_early(self) -> None:
        """It was interrupted, for whatever reason; what is done is kept."""
        if self.kept is not None:
            self._write_kept()
        if self.why == STOPPED:
            self.queue.stop(self.row)
        else:
            self.queue.give_back(self.row)

    def _write_kept(self) -> None:
        seconds = time.monotonic() - self.beaten
        self.queue.beat(self.row, self.done, self.total, seconds, self.kept)

    def _too_late(self) -> None:
        """It did not end in time."""
        self.worker._let_go()
        if self.why:
            self._ended_early()
        else:
            self.queue.fail(self.row, TOO_LONG)
