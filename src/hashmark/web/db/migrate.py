"""Database migrations: the current revision, the required one and the upgrade between them.

Each migration is a plain Alembic file in `migrations/versions`, named by its number. All missing
migrations run in one transaction, so the database has either the old schema or the new one.
Databases from before migrations existed are recognized by their tables and count as revision 0001.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, inspect, text

from hashmark.errors import HashmarkError

MIGRATIONS_DIR = Path(__file__).parent / "migrations"
FIRST_REVISION = "0001"
VERSION_TABLE = "alembic_version"
FIRST_TABLES = {  # schema of the first migration, and of databases older than it
    "tables": {
        *("id", "rules", "stage", "header", "settings", "caller"),
        *("made", "touched", "said", "rematch"),
    },
    "lines": {"table_id", "number", "text"},
    "seats": {"table_id", "team", "holder", "word"},
    "invitations": {"digest", "table_id", "team"},
}
ADVISORY_LOCK_KEY = 0x686D  # advisory lock held while migrating


@cache
def revisions() -> tuple[str, ...]:
    """Return the numbers of all migrations in order."""
    return tuple(sorted(path.name[:4] for path in (MIGRATIONS_DIR / "versions").glob("[0-9]*.py")))


@dataclass(frozen=True)
class SchemaRevision:
    """Schema revision of a database."""

    revision: str  # the last migration applied; "" in an empty database
    is_recorded: bool  # whether the database records it

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the migrations that are still to be applied."""
        return tuple(step for step in revisions() if step > self.revision)

    @property
    def is_current(self) -> bool:
        return self.is_recorded and not self.missing


def read_revision(connection: Connection) -> SchemaRevision:
    """Return the schema revision of a database; raise if it is not one of Hashmark's."""
    inspector = inspect(connection)
    names = set(inspector.get_table_names())
    if VERSION_TABLE in names:
        revision = str(
            connection.execute(text(f"select version_num from {VERSION_TABLE}")).scalar() or ""
        )
        if revision and revision not in revisions():
            raise HashmarkError(
                f"the database was made by a newer Hashmark (schema {revision}; this one supports "
                f"up to {revisions()[-1]}): update Hashmark"
            )
        return SchemaRevision(revision, True)
    if not names & set(FIRST_TABLES):
        return SchemaRevision("", False)
    for name, columns in FIRST_TABLES.items():
        if (
            name not in names
            or {column["name"] for column in inspector.get_columns(name)} != columns
        ):
            raise HashmarkError("tables with the same names exist that are not Hashmark's")
    return SchemaRevision(FIRST_REVISION, False)


def upgrade(engine: Engine) -> SchemaRevision:
    """Apply all missing migrations or none; return the revision before."""
    with engine.connect() as connection:
        before = read_revision(connection)
    if before.is_current:
        return before
    with _exclusive_transaction(engine) as connection:
        now = read_revision(connection)  # another process may have migrated meanwhile
        if not now.is_current:
            _apply_missing(connection, now)
    return before


@contextmanager
def _exclusive_transaction(engine: Engine) -> Iterator[Connection]:
    """Begin a transaction in which no other process migrates."""
    with (
        engine.connect().execution_options(begins_writing=True) as connection,
        _without_cascades(connection),
        connection.begin(),
    ):
        if engine.dialect.name == "postgresql":
            connection.execute(
                text("select pg_advisory_xact_lock(:key)"), {"key": ADVISORY_LOCK_KEY}
            )
        yield connection


@contextmanager
def _without_cascades(connection: Connection) -> Iterator[None]:
    """Disable foreign keys of SQLite, where a changed table is copied and the old one dropped."""
    if connection.dialect.name != "sqlite":
        yield
        return
    raw: Any = connection.connection.driver_connection
    raw.execute("PRAGMA foreign_keys=OFF")  # has no effect within a transaction
    try:
        yield
    finally:
        raw.execute("PRAGMA foreign_keys=ON")


def _apply_missing(connection: Connection, now: SchemaRevision) -> None:
    from alembic.operations import Operations
    from alembic.runtime.migration import MigrationContext

    logging.getLogger("alembic").setLevel(logging.WARNING)
    script = scripts()
    context = MigrationContext.configure(connection, opts={"transactional_ddl": True})
    with Operations.context(context):
        for revision in now.missing:
            script.get_revision(revision).module.upgrade()
    context.stamp(script, revisions()[-1])


def scripts() -> Any:
    """Return Alembic's view of all migrations."""
    from alembic.script import ScriptDirectory

    return ScriptDirectory(str(MIGRATIONS_DIR))
