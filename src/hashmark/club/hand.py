"""A process that does long work: told what by its standard input, it tells by its output how far.

One line of JSON is one message. In come a work (`{"kind": ..., "settings": ..., ...}`) and, while
it goes on, `{"stop": true}`; out go `progress`, `kept` (what it could go on from) and in the end
`result`, `interrupted` or `failed`. When its input ends, whoever started it is gone, and it goes
too, whatever it is at. It steps back behind everybody else who wants the processor.
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

LAST = 19  # of niceness: behind everybody
MEMORY = 4 * 2**30  # bytes of address space of a bounded one; a season takes 1.6 GB of it
SECONDS = 300  # of the processor; a season takes five
OFTEN = 0.25  # seconds between two words on progress
FAULT = "something went wrong here; nothing is lost, ask again"
AWAY = "the machines that work this out do not answer just now: try again later"
Said = Mapping[str, Any]


def main(bounded: str = "") -> None:
    """Do works until the input ends; `bounded` with only so much memory and time."""
    step_back(LAST)
    if bounded:
        _bound()
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever else is printed is not a message
    Hand(sys.stdin, out).run()


def step_back(to: int) -> None:
    """Let others go first from now on, where the system knows such a thing."""
    if hasattr(os, "setpriority"):
        here = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PROCESS, 0, max(here, to))


def _bound() -> None:
    """What a stranger brings must not take this machine down."""
    try:
        import resource
    except ImportError:  # a system without such bounds
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.environ["POLARS_MAX_THREADS"] = "2"  # each thread reserves memory of its own


@dataclass
class Hand:
    """Reads works and does them, one after the other."""

    inward: TextIO
    outward: TextIO
    leave: Callable[[int], Any] = os._exit
    stopped: threading.Event = field(default_factory=threading.Event)
    _works: list[Said] = field(default_factory=list)
    _came: threading.Condition = field(default_factory=threading.Condition)
    _said: float = 0.0
    _at: tuple[int, int] | None = None  # how far it is

    def run(self) -> None:
        threading.Thread(target=self._listen, daemon=True).start()
        while True:
            with self._came:
                while not self._works:
                    self._came.wait()
                work = self._works.pop(0)
            self.do(work)

    def _listen(self) -> None:
        """What comes in, while something is being done too."""
        for line in self.inward:
            message = json.loads(line)
            if "stop" in message:
                self.stopped.set()
                continue
            with self._came:
                self.stopped.clear()
                self._works.append(message)
                self._came.notify()
        self.leave(0)

    def do(self, message: Said) -> None:
        """One work, and what came of it."""
        try:
            self._do(message)
        except ClusterFault as fault:  # where it is, and why, is for who runs the server
            self.say({"failed": AWAY, "why": str(fault)})
        except HashmarkError as fault:
            self.say({"failed": str(fault)})
        except MemoryError:
            self.say({"failed": "this needs more memory than a work may have"})
        except Exception:
            self.say({"failed": FAULT, "fault": traceback.format_exc()})

    def _do(self, message: Said) -> None:
        work = Work(message["kind"], message["settings"], message.get("key", ""))
        running = Running(
            progress=self._progress,
            interrupted=self.stopped.is_set,
            kept=_Told(self, message.get("kept") or None),
            threads=message.get("threads", 1),
            cluster=message.get("cluster"),
            files=message.get("files", {}),
        )
        self._at = None
        made = work.run(running)
        if self._at is not None:
            self.say({"progress": self._at})
        if not made.whole:
            self.say({"interrupted": True})
            return
        page = "" if made.report is None else render("report_body.html", report=made.report)
        self.say({"result": made.said, "page": page, "files": dict(made.files)})

    def _progress(self, done: int, of: int) -> None:
        self._at, now = (done, of), time.monotonic()
        if now - self._said >= OFTEN:
            self._said = now
            self.say({"progress": [done, of]})

    def say(self, message: Said) -> None:
        self.outward.write(json.dumps(message) + "\n")
        self.outward.flush()


@dataclass
class _Told:
    """What can be gone on from: told to whoever keeps it."""

    hand: Hand
    text: str | None

    def read(self) -> str | None:
        return self.text

    def write(self, text: str) -> None:
        self.hand.say({"kept": text})
