"""PostgreSQL server for tests, from the system's packages, in a directory with a socket of its own.

It runs without fsync unless a test wants it: only a power failure would lose data then, not a
killed server.
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
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

import psycopg
import pytest

from timeouts import TIMEOUT_SECONDS

SERVER_USER = "postgres"  # runs the server if the tests run as root, which PostgreSQL refuses
NO_FSYNC_SETTINGS = ("fsync=off", "full_page_writes=off")


@cache
def find_programs() -> Path | None:
    """Return the directory of PostgreSQL's programs: from PATH, pg_config or Debian's packages."""
    executable, config = shutil.which("postgres"), shutil.which("pg_config")
    candidates = [Path(executable).resolve().parent] if executable else []
    if config:
        output = subprocess.check_output([config, "--bindir"], text=True)
        candidates.append(Path(output.strip()))
    candidates += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    required = ("initdb", "postgres", "pg_dump", "pg_restore")
    return next(
        (
            directory
            for directory in candidates
            if all((directory / name).exists() for name in required)
        ),
        None,
    )


def require_programs() -> Path:
    """Return the programs; without them skip the test, or fail it in CI."""
    directory = find_programs()
    if directory is not None:
        return directory
    reason = "there is no PostgreSQL on this machine (initdb was looked for); `make postgres`"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


class DatabaseFault(Enum):
    """Ways in which a database fails under its clients, named as in `pg_ctl stop`."""

    TERMINATE = "terminate"  # all connections are ended
    FAST = "fast"
    IMMEDIATE = "immediate"
    KILL = "kill"


STOP_SIGNALS = {
    DatabaseFault.FAST: signal.SIGINT,
    DatabaseFault.IMMEDIATE: signal.SIGQUIT,
    DatabaseFault.KILL: signal.SIGKILL,
}


class PostgresServer:
    """Running PostgreSQL server."""

    def __init__(self, folder: Path, settings: tuple[str, ...] = NO_FSYNC_SETTINGS) -> None:
        self.bin, self.directory, self.settings = require_programs(), folder, settings
        self.process: subprocess.Popen[bytes] | None = None
        self._numbers = itertools.count(1)
        self._run("initdb", "-D", str(folder / "data"), "-U", SERVER_USER, "-A", "trust", "-N",
                  "-E", "UTF8", "--locale=C")  # fmt: skip
        self.start()

    def _unprivileged(self) -> dict[str, Any]:
        if os.geteuid() != 0:
            return {}
        account = pwd.getpwnam(SERVER_USER)
        return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}

    def _run(self, program: str, *arguments: str) -> bytes:
        completed: subprocess.CompletedProcess[bytes] = subprocess.run(
            [str(self.bin / program), *arguments],
            capture_output=True,
            cwd=self.directory,
            **self._unprivileged(),
        )
        assert completed.returncode == 0, completed.stderr.decode()
        return completed.stdout

    def start(self) -> None:
        settings = (
            *self.settings,
            "listen_addresses=",
            f"unix_socket_directories={self.directory}",
        )
        options = [
            word for setting in (*settings, "max_connections=200") for word in ("-c", setting)
        ]
        with (self.directory / "server.log").open("ab") as log_file:
            self.process = subprocess.Popen(
                [str(self.bin / "postgres"), "-D", str(self.directory / "data"), *options],
                stdout=log_file,
                stderr=log_file,
                cwd=self.directory,
                start_new_session=True,  # Ctrl-C is for the tests, which stop it
                **self._unprivileged(),
            )
        self._wait()

    def _wait(self) -> None:
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while time.monotonic() < deadline:
            try:
                psycopg.connect(self.url("postgres")).close()
            except psycopg.OperationalError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError((self.directory / "server.log").read_text())

    def stop(self, signal_number: int = signal.SIGINT) -> None:
        """Stop the server; SIGINT is a fast and clean shutdown."""
        if self.process is not None:
            self.process.send_signal(signal_number)
            self.process.wait(TIMEOUT_SECONDS)
            self.process = None

    def fail(self, fault: DatabaseFault) -> None:
        """Fail in this way and come back."""
        if fault is DatabaseFault.TERMINATE:
            with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
                connection.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity "
                    "where backend_type = 'client backend' and pid <> pg_backend_pid()"
                )
            return
        assert self.process is not None
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        children = [Path("/proc", pid) for pid in path.read_text().split()]
        self.stop(STOP_SIGNALS[fault])
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while any(child.exists() for child in children):  # they hold the shared memory
            assert time.monotonic() < deadline
            time.sleep(0.01)
        self.start()

    def url(self, database: str) -> str:
        return f"postgresql://{SERVER_USER}@/{database}?host={self.directory}"

    def create_database(self) -> str:
        """Return the URL of a new, empty database."""
        name = f"t{next(self._numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"create database {name}".encode())
        return self.url(name)

    def run_tool(self, program: str, *arguments: str) -> bytes:
        """Run one of PostgreSQL's programs such as pg_dump; return its output."""
        return self._run(program, *arguments)


@contextmanager
def running_postgres(settings: tuple[str, ...] = NO_FSYNC_SETTINGS) -> Iterator[PostgresServer]:
    """Run a PostgreSQL server."""
    require_programs()
    directory = Path(tempfile.mkdtemp(prefix="hashmark-pg-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(directory, SERVER_USER, SERVER_USER)
        server = PostgresServer(directory, settings)
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(directory, ignore_errors=True)
