"""Preflight check of a database (`serve --check`); it changes nothing."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from hashmark.errors import HashmarkError
from hashmark.web.clock import Clock
from hashmark.web.db.connection import OPEN_ERRORS, driver_message, open_engine, redact_url
from hashmark.web.db.migrate import MIGRATIONS_DIR, SchemaRevision, read_revision
from hashmark.web.db.schema import SCHEMA

MIN_POSTGRES_VERSION = (
    12  # major version of PostgreSQL; the tests cover this one and the current one
)
MAX_CLOCK_SKEW_SECONDS = 60.0  # dates of leagues and results are shown to the minute
DURABILITY_SETTINGS = {  # of PostgreSQL, and what can be lost without them
    "fsync": "a power failure can destroy the whole database",
    "full_page_writes": "a power failure can destroy the whole database",
    "synchronous_commit": "a power failure can lose calls that were already confirmed",
}


@dataclass(frozen=True)
class Finding:
    """Result of one check: a sentence, and whether the database passes."""

    message: str
    passed: bool = True


def check(url: str, clock: Clock | None = None) -> Iterator[Finding]:
    """Yield all findings about a database; stop at the first that makes it unusable."""
    try:
        engine = open_engine(url)
    except HashmarkError as error:
        yield Finding(str(error), False)
        return
    engine.dispose()
    try:
        if engine.dialect.name == "sqlite":
            yield from _check_sqlite(engine)
        else:
            yield from _check_postgres(engine, url, clock or Clock())
    except HashmarkError as error:
        yield Finding(str(error), False)
    except OPEN_ERRORS as error:
        yield Finding(f"cannot use the database {redact_url(url)}: {driver_message(error)}", False)
    finally:
        engine.dispose()


def _check_migrations(shape: SchemaRevision) -> Finding:
    """Return the migrations that a server would run at startup."""
    if shape.is_current:
        return Finding(f"schema revision {shape.revision} is current")
    names = [_migration_name(step) for step in shape.missing]
    if not shape.revision:
        return Finding(f"it is empty: a server would create its tables ({', '.join(names)})")
    if not names:
        return Finding(f"it has no schema revision yet: a server would record {shape.revision}")
    return Finding(
        f"schema revision {shape.revision}: a server would run the migrations {', '.join(names)}"
    )


def _migration_name(step: str) -> str:
    """Return a migration's number and title."""
    (path,) = (MIGRATIONS_DIR / "versions").glob(f"{step}*.py")
    return path.stem.replace("_", " ")


# --- SQLite --------------------------------------------------------------------------------------


def _check_sqlite(engine: Engine) -> Iterator[Finding]:
    path = Path(str(make_url(engine.url).database))
    yield Finding(f"SQLite {sqlite3.sqlite_version}, file {path}")
    if not os.access(path.parent, os.W_OK):
        yield Finding(f"the folder {path.parent} is not writable", False)
    if not path.exists():
        yield Finding("the file does not exist yet: a server would create it")
        return
    if not os.access(path, os.W_OK):
        yield Finding("the file is not writable", False)
    read_only = create_engine(f"sqlite:///file:{path}?mode=ro&uri=true")
    try:
        with read_only.connect() as connection:
            yield _check_migrations(read_revision(connection))
            yield _check_journal_mode(
                str(connection.exec_driver_sql("PRAGMA journal_mode").scalar())
            )
            result = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
            yield Finding(
                "the file is intact" if result == "ok" else f"the file is damaged: {result}",
                result == "ok",
            )
    finally:
        read_only.dispose()


def _check_journal_mode(mode: str) -> Finding:
    if mode == "wal":
        return Finding("the journal mode is WAL; a server syncs every commit to disk")
    return Finding(f"the journal mode is {mode}: a server would switch it to WAL")


# --- PostgreSQL ----------------------------------------------------------------------------------


def _check_postgres(engine: Engine, url: str, clock: Clock) -> Iterator[Finding]:
    started_at = time.perf_counter()
    with engine.connect() as connection:
        milliseconds = 1000 * (time.perf_counter() - started_at)
        version = _query(connection, "show server_version")
        yield Finding(
            f"PostgreSQL {version} at {redact_url(url)}, reached in {milliseconds:.0f} ms"
        )
        if int(_query(connection, "show server_version_num")) < MIN_POSTGRES_VERSION * 10_000:
            yield Finding(f"versions before {MIN_POSTGRES_VERSION} are not supported", False)
        shape = read_revision(connection)
        yield _check_migrations(shape)
        yield from _check_privileges(connection, shape)
        yield from _check_settings(connection)
        yield from _check_clock(connection, clock)
    yield _check_notify(engine)


def _query(connection: Connection, question: str, **values: object) -> str:
    return str(connection.execute(text(question), values).scalar())


def _check_privileges(connection: Connection, shape: SchemaRevision) -> Iterator[Finding]:
    if _query(connection, "select pg_is_in_recovery()") == "True":
        yield Finding("this server is a read-only standby: name the primary", False)
    if not shape.is_current:
        query = "select has_schema_privilege(current_schema(), 'create')"
        if _query(connection, query) != "True":
            yield Finding("this user has no permission to create the missing tables", False)
        return
    missing = [
        f"{privilege} {name}"
        for name in SCHEMA.tables
        for privilege in ("select", "insert", "update", "delete")
        if _query(
            connection, "select has_table_privilege(:name, :right)", name=name, right=privilege
        )
        != "True"
    ]
    if missing:
        yield Finding(f"this user has no permission to {', '.join(missing)}", False)


def _check_settings(connection: Connection) -> Iterator[Finding]:
    values = {name: _query(connection, f"show {name}") for name in DURABILITY_SETTINGS}
    for name, danger in DURABILITY_SETTINGS.items():
        if values[name] == "off":
            yield Finding(f"{name} is off: {danger}", False)
    if "off" not in values.values():
        yield Finding(", ".join(f"{name} is {value}" for name, value in values.items()))
    encoding = _query(connection, "show server_encoding")
    if encoding != "UTF8":
        yield Finding(f"the encoding is {encoding}: expected UTF8", False)
    max_connections = _query(connection, "show max_connections")
    yield Finding(f"it allows {max_connections} connections; a Hashmark server uses up to 20")


def _check_clock(connection: Connection, clock: Clock) -> Iterator[Finding]:
    """Compare the wall clocks: nothing is lost if they differ, but dates are wrong."""
    server_time = float(_query(connection, "select extract(epoch from clock_timestamp())"))
    skew = abs(clock.wall() - server_time)
    if skew > MAX_CLOCK_SKEW_SECONDS:
        yield Finding(
            f"its clock and this machine's are {skew:.0f} seconds apart, so league deadlines "
            "and dates would be wrong: synchronize them",
            False,
        )


def _check_notify(engine: Engine) -> Finding:
    """Check that NOTIFY reaches another connection; a transaction-mode pooler breaks that."""
    channel = "hashmark_check"
    with engine.connect() as listener, engine.connect() as notifier:
        raw: Any = listener.connection.driver_connection
        raw.autocommit = True
        raw.execute(f"listen {channel}")
        try:
            notifier.execute(text(f"notify {channel}"))
            notifier.commit()
            notifications = list(raw.notifies(timeout=5, stop_after=1))
        except SQLAlchemyError as error:
            return Finding(f"NOTIFY failed: {driver_message(error)}", False)
        finally:
            raw.execute("unlisten *")
            listener.invalidate()
    if notifications:
        return Finding("LISTEN and NOTIFY work between connections")
    return Finding("NOTIFY does not arrive: a connection pooler must use session mode", False)
