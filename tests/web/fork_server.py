"""Servers that start quickly: each is a fork of a process that has imported everything.

Importing takes longer than most of what the tests do with a server.
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

from timeouts import TIMEOUT_SECONDS

MAX_MESSAGE_BYTES = 1 << 20  # of a message
UNTHROTTLED_LIMITS: dict[str, float] = {
    "rate": 5000,
    "burst": 5000,
    "tables_each": 5000,
    "tables": 10**5,
    "streams_each": 500,
}


class ForkServer:
    """Fork server: a process that waits for requests and ends with this one."""

    def __init__(self) -> None:
        self._socket, other_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.settimeout(TIMEOUT_SECONDS)
        self._lock = threading.Lock()
        with other_end:
            self.process = subprocess.Popen(
                [
                    sys.executable,
                    "-c",
                    f"import {__name__} as it; it.wait_at({other_end.fileno()})",
                ],
                pass_fds=[other_end.fileno()],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
                start_new_session=True,  # Ctrl-C is for the tests, whose end it notices
            )

    def ask(self, request: Mapping[str, Any], *descriptors: int) -> int:
        with self._lock:
            socket.send_fds(self._socket, [json.dumps(request).encode()], descriptors)
            return int(self._socket.recv(MAX_MESSAGE_BYTES))

    def close(self) -> None:
        """End the fork server and all its forks."""
        self._socket.close()
        self.process.wait()


FORK_SERVERS: list[ForkServer] = []  # at most one, that of this process


def get_fork_server() -> ForkServer:
    if not FORK_SERVERS:
        FORK_SERVERS.append(ForkServer())
    return FORK_SERVERS[0]


def close_all() -> None:
    while FORK_SERVERS:
        FORK_SERVERS.pop().close()


class ForkedProcess:
    """Process that calls a function with `words` as its arguments."""

    def __init__(self, function: str, *words: str, **variables: str) -> None:
        read_end, write_end = os.pipe()
        request = {"function": function, "words": words, "variables": {**os.environ, **variables}}
        self.stdout: IO[str] = os.fdopen(read_end, encoding="utf-8")  # includes stderr
        try:
            self.pid = get_fork_server().ask(request, write_end)
        finally:
            os.close(write_end)
        self.returncode: int | None = None

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            os.kill(self.pid, number)

    def wait(self) -> int:
        """Return the exit status; a negative number is that of a signal."""
        if self.returncode is None:
            self.returncode = get_fork_server().ask({"wait": self.pid})
        return self.returncode

    def kill(self) -> None:
        self.send_signal(SIGKILL)
        self.wait()


class ServerFork:
    """Server process without rate limits; its database outlives it."""

    def __init__(self, url: str, **limits: float) -> None:
        self.url, self.limits, self.port = url, {**UNTHROTTLED_LIMITS, **limits}, 0
        self.process: ForkedProcess | None = None
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        words = str(self.port), self.url, json.dumps(self.limits)
        self.process = ForkedProcess(f"{__name__}:serve", *words, HASHMARK_TRACEBACK="1")
        line = self.process.stdout.readline()
        match = re.search(r":(\d+)/", line)
        assert match, line + self.process.stdout.read()
        self.port = int(match[1])

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self._close_output()

    def stop(self, signal_number: int = SIGTERM) -> tuple[int, float, str]:
        """Stop the server; return its status, the seconds it took and its remaining output."""
        assert self.process is not None
        started_at = time.monotonic()
        self.process.send_signal(signal_number)
        status = self.process.wait()
        seconds = time.monotonic() - started_at
        output = self.process.stdout.read()
        self._close_output()
        return status, seconds, output

    def _close_output(self) -> None:
        if self.process is not None:
            self.process.stdout.close()
        self.process = None


# --- In the fork server and its forks -------------------------------------------------------------


def wait_at(descriptor: int) -> None:
    """Serve fork requests until the other end is closed."""
    import gc

    import psycopg  # noqa: F401

    from hashmark.engine import registry
    from hashmark.web import server  # noqa: F401

    for name in registry.names():
        registry.load(name)
    gc.collect()
    gc.freeze()
    requests = socket.socket(fileno=descriptor)
    children: set[int] = set()
    while True:
        data, descriptors, _, _ = socket.recv_fds(requests, MAX_MESSAGE_BYTES, 1)
        if not data:
            break
        request = json.loads(data)
        if "wait" in request:
            _, status = os.waitpid(request["wait"], 0)
            children.discard(request["wait"])
            requests.send(str(os.waitstatus_to_exitcode(status)).encode())
            continue
        child = os.fork()
        if not child:
            requests.close()
            _become(descriptors[0], **request)
        os.close(descriptors[0])
        children.add(child)
        requests.send(str(child).encode())
    for child in children:
        os.kill(child, SIGKILL)
        os.waitpid(child, 0)


def _become(output: int, function: str, words: list[str], variables: dict[str, str]) -> None:
    """Turn a fork into the requested process: arguments, environment and output."""
    status = 1
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for descriptor in (1, 2):
            os.dup2(output, descriptor)
        os.close(output)
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
    """Serve at a port with a database and limits."""
    from hashmark.web.rate_limits import Limits
    from hashmark.web.server import serve

    port, url, limits = sys.argv[1:]
    parsed_limits = Limits(**json.loads(limits))
    serve("127.0.0.1", int(port), url, False, lambda line: print(line, flush=True), parsed_limits)
