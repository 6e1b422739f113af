"""The shape of the database: which one it has, which one this program wants, and the way there.

Every step is a file in `migrations/versions`, plain Alembic, named for its number. All steps that a
database lacks are taken in one transaction, so it has the old shape or the new one. What earlier
versions made without steps is known by its tables, and taken on as the first.
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

from hashmark.table.errors import HashmarkError

FOLDER = Path(__file__).parent / "migrations"
FIRST = "0001"
NOTED = "alembic_version"
FIRST_TABLES = {  # what the first step makes, and what stood there before there were steps
    "tables": {
        *("id", "rules", "stage", "header", "settings", "caller"),
        *("made", "touched", "said", "rematch"),
    },
    "lines": {"table_id", "number", "text"},
    "seats": {"table_id", "team", "holder", "word"},
    "invitations": {"digest", "table_id", "team"},
}
LOCK = 0x686D  # the advisory lock of those who take steps


@cache
def steps() -> tuple[str, ...]:
    """The numbers of all steps, in their order."""
    return tuple(sorted(path.name[:4] for path in (FOLDER / "versions").glob("[0-9]*.py")))


@dataclass(frozen=True)
class Shape:
    """What a database is like, seen with the eyes of this program."""

    at: str  # the last step that was taken; nothing in an empty database
    noted: bool  # whether the database says so itself

    @property
    def missing(self) -> tuple[str, ...]:
        """The steps that are still to be taken."""
        return tuple(step for step in steps() if step > self.at)

    @property
    def fits(self) -> bool:
        return self.noted and not self.missing


def shape_of(connection: Connection) -> Shape:
    """The shape of a database; refused in a sentence if it is none of ours."""
    looked_at = inspect(connection)
    names = set(looked_at.get_table_names())
    if NOTED in names:
        at = str(connection.execute(text(f"select version_num from {NOTED}")).scalar() or "")
        if at and at not in steps():
            raise HashmarkError(
                f"the database was made by a newer Hashmark (its shape is {at}, this program "
                f"knows those up to {steps()[-1]}): use that one"
            )
        return Shape(at, True)
    if not names & set(FIRST_TABLES):
        return Shape("", False)
    for name, columns in FIRST_TABLES.items():
        if name not in names or {one["name"] for one in looked_at.get_columns(name)} != columns:
            raise HashmarkError("the database has tables of the same names that are not Hashmark's")
    return Shape(FIRST, False)


def bring_up_to_date(engine: Engine) -> Shape:
    """Take all steps that a database lacks, or none; the shape that it had before."""
    with engine.connect() as connection:
        before = shape_of(connection)
    if before.fits:
        return before
    with _alone(engine) as connection:
        now = shape_of(connection)  # somebody else may have been quicker
        if not now.fits:
            _take_steps(connection, now)
    return before


@contextmanager
def _alone(engine: Engine) -> Iterator[Connection]:
    """A transaction in which nobody else takes steps."""
    with engine.connect().execution_options(begins_writing=True) as connection, connection.begin():
        if engine.dialect.name == "postgresql":
            connection.execute(text("select pg_advisory_xact_lock(:key)"), {"key": LOCK})
        yield connection


def _take_steps(connection: Connection, now: Shape) -> None:
    from alembic.operations import Operations
    from alembic.runtime.migration import MigrationContext

    logging.getLogger("alembic").setLevel(logging.WARNING)
    script = scripts()
    context = MigrationContext.configure(connection, opts={"transactional_ddl": True})
    with Operations.context(context):
        for step in now.missing:
            script.get_revision(step).module.upgrade()
    context.stamp(script, steps()[-1])


def scripts() -> Any:
    """All steps, as Alembic reads them."""
    from alembic.script import ScriptDirectory

    return ScriptDirectory(str(FOLDER))
