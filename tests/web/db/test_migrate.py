"""Migrations: from an empty database, or from one of an earlier version."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, inspect, text

from hashmark.errors import HashmarkError
from hashmark.web.db import migrate
from hashmark.web.db.connection import open_engine
from hashmark.web.db.schema import SCHEMA
from hashmark.web.tables.table_store import Change, Store
from timeouts import TIMEOUT_SECONDS
from web.tables.test_table_store import make_row

OLD = """
create table tables (id varchar(32) not null primary key, rules varchar(80) not null,
    stage varchar(8) not null, header text not null, settings text not null,
    caller varchar(64) not null, made float not null, touched float not null,
    said text not null, rematch varchar(32) not null);
create index ix_tables_stage on tables (stage);
create index ix_tables_touched on tables (touched);
create table lines (table_id varchar(32) not null, number integer not null, text text not null,
    primary key (table_id, number));
create table seats (table_id varchar(32) not null, team integer not null,
    holder varchar(64) not null, word text, primary key (table_id, team));
create index ix_seats_holder on seats (holder);
create table invitations (digest varchar(64) not null primary key,
    table_id varchar(32) not null, team integer not null);
create index ix_invitations_table_id on invitations (table_id);
insert into tables values ('a', 'fourth-down', 'laid', '{"seed": 1}', '{"listed": true}', 'c',
    1.0, 1.0, '', '');
insert into lines values ('a', 1, 'one');
insert into seats values ('a', 0, 'me', 'word')
"""


@contextmanager
def writing(url: str) -> Iterator[Connection]:
    engine = open_engine(url)
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


def execute(url: str, statements: str) -> None:
    with writing(url) as connection:
        for statement in statements.split(";"):
            connection.execute(text(statement.replace(":", "\\:")))


def observed_schema(engine: Engine) -> dict[str, Any]:
    """Return everything observable about the tables of a database."""
    inspector = inspect(engine)
    return {
        name: {
            "columns": [
                {**column, "type": str(column["type"])}
                for column in _sorted(inspector.get_columns(name))
            ],
            "key": inspector.get_pk_constraint(name)["constrained_columns"],
            "indexes": _sorted(inspector.get_indexes(name)),
            "unique": _sorted(inspector.get_unique_constraints(name)),
            "foreign": inspector.get_foreign_keys(name),
        }
        for name in inspector.get_table_names()
        if name != migrate.VERSION_TABLE
    }


def _sorted(items: Any) -> list[dict[str, Any]]:
    return sorted((dict(item) for item in items), key=lambda item: str(item["name"]))


@pytest.fixture
def declared(request: pytest.FixtureRequest, database: str, tmp_path: Path) -> dict[str, Any]:
    """Return the schema that `web.db.schema` declares, in a database of the same system."""
    if database.startswith("sqlite"):
        engine = open_engine(f"sqlite:///{tmp_path / 'declared.db'}")
    else:
        engine = open_engine(request.getfixturevalue("postgres").new())
    SCHEMA.create_all(engine)
    schema = observed_schema(engine)
    engine.dispose()
    return schema


def test_migrations_produce_the_declared_schema(database: str, declared: dict[str, Any]) -> None:
    store = Store(database)
    assert observed_schema(store.engine) == declared
    store.close()


def test_a_database_without_migrations_is_upgraded(database: str, declared: dict[str, Any]) -> None:
    execute(database, OLD)
    for _ in range(2):
        store = Store(database)
        assert observed_schema(store.engine) == declared
        assert store.find_row("a") == make_row()
        assert store.read_lines("a") == ["one"]
        assert [(seat.holder, seat.word) for seat in store.read_seats("a")] == [("me", "word")]
        store.close()


def test_migrations_form_a_single_line() -> None:
    revisions = [script.revision for script in migrate.scripts().walk_revisions()]
    assert tuple(reversed(revisions)) == migrate.revisions()
    assert migrate.scripts().get_heads() == [migrate.revisions()[-1]]


def test_a_newer_database_is_refused(database: str) -> None:
    Store(database).close()
    execute(database, "update alembic_version set version_num = '9999'")
    with pytest.raises(HashmarkError, match="by a newer Hashmark") as error:
        Store(database)
    assert "\n" not in str(error.value)
    with writing(database) as connection:
        assert connection.execute(text("select version_num from alembic_version")).scalar()


def test_tables_of_other_programs_are_left_alone(database: str) -> None:
    execute(database, "create table tables (id integer)")
    with pytest.raises(HashmarkError, match="that are not Hashmark's"):
        Store(database)
    with writing(database) as connection:
        assert inspect(connection).get_table_names() == ["tables"]


def test_migrations_are_all_applied_or_none(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the last migration fails, none is applied, and the next start applies all."""
    execute(database, OLD)
    migrations = migrate.scripts()
    last = migrations.get_revision(migrate.revisions()[-1]).module

    class Failing:
        def __init__(self, step: Any) -> None:
            self.module = step.module
            if self.module is last:
                self.module = type("Step", (), {"upgrade": self.fail})

        @staticmethod
        def fail() -> None:
            last.upgrade()
            raise OSError("the power is gone")

    class Scripts:
        def get_revision(self, step: str) -> Failing:
            return Failing(migrations.get_revision(step))

    with monkeypatch.context() as patched:
        patched.setattr(migrate, "scripts", Scripts)
        with pytest.raises(HashmarkError, match="the power is gone"):
            Store(database)
    with writing(database) as connection:
        assert migrate.read_revision(connection) == migrate.SchemaRevision("0001", False)
        assert migrate.VERSION_TABLE not in inspect(connection).get_table_names()
    store = Store(database)
    store.write([Change("b", 1, ["one\n"], new_row=make_row("b"))])
    store.close()


def test_servers_that_start_at_once_migrate_once(database: str) -> None:
    program = (
        "import sys; from hashmark.web.tables.table_store import Store; Store(sys.argv[1]).close()"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", program, database], stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    for process in processes:
        _, errors = process.communicate(timeout=TIMEOUT_SECONDS)
        assert process.returncode == 0, errors.decode()
    with writing(database) as connection:
        assert migrate.read_revision(connection).is_current
