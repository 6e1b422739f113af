"""Database connections: opening an engine from a URL, and readable errors."""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Dialect, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from hashmark import extras
from hashmark.errors import HashmarkError
from hashmark.sanitize import shorten
from hashmark.storage import fsync, user_dirs
from hashmark.storage.user_files import is_dir

DRIVERLESS_SCHEME = "postgresql"  # URL scheme without a driver
SQLITE_BUSY_SECONDS = 10  # how long a connection waits for another writer
POSTGRES_TIMEOUTS = {  # libpq options: a server that is silent for this long counts as lost
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,  # milliseconds
}
OPEN_ERRORS = (
    SQLAlchemyError,
    ImportError,
    OSError,
    TypeError,
    ValueError,
)  # raised for an unusable URL
TRANSIENT_ERRORS = (HashmarkError, SQLAlchemyError, OSError)  # may succeed on retry


def ensure_default_url() -> str:
    """Return the URL of the default database; create the user's data directory if missing."""
    directory = user_dirs.data_dir()
    try:
        fsync.make_dirs(directory)
    except OSError as error:
        raise fsync.write_error(directory, error) from None
    return default_database_url()


def default_database_url() -> str:
    """Return the URL of the default database without creating anything."""
    return f"sqlite:///{user_dirs.data_dir() / 'tables.db'}"


def open_engine(url: str) -> Engine:
    """Return an engine for a URL; no connection is made yet."""
    try:
        parsed = make_url(url)
        sqlite = parsed.get_backend_name() == "sqlite"
        if sqlite:
            _check_file(parsed.database)
        elif parsed.get_backend_name() == "postgresql":
            parsed = _with_driver(parsed)
        else:
            raise ValueError("only sqlite and postgresql are supported")
        if sqlite:
            engine = create_engine(parsed, connect_args={"timeout": SQLITE_BUSY_SECONDS})
        else:
            engine = create_engine(parsed, connect_args=POSTGRES_TIMEOUTS, pool_pre_ping=True)
    except OPEN_ERRORS as error:
        raise HashmarkError(f"--database {redact_url(url)}: {driver_message(error)}") from None
    if sqlite:
        event.listen(engine, "do_connect", _create_private_file)
        event.listen(engine, "connect", _configure_sqlite)
        event.listen(engine, "begin", _begin_transaction)
    return engine


def _with_driver(parsed: URL) -> URL:
    """Return the URL with psycopg as the driver if it names none."""
    extras.require("a PostgreSQL database", "psycopg")
    return (
        parsed.set(drivername="postgresql+psycopg")
        if parsed.drivername == DRIVERLESS_SCHEME
        else parsed
    )


def _check_file(name: str | None) -> None:
    """Reject in-memory databases and files in missing directories."""
    if name in (None, "", ":memory:"):
        raise HashmarkError("--database: an in-memory database is not saved: name a file")
    folder = Path(str(name)).parent
    if not is_dir(folder):
        raise HashmarkError(f"--database: no such folder: {shorten(str(folder))}")


def _create_private_file(
    dialect: Dialect, record: ConnectionPoolEntry, arguments: list[Any], options: dict[str, Any]
) -> None:
    """Create a new database file for its owner only; SQLite's own files beside it follow it."""
    path = Path(str(arguments[0]))
    if not str(path).startswith("file:"):
        with suppress(FileExistsError):
            os.close(fsync.create(path, fsync.PRIVATE_MODE))


def _configure_sqlite(connection: sqlite3.Connection, record: ConnectionPoolEntry) -> None:
    """Set WAL mode and full synchronization, and leave transaction control to SQLAlchemy."""
    connection.isolation_level = None
    for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {setting}")


def begin_write(engine: Engine) -> AbstractContextManager[Connection]:
    """Begin a transaction that takes the write lock at once, waiting for it if necessary.

    SQLite refuses immediately, without waiting, to upgrade a transaction that has read to a writing
    one if another connection has written in between.
    """
    return engine.execution_options(begins_writing=True).begin()


def _begin_transaction(connection: Connection) -> None:
    begins_writing = connection.get_execution_options().get("begins_writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if begins_writing else "BEGIN")


def redact_url(url: str) -> str:
    """Return the URL without its password."""
    try:
        return shorten(make_url(url).render_as_string(hide_password=True))
    except (SQLAlchemyError, ValueError):  # not a URL, but it may contain a password
        return shorten(re.sub(r":(?!//).*@", ":***@", url))


def driver_message(error: BaseException) -> str:
    """Return the driver's error message in one line."""
    cause = getattr(error, "orig", None) or error
    return str(cause).splitlines()[0] if str(cause) else type(cause).__name__
