"""Whether a database fits, before a server uses it: `serve --check`, which changes nothing."""

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

from hashmark.table.errors import HashmarkError
from hashmark.web.database import FAULTS, opened, shown, why
from hashmark.web.migrating import FOLDER, Shape, shape_of
from hashmark.web.schema import SCHEMA

OLDEST = 12  # of PostgreSQL's versions, that tests can speak for the ones between it and today's
APART = 2.0  # seconds that two clocks may differ
SURE = {  # settings of PostgreSQL without which an acknowledged call can be lost, and why
    "fsync": "a machine that loses its power can lose the whole database",
    "full_page_writes": "a machine that loses its power can lose the whole database",
    "synchronous_commit": "a machine that loses its power can lose calls that were acknowledged",
}


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at, in a sentence, and whether it will do."""

    said: str
    fits: bool = True


def check(url: str) -> Iterator[Finding]:
    """All there is to say of a database; at what it cannot be used with it ends."""
    try:
        engine = opened(url)
    except HashmarkError as fault:
        yield Finding(str(fault), False)
        return
    engine.dispose()
    try:
        if engine.dialect.name == "sqlite":
            yield from _file(engine)
        else:
            yield from _postgres(engine, url)
    except HashmarkError as fault:
        yield Finding(str(fault), False)
    except FAULTS as fault:
        yield Finding(f"cannot use the database {shown(url)}: {why(fault)}", False)
    finally:
        engine.dispose()


def _steps(shape: Shape) -> Finding:
    """What a server would do to the database when it starts."""
    if shape.fits:
        return Finding(f"its shape is {shape.at}, as this program wants it")
    names = [_name(step) for step in shape.missing]
    if not shape.at:
        return Finding(f"it is empty: a server would make its tables ({', '.join(names)})")
    if not names:
        return Finding(f"it was made before shapes were noted: a server would note {shape.at}")
    return Finding(f"its shape is {shape.at}: a server would take the steps {', '.join(names)}")


def _name(step: str) -> str:
    """A step by its number and its word."""
    (path,) = (FOLDER / "versions").glob(f"{step}*.py")
    return path.stem.replace("_", " ")


# --- SQLite --------------------------------------------------------------------------------------


def _file(engine: Engine) -> Iterator[Finding]:
    path = Path(str(make_url(engine.url).database))
    yield Finding(f"SQLite {sqlite3.sqlite_version}, the file {path}")
    if not os.access(path.parent, os.W_OK):
        yield Finding(f"nothing can be written in {path.parent}", False)
    if not path.exists():
        yield Finding("there is no such file yet: a server would make it")
        return
    if not os.access(path, os.W_OK):
        yield Finding("the file cannot be written", False)
    reading = create_engine(f"sqlite:///file:{path}?mode=ro&uri=true")
    try:
        with reading.connect() as connection:
            yield _steps(shape_of(connection))
            yield _log_ahead(str(connection.exec_driver_sql("PRAGMA journal_mode").scalar()))
            found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
            yield Finding(
                "the file is sound" if found == "ok" else f"the file is damaged: {found}",
                found == "ok",
            )
    finally:
        reading.dispose()


def _log_ahead(mode: str) -> Finding:
    if mode == "wal":
        return Finding("it writes ahead (WAL); a server lets every commit reach the disk")
    return Finding(f"its journal is {mode!r}: a server would switch it to WAL")


# --- PostgreSQL ----------------------------------------------------------------------------------


def _postgres(engine: Engine, url: str) -> Iterator[Finding]:
    begun = time.perf_counter()
    with engine.connect() as connection:
        took = 1000 * (time.perf_counter() - begun)
        version = _asked(connection, "show server_version")
        yield Finding(f"PostgreSQL {version} at {shown(url)}, reached in {took:.0f} ms")
        if int(_asked(connection, "show server_version_num")) < OLDEST * 10_000:
            yield Finding(f"it is older than version {OLDEST}, and nobody has tried that", False)
        shape = shape_of(connection)
        yield _steps(shape)
        yield from _may_write(connection, shape)
        yield from _settings(connection)
    yield _is_heard(engine)


def _asked(connection: Connection, question: str, **values: Any) -> str:
    return str(connection.execute(text(question), values).scalar())


def _may_write(connection: Connection, shape: Shape) -> Iterator[Finding]:
    if _asked(connection, "select pg_is_in_recovery()") == "True":
        yield Finding("it follows another server and takes no changes: name that one", False)
    if not shape.fits:
        may = "select has_schema_privilege(current_schema(), 'create')"
        if _asked(connection, may) != "True":
            yield Finding("this user may not make tables, which are still to be made", False)
        return
    lacking = [
        f"{right} {name}"
        for name in SCHEMA.tables
        for right in ("select", "insert", "update", "delete")
        if _asked(connection, "select has_table_privilege(:name, :right)", name=name, right=right)
        != "True"
    ]
    if lacking:
        yield Finding(f"this user may not: {', '.join(lacking)}", False)


def _settings(connection: Connection) -> Iterator[Finding]:
    values = {name: _asked(connection, f"show {name}") for name in SURE}
    for name, danger in SURE.items():
        if values[name] == "off":
            yield Finding(f"{name} is off: {danger}", False)
    if "off" not in values.values():
        yield Finding(", ".join(f"{name} is {value}" for name, value in values.items()))
    encoding = _asked(connection, "show server_encoding")
    if encoding != "UTF8":
        yield Finding(f"its encoding is {encoding}, and must be UTF8", False)
    now = float(_asked(connection, "select extract(epoch from clock_timestamp())"))
    apart = abs(time.time() - now)
    if apart > APART:
        yield Finding(
            f"its clock and this one are {apart:.0f} seconds apart: set them right", False
        )
    most = _asked(connection, "show max_connections")
    yield Finding(f"it takes {most} connections; a server of ours wants up to 20")


def _is_heard(engine: Engine) -> Finding:
    """Whether what one connection tells reaches another that listens, as no pooler may prevent."""
    channel = "hashmark_check"
    with engine.connect() as listening, engine.connect() as telling:
        raw: Any = listening.connection.driver_connection
        raw.autocommit = True
        raw.execute(f"listen {channel}")
        try:
            telling.execute(text(f"notify {channel}"))
            telling.commit()
            heard = list(raw.notifies(timeout=5, stop_after=1))
        except SQLAlchemyError as fault:
            return Finding(f"NOTIFY is refused: {why(fault)}", False)
        finally:
            raw.execute("unlisten *")
            listening.invalidate()
    if heard:
        return Finding("LISTEN and NOTIFY reach from one connection to another")
    return Finding("NOTIFY does not arrive: a pooler between must keep sessions", False)
