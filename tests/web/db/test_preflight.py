"""`serve --check` reports whether a database can be used, without changing it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from hashmark.web.db import migrate
from hashmark.web.db.preflight import Finding, check
from hashmark.web.tables.table_store import Change, TableStore
from web.db.test_migrate import OLD, execute
from web.manual_clock import ShiftedClock
from web.postgres_server import PostgresServer, running_postgres
from web.tables.test_table_store import make_row


def report(url: str) -> str:
    """Return all findings as text, failed ones marked with NO."""
    return "\n".join(
        finding.message if finding.passed else f"NO: {finding.message}" for finding in check(url)
    )


def test_a_missing_file_is_not_created(tmp_path: Path) -> None:
    findings = report(f"sqlite:///{tmp_path / 'a.db'}")
    assert "the file does not exist yet: a server would create it" in findings
    assert "NO" not in findings
    assert list(tmp_path.iterdir()) == []
    assert "NO: --database: no such folder" in report(f"sqlite:///{tmp_path / 'no' / 'a.db'}")


def test_a_sound_file_passes(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'a.db'}"
    store = TableStore(url)
    store.write([Change("a", 1, ["one\n"], new_row=make_row())])
    before = (tmp_path / "a.db").read_bytes()
    findings = report(url)  # while a server uses the file
    assert f"schema revision {migrate.revisions()[-1]} is current" in findings
    assert "the journal mode is WAL" in findings
    assert "the file is intact" in findings
    assert "NO" not in findings
    store.close()
    assert "the file is intact" in report(url)
    assert len(before) <= len((tmp_path / "a.db").read_bytes())


def test_pending_migrations_and_damage_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    with sqlite3.connect(path) as connection:
        connection.executescript(OLD)
    connection.close()
    before = path.read_bytes()
    findings = report(f"sqlite:///{path}")
    assert (
        "schema revision 0001: a server would run the migrations 0002 sharing, 0003 works"
        in findings
    )
    assert "a server would switch it to WAL" in findings
    assert path.read_bytes() == before
    path.write_bytes(before[:5000])
    assert "NO" in report(f"sqlite:///{path}")
    path.write_text("no database at all, and long enough to be seen as none" * 10)
    assert "NO: cannot use the database" in report(f"sqlite:///{path}")


def test_a_newer_database_fails(database: str) -> None:
    TableStore(database).close()
    execute(database, "update alembic_version set version_num = '9999'")
    assert "NO: the database was made by a newer Hashmark" in report(database)


def test_an_empty_postgresql_is_checked_without_changes(postgres: PostgresServer) -> None:
    url = postgres.create_database()
    findings = report(url)
    assert "it is empty: a server would create its tables (0001 tables, 0002 sharing" in findings
    assert "LISTEN and NOTIFY work between connections" in findings
    for setting in ("fsync", "full_page_writes"):  # as tests are run
        assert f"NO: {setting} is off: a power failure" in findings
    with psycopg.connect(url) as connection:
        tables = connection.execute(
            "select count(*) from information_schema.tables where table_schema = 'public'"
        )
        assert tables.fetchone() == (0,)


@pytest.mark.parametrize("seconds", [3600.0, -3600.0])
def test_a_wrong_clock_is_reported_because_of_dates(
    postgres: PostgresServer, seconds: float
) -> None:
    clock, url = ShiftedClock(), postgres.create_database()
    assert "seconds apart" not in report(url)
    clock.ahead = seconds
    (finding,) = (one for one in check(url, clock) if "seconds apart" in one.message)
    assert not finding.passed
    assert "league deadlines" in finding.message


def test_a_durable_postgresql_passes_and_missing_privileges_fail(durable: PostgresServer) -> None:
    url = durable.create_database()
    TableStore(url).close()
    assert all(finding.passed for finding in check(url)), report(url)
    assert "fsync is on, full_page_writes is on, synchronous_commit is on" in report(url)
    execute(url, "create role weak login; grant select on all tables in schema public to weak")
    weak = url.replace("postgres@", "weak@")
    assert (
        "NO: this user has no permission to insert tables, update tables, delete tables"
        in report(weak)
    )
    execute(url, "alter role weak set synchronous_commit = off")
    assert "NO: synchronous_commit is off" in report(weak)
    empty = durable.create_database()
    execute(empty, "revoke create on schema public from public")
    assert "NO: this user has no permission to create" in report(
        empty.replace("postgres@", "weak@")
    )


def test_unreachable_and_invalid_urls_fail() -> None:
    assert list(check("postgresql://nobody@127.0.0.1:1/none"))[-1].passed is False
    assert list(check("nonsense")) == [
        Finding("--database nonsense: Could not parse SQLAlchemy URL from given URL string", False)
    ]


@pytest.fixture(scope="module")
def durable() -> Iterator[PostgresServer]:
    """Run a PostgreSQL with its default durability settings."""
    with running_postgres(()) as server:
        yield server
