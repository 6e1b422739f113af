"""Servers that begin in a moment: a process that has loaded everything waits, and each server is a
fork of it. Loading takes longer than most of what servers are tested for.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from importlib import import_module
from signal import SIGKILL, SIGTERM
from typing import IO, Any

from patience import PATIENCE

LONGEST = 1 << 20  # bytes of a message
OFTEN: dict[str, float] = {
    "rate": 5000,
    "burst": 5000,
    "tables_each": 5000,
    "tables": 10**5,
    "streams_each": 500,
}


class Mother:
    """The process that waits; it ends with this one."""

    def __init__(self) -> None:
        self._ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._ours.settimeout(PATIENCE)
        self._one_asks = threading.Lock()
        with its:
            self.process = subprocess.Popen(
                [sys.executable, "-c", f"import {__name__} as it; it.wait_at({its.fileno()})"],
                pass_fds=[its.fileno()],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            )

    def ask(self, what: Mapping[str, Any], *descriptors: int) -> int:
        with self._one_asks:
            socket.send_fds(self._ours, [json.dumps(what).encode()], descriptors)
            return int(self._ours.recv(LONGEST))

    def close(self) -> None:
        """All of them end."""
        self._ours.close()
        self.process.wait()


MOTHERS: list[Mother] = []  # the one of this process, once there is one


def mother() -> Mother:
    if not MOTHERS:
        MOTHERS.append(Mother())
    return MOTHERS[0]


def close_all() -> None:
    while MOTHERS:
        MOTHERS.pop().close()


class Forked:
    """A process in which a function is called with these words as its `sys.argv`."""

    def __init__(self, function: str, *words: str, **variables: str) -> None:
        reading, writing = os.pipe()
        what = {"function": function, "words": words, "variables": {**os.environ, **variables}}
        self.stdout: IO[str] = os.fdopen(reading, encoding="utf-8")  # and what went wrong
        try:
            self.pid = mother().ask(what, writing)
        finally:
            os.close(writing)
        self.returncode: int | None = None

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            os.kill(self.pid, number)

    def wait(self) -> int:
        """How it ended: a number below nought is that of a signal."""
        if self.returncode is None:
            self.returncode = mother().ask({"wait": self.pid})
        return self.returncode

    def kill(self) -> None:
        self.send_signal(SIGKILL)
        self.wait()


class Fork:
    """A server for whoever asks often, with a database that outlives it."""

    def __init__(self, url: str, **limits: float) -> None:
        self.url, self.limits, self.port = url, {**OFTEN, **limits}, 0
        self.process: Forked | None = None
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        words = str(self.port), self.url, json.dumps(self.limits)
        self.process = Forked(f"{__name__}:serve", *words, HASHMARK_TRACEBACK="1")
        said = self.process.stdout.readline()
        found = re.search(r":(\d+)/", said)
        assert found, said + self.process.stdout.read()
        self.port = int(found[1])

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self._hang_up()

    def stop(self, how: int = SIGTERM) -> tuple[int, float, str]:
        """Its status, the seconds it took, and what else it said."""
        assert self.process is not None
        begun = time.monotonic()
        self.process.send_signal(how)
        status = self.process.wait()
        took = time.monotonic() - begun
        said = self.process.stdout.read()
        self._hang_up()
        return status, took, said

    def _hang_up(self) -> None:
        if self.process is not None:
            self.process.stdout.close()
        self.process = None


# --- In the process that waits, and in its forks --------------------------------------------------


def wait_at(descriptor: int) -> None:
    """Do what is asked, one thing after the other, until nobody can ask any more."""
    import gc

    import psycopg  # noqa: F401

    from hashmark.table import registry
    from hashmark.web import serving  # noqa: F401

    for name in registry.names():
        registry.load(name)
    gc.collect()
    gc.freeze()
    asking = socket.socket(fileno=descriptor)
    children: set[int] = set()
    while True:
        sent, descriptors, _, _ = socket.recv_fds(asking, LONGEST, 1)
        if not sent:
            break
        what = json.loads(sent)
        if "wait" in what:
            _, status = os.waitpid(what["wait"], 0)
            children.discard(what["wait"])
            asking.send(str(os.waitstatus_to_exitcode(status)).encode())
            continue
        child = os.fork()
        if not child:
            asking.close()
            _become(descriptors[0], **what)
        os.close(descriptors[0])
        children.add(child)
        asking.send(str(child).encode())
    for child in children:
        os.kill(child, SIGKILL)
        os.waitpid(child, 0)


def _become(writing: int, function: str, words: list[str], variables: dict[str, str]) -> None:
    """What a new process would be: with its own words, variables and output."""
    status = 1
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for descriptor in (1, 2):
            os.dup2(writing, descriptor)
        os.close(writing)
        os.environ.clear()
        os.environ.update(variables)
        sys.argv[1:] = words
        module, _, name = function.partition(":")
        getattr(import_module(module), name)()
        status = 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def serve() -> None:
    """A server at a port, with a database and within limits."""
    from hashmark.web.limits import Limits
    from hashmark.web.serving import serve

    port, url, limits = sys.argv[1:]
    bounds = Limits(**json.loads(limits))
    serve("127.0.0.1", int(port), url, False, lambda said: print(said, flush=True), bounds)
