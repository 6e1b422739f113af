"""Migrations: from an empty database, or from one of an earlier version."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, Table, insert, inspect, select, text
from sqlalchemy.exc import IntegrityError

from hashmark.errors import HashmarkError
from hashmark.web.db import migrate, schema
from hashmark.web.db.connection import open_engine
from hashmark.web.db.schema import SCHEMA
from hashmark.web.tables.table_store import Change, TableStore
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

BEFORE_FLAGS = """
insert into tables (id, rules, stage, header, settings, caller, made, touched, said, rematch) values
    ('shown', 'r', 'laid', '{}', '{"hints": "demand", "listed": true}', 'c', 1, 1, '', ''),
    ('hidden', 'r', 'laid', '{}', '{"hints": "demand", "listed": false}', 'c', 1, 1, '', ''),
    ('older', 'r', 'laid', '{}', '{}', 'c', 1, 1, '', '');
insert into lines values ('shown', 1, 'one'), ('hidden', 1, 'one'), ('gone', 1, 'one');
insert into seats values ('hidden', 0, 'me', null, null), ('gone', 0, 'me', null, null);
insert into invitations values ('d', 'hidden', 0), ('e', 'gone', 0);
insert into works select kind || settings, kind, settings, 'p', 'c', 'done', stopping,
    0, 0, '', '', null, null, 1, 1, 1, null, 0, 0, '', 0
    from (select 'season' as kind, '{"season": 1}' as settings, 1 as stopping
    union select 'season', '{"charts": "x"}', 0 union select 'whatif', '{"plan": "x"}', 0
    union select 'whatif', '{"team": "x"}', 0 union select 'charts', '{}', 0) as given;
insert into askers values ('charts{}', 'me', 1), ('gone', 'me', 1);
insert into work_files values ('charts{}', 'a', 0, 1, 'x'), ('not yet', 'a', 0, 0, 'x');
insert into leagues values ('l', 't', 'playing', '{}', 'me', 'c', 1, 1, 1, 1, 1, null, 0, 1),
    ('private', 't', 'playing', '{}', 'me', 'c', 0, 1, 1, 1, 1, null, 0, 1);
insert into entrants values ('l', 0, 'n', 'c', 'k', 'me', 'f'),
    ('gone', 0, 'n', 'c', 'k', 'me', 'f');
insert into fixtures values ('l', 0, 1, 's', 0, 1, 1, 't0', null, null, 0, 0),
    ('l', 1, 1, 's', 0, 1, 0, 't1', null, null, 1, 0);
insert into passes values ('d', 'l', -1), ('e', 'gone', -1)
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
        engine = open_engine(request.getfixturevalue("postgres").create_database())
    SCHEMA.create_all(engine)
    schema = observed_schema(engine)
    engine.dispose()
    return schema


def test_migrations_produce_the_declared_schema(database: str, declared: dict[str, Any]) -> None:
    store = TableStore(database)
    assert observed_schema(store.engine) == declared
    store.close()


def test_a_database_without_migrations_is_upgraded(database: str, declared: dict[str, Any]) -> None:
    execute(database, OLD)
    for _ in range(2):
        store = TableStore(database)
        assert observed_schema(store.engine) == declared
        assert store.find_row("a") == make_row()
        assert store.read_lines("a") == ["one"]
        assert [(seat.holder, seat.word) for seat in store.read_seats("a")] == [("me", "word")]
        store.close()


def test_flags_become_booleans_and_visibility_a_column(
    database: str, declared: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every row is kept but those that belong to nothing, and says the same as before."""
    first_steps = migrate.revisions()[:5]
    with monkeypatch.context() as patched:
        patched.setattr(migrate, "revisions", lambda: first_steps)
        engine = open_engine(database)
        migrate.upgrade(engine)
        engine.dispose()
    execute(database, BEFORE_FLAGS)
    store = TableStore(database)
    assert observed_schema(store.engine) == declared

    def rows(table: Table, *columns: str) -> set[tuple[Any, ...]]:
        with store.engine.connect() as connection:
            return {
                tuple(row) for row in connection.execute(select(*(table.c[c] for c in columns)))
            }

    assert rows(schema.TABLES, "id", "listed") == {
        ("shown", True),
        ("hidden", False),
        ("older", False),
    }
    assert rows(schema.LINES, "table_id", "text") == {("shown", "one"), ("hidden", "one")}
    assert rows(schema.SEATS, "table_id", "holder") == {("hidden", "me")}
    assert rows(schema.INVITATIONS, "digest", "table_id") == {("d", "hidden")}
    assert rows(schema.WORKS, "key", "listed", "stopping") == {
        ('season{"season": 1}', True, True),
        ('season{"charts": "x"}', False, False),
        ('whatif{"plan": "x"}', False, False),
        ('whatif{"team": "x"}', True, False),
        ("charts{}", False, False),
    }
    assert rows(schema.ASKERS, "work", "holder") == {("charts{}", "me")}
    assert rows(schema.WORK_FILES, "work", "brought") == {("charts{}", True), ("not yet", False)}
    assert rows(schema.LEAGUES, "id", "listed") == {("l", True), ("private", False)}
    assert rows(schema.ENTRANTS, "league_id", "name") == {("l", "n")}
    assert rows(schema.FIXTURES, "number", "neutral", "ready") == {
        (0, True, False),
        (1, False, True),
    }
    assert rows(schema.PASSES, "digest", "league_id") == {("d", "l")}
    with pytest.raises(IntegrityError), store.engine.begin() as connection:
        connection.execute(insert(schema.LINES), {"table_id": "gone", "number": 1, "text": "one"})
    store.close()


def test_migrations_form_a_single_line() -> None:
    revisions = [script.revision for script in migrate.scripts().walk_revisions()]
    assert tuple(reversed(revisions)) == migrate.revisions()
    assert migrate.scripts().get_heads() == [migrate.revisions()[-1]]


def test_a_newer_database_is_refused(database: str) -> None:
    TableStore(database).close()
    execute(database, "update alembic_version set version_num = '9999'")
    with pytest.raises(HashmarkError, match="by a newer Hashmark") as error:
        TableStore(database)
    assert "\n" not in str(error.value)
    with writing(database) as connection:
        assert connection.execute(text("select version_num from alembic_version")).scalar()


def test_tables_of_other_programs_are_left_alone(database: str) -> None:
    execute(database, "create table tables (id integer)")
    with pytest.raises(HashmarkError, match="that are not Hashmark's"):
        TableStore(database)
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
            TableStore(database)
    with writing(database) as connection:
        assert migrate.read_revision(connection) == migrate.SchemaRevision("0001", False)
        assert migrate.VERSION_TABLE not in inspect(connection).get_table_names()
    store = TableStore(database)
    store.write([Change("b", 1, ["one\n"], new_row=make_row("b"))])
    store.close()


def test_servers_that_start_at_once_migrate_once(database: str) -> None:
    program = (
        "import sys; from hashmark.web.tables.table_store import TableStore; "
        "TableStore(sys.argv[1]).close()"
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
