"""`serve --check`: whether a database fits, said without changing it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from hashmark.web import migrating
from hashmark.web.checking import Finding, check
from hashmark.web.store import Change, Store

from .postgres import Postgres, running
from .test_migrating import OLD, put
from .test_store import kept


def said(url: str) -> str:
    """All findings in one text; those that do not fit in capitals."""
    return "\n".join(one.said if one.fits else f"NO: {one.said}" for one in check(url))


def test_a_file_that_is_not_there_yet_is_not_made(tmp_path: Path) -> None:
    found = said(f"sqlite:///{tmp_path / 'a.db'}")
    assert "there is no such file yet: a server would make it" in found
    assert "NO" not in found
    assert list(tmp_path.iterdir()) == []
    assert "NO: --database: there is no folder" in said(f"sqlite:///{tmp_path / 'no' / 'a.db'}")


def test_a_file(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'a.db'}"
    store = Store(url)
    store.write([Change("a", 1, ["one\n"], new=kept())])
    before = (tmp_path / "a.db").read_bytes()
    found = said(url)  # while a server uses it
    assert f"its shape is {migrating.steps()[-1]}, as this program wants it" in found
    assert "it writes ahead (WAL)" in found
    assert "the file is sound" in found
    assert "NO" not in found
    store.close()
    assert "the file is sound" in said(url)
    assert len(before) <= len((tmp_path / "a.db").read_bytes())


def test_what_would_be_done(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    with sqlite3.connect(path) as connection:
        connection.executescript(OLD)
    connection.close()
    before = path.read_bytes()
    found = said(f"sqlite:///{path}")
    assert "its shape is 0001: a server would take the steps 0002 sharing, 0003 works" in found
    assert "a server would switch it to WAL" in found
    assert path.read_bytes() == before
    path.write_bytes(before[:5000])
    assert "NO" in said(f"sqlite:///{path}")
    path.write_text("no database at all, and long enough to be seen as none" * 10)
    assert "NO: cannot use the database" in said(f"sqlite:///{path}")


def test_a_newer_one(database: str) -> None:
    Store(database).close()
    put(database, "update alembic_version set version_num = '9999'")
    assert "NO: the database was made by a newer Hashmark" in said(database)


def test_postgresql(postgres: Postgres) -> None:
    url = postgres.new()
    found = said(url)
    assert "it is empty: a server would make its tables (0001 tables, 0002 sharing" in found
    assert "LISTEN and NOTIFY reach from one connection to another" in found
    for setting in ("fsync", "full_page_writes"):  # as tests are run
        assert f"NO: {setting} is off: a machine that loses its power" in found
    with psycopg.connect(url) as connection:
        tables = connection.execute(
            "select count(*) from information_schema.tables where table_schema = 'public'"
        )
        assert tables.fetchone() == (0,)


def test_a_postgresql_that_is_sure(sure: Postgres) -> None:
    url = sure.new()
    Store(url).close()
    assert all(one.fits for one in check(url)), said(url)
    assert "fsync is on, full_page_writes is on, synchronous_commit is on" in said(url)
    put(url, "create role weak login; grant select on all tables in schema public to weak")
    weak = url.replace("postgres@", "weak@")
    assert "NO: this user may not: insert tables, update tables, delete tables" in said(weak)
    put(url, "alter role weak set synchronous_commit = off")
    assert "NO: synchronous_commit is off" in said(weak)
    empty = sure.new()
    put(empty, "revoke create on schema public from public")
    assert "NO: this user may not make tables" in said(empty.replace("postgres@", "weak@"))


def test_a_server_that_cannot_be_reached() -> None:
    assert list(check("postgresql://nobody@127.0.0.1:1/none"))[-1].fits is False
    assert list(check("nonsense")) == [
        Finding("--database nonsense: Could not parse SQLAlchemy URL from given URL string", False)
    ]


@pytest.fixture(scope="module")
def sure() -> Iterator[Postgres]:
    """One that waits for the disk, as it comes."""
    with running(()) as made:
        yield made
