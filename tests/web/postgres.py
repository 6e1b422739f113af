"""A real PostgreSQL for tests: from the system's packages, in a folder of its own, reached by a
socket in it.

It does not wait for the disk (fsync off) unless a test wants it: a killed server, ours or
PostgreSQL's, loses nothing by that, only a machine that loses its power would.
"""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
import pytest

from patience import PATIENCE

SOMEBODY = "postgres"  # who runs it where we are root, which it refuses
QUICK = ("fsync=off", "full_page_writes=off")


@cache
def programs() -> Path | None:
    """Where its programs are: in the path, where pg_config says, or where Debian has them."""
    found, config = shutil.which("postgres"), shutil.which("pg_config")
    places = [Path(found).resolve().parent] if found else []
    if config:
        said = subprocess.check_output([config, "--bindir"], text=True)
        places.append(Path(said.strip()))
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    wanted = ("initdb", "postgres", "pg_dump", "pg_restore")
    return next((one for one in places if all((one / name).exists() for name in wanted)), None)


def must_be_there() -> Path:
    """The programs; without them a test is skipped, but never where tests must all run."""
    found = programs()
    if found is not None:
        return found
    said = "there is no PostgreSQL on this machine (initdb was looked for); `make postgres`"
    if os.environ.get("CI"):
        pytest.fail(said)
    pytest.skip(said)


class Postgres:
    """One of them, running."""

    def __init__(self, folder: Path, settings: tuple[str, ...] = QUICK) -> None:
        self.bin, self.folder, self.settings = must_be_there(), folder, settings
        self.process: subprocess.Popen[bytes] | None = None
        self._numbers = itertools.count(1)
        self._run("initdb", "-D", str(folder / "data"), "-U", SOMEBODY, "-A", "trust", "-N", "-E",
                  "UTF8", "--locale=C")  # fmt: skip
        self.start()

    def _as_somebody(self) -> dict[str, Any]:
        if os.geteuid() != 0:
            return {}
        who = pwd.getpwnam(SOMEBODY)
        return {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": []}

    def _run(self, program: str, *arguments: str) -> bytes:
        done: subprocess.CompletedProcess[bytes] = subprocess.run(
            [str(self.bin / program), *arguments],
            capture_output=True,
            cwd=self.folder,
            **self._as_somebody(),
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    def start(self) -> None:
        settings = (*self.settings, "listen_addresses=", f"unix_socket_directories={self.folder}")
        more = [part for one in (*settings, "max_connections=200") for part in ("-c", one)]
        with (self.folder / "said").open("ab") as said:
            self.process = subprocess.Popen(
                [str(self.bin / "postgres"), "-D", str(self.folder / "data"), *more],
                stdout=said,
                stderr=said,
                cwd=self.folder,
                **self._as_somebody(),
            )
        self._wait()

    def _wait(self) -> None:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                psycopg.connect(self.url("postgres")).close()
            except psycopg.OperationalError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError((self.folder / "said").read_text())

    def stop(self, how: int = signal.SIGINT) -> None:
        """Interrupted it ends at once and cleanly."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(PATIENCE)
            self.process = None

    def url(self, database: str) -> str:
        return f"postgresql://{SOMEBODY}@/{database}?host={self.folder}"

    def new(self) -> str:
        """The address of an empty database."""
        name = f"t{next(self._numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"create database {name}".encode())
        return self.url(name)

    def tool(self, program: str, *arguments: str) -> bytes:
        """What one of its own programs says, such as pg_dump."""
        return self._run(program, *arguments)


@contextmanager
def running(settings: tuple[str, ...] = QUICK) -> Iterator[Postgres]:
    """A PostgreSQL for a while."""
    must_be_there()
    folder = Path(tempfile.mkdtemp(prefix="hashmark-pg-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, SOMEBODY, SOMEBODY)
        made = Postgres(folder, settings)
        try:
            yield made
        finally:
            made.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
