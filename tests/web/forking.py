"""Servers that begin in a moment, for tests that kill hundreds of them: a process that has loaded
everything waits, and each server is a fork of it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from signal import SIGKILL
from typing import Any


class Fork:
    """A server like `Served`, which is another process all the same."""

    def __init__(self, mother: Mother, url: str) -> None:
        self.mother, self.url, self.port, self.process = mother, url, 0, 0
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        self.process, said = self.mother.ask("start", self.port, self.url)
        found = re.search(r":(\d+)/", said)
        assert found, said
        self.port = int(found[1])

    def kill(self) -> None:
        os.kill(self.process, SIGKILL)
        self.mother.ask("wait", self.process)


class Mother:
    """The process that waits."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, *what: Any) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(what), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())

    def close(self) -> None:
        """All of them end."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


@contextmanager
def forking() -> Iterator[Mother]:
    made = Mother()
    try:
        yield made
    finally:
        made.close()


def main() -> None:
    """In the process that waits: do what is asked, line by line."""
    import psycopg  # noqa: F401

    from hashmark.table import registry
    from hashmark.web import serving  # noqa: F401

    for name in registry.names():
        registry.load(name)
    children: set[int] = set()
    for line in sys.stdin:
        what, *given = json.loads(line)
        if what == "wait":
            os.waitpid(given[0], 0)
            children.discard(given[0])
            print("null", flush=True)
        else:
            child, said = _started(*given)
            children.add(child)
            print(json.dumps([child, said]), flush=True)
    for child in children:
        os.kill(child, SIGKILL)
        os.waitpid(child, 0)


def _started(port: int, url: str) -> tuple[int, str]:
    """A server in a fork, and what it says."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        with os.fdopen(reading) as pipe:
            return child, pipe.readline() + pipe.readline()
    os.close(reading)
    status = 1
    try:
        _serve(port, url, writing)
        status = 0
    finally:
        os._exit(status)


def _serve(port: int, url: str, writing: int) -> None:
    from hashmark.web.limits import Limits
    from hashmark.web.serving import serve

    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    limits = Limits(rate=5000, burst=5000, tables_each=5000, tables=10**5, streams_each=500)
    with os.fdopen(writing, "w") as pipe:
        serve(
            "127.0.0.1", port, url, False, lambda said: print(said, file=pipe, flush=True), limits
        )


if __name__ == "__main__":
    main()
