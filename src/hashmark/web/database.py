"""The database behind an address: how it is opened, and what is wrong with it, in a sentence."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import SQLAlchemyError

from hashmark.table import disk, extras, folders
from hashmark.table.errors import HashmarkError
from hashmark.table.files import is_folder
from hashmark.table.readable import plain

PLAIN = "postgresql"  # without a driver
BUSY = 10  # seconds that a connection waits for another one to finish writing
PATIENCE = {  # with a PostgreSQL server: what is silent for so long is gone
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,  # milliseconds
}
FAULTS = (SQLAlchemyError, ImportError, OSError, TypeError, ValueError)  # of a bad address
PASSING = (HashmarkError, SQLAlchemyError, OSError)  # which may be gone when it is tried again


def default_url() -> str:
    """A database in the user's data folder, which is made if it is not there."""
    folder = folders.data()
    try:
        disk.make_folders(folder)
    except OSError as fault:
        raise disk.cannot_write(folder, fault) from None
    return usual_url()


def usual_url() -> str:
    """The same, whether it is there or not."""
    return f"sqlite:///{folders.data() / 'tables.db'}"


def opened(url: str) -> Engine:
    """The database at an address, as we use it; nothing is asked of it yet."""
    try:
        parsed = make_url(url)
        sqlite = parsed.get_backend_name() == "sqlite"
        if sqlite:
            _check_file(parsed.database)
        elif parsed.get_backend_name() == "postgresql":
            parsed = _with_driver(parsed)
        else:
            raise ValueError("only sqlite and postgresql are known here")
        if sqlite:
            engine = create_engine(parsed, connect_args={"timeout": BUSY})
        else:
            engine = create_engine(parsed, connect_args=PATIENCE, pool_pre_ping=True)
    except FAULTS as fault:
        raise HashmarkError(f"--database {shown(url)}: {why(fault)}") from None
    if sqlite:
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
    return engine


def _with_driver(parsed: URL) -> URL:
    """An address without a driver gets ours."""
    extras.need("a database at a PostgreSQL server", "psycopg")
    return parsed.set(drivername="postgresql+psycopg") if parsed.drivername == PLAIN else parsed


def _check_file(name: str | None) -> None:
    """A database must be a file in a folder that is there."""
    if name in (None, "", ":memory:"):
        raise HashmarkError("--database: what is in memory alone is not kept; name a file")
    folder = Path(str(name)).parent
    if not is_folder(folder):
        raise HashmarkError(f"--database: there is no folder {plain(str(folder))}")


def _prepare(connection: Any, record: Any) -> None:
    """Write ahead, and let every commit reach the disk; transactions begin where we say."""
    connection.isolation_level = None
    for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {setting}")


def to_write(engine: Engine) -> AbstractContextManager[Connection]:
    """A transaction that writes; it has its turn from the beginning, and waits for it if need be.

    SQLite refuses at once, without any waiting, who has read in a transaction and then writes
    where somebody else has written meanwhile.
    """
    return engine.execution_options(begins_writing=True).begin()


def _begin(connection: Connection) -> None:
    at_once = connection.get_execution_options().get("begins_writing")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if at_once else "BEGIN")


def shown(url: str) -> str:
    """The address without what is secret in it."""
    try:
        return plain(make_url(url).render_as_string(hide_password=True))
    except (SQLAlchemyError, ValueError):  # it is no address, but there may be a password in it
        return plain(re.sub(r":(?!//).*@", ":***@", url))


def why(fault: BaseException) -> str:
    """What is wrong, in the words of the database, in one line."""
    inner = getattr(fault, "orig", None) or fault
    return str(inner).splitlines()[0] if str(inner) else type(inner).__name__
