"""Opening a database from a URL, or rejecting it in one sentence."""

from __future__ import annotations

import os
import re
import sqlite3
import stat
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from hashmark import extras
from hashmark.errors import HashmarkError
from hashmark.web.db import connection as database
from hashmark.web.db.connection import (
    begin_write,
    default_database_url,
    ensure_default_url,
    open_engine,
    redact_url,
)
from hashmark.web.db.schema import WORKS
from hashmark.web.tables.table_store import TableStore


def test_an_unusable_database_is_reported(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("this is no database, and long enough to be seen as none")
    for url, message in (
        (f"sqlite:///{tmp_path / 'text.db'}", "file is not a database"),
        (f"sqlite:///{tmp_path / 'none' / 'a.db'}", "no such folder"),
        ("nonsense", "Could not parse"),
        ("oracle+none://x", "only sqlite and postgresql are supported"),
    ):
        with pytest.raises(HashmarkError, match=message) as error:
            TableStore(url)
        assert "\n" not in str(error.value)


def test_the_default_database_is_in_the_data_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HASHMARK_DATA", str(tmp_path / "new" / "folder"))
    TableStore(ensure_default_url()).close()
    assert (tmp_path / "new" / "folder" / "tables.db").read_bytes().startswith(b"SQLite format 3")


def test_the_default_url_can_be_named_without_creating_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HASHMARK_DATA", str(tmp_path / "new"))
    assert default_database_url() == f"sqlite:///{tmp_path / 'new' / 'tables.db'}"
    assert not (tmp_path / "new").exists()


def test_postgresql_uses_psycopg(monkeypatch: pytest.MonkeyPatch) -> None:
    assert open_engine("postgresql://me@here/tables").url.drivername == "postgresql+psycopg"
    monkeypatch.setattr(extras, "has", lambda library: library != "psycopg")
    with pytest.raises(HashmarkError, match="which is not installed: run `pip install"):
        open_engine("postgresql://me@here/tables")


def test_a_password_is_not_shown() -> None:
    assert redact_url("postgresql://me:secret@here/tables") == "postgresql://me:***@here/tables"
    with pytest.raises(HashmarkError) as error:
        TableStore("postgresql://me:secret@127.0.0.1:1/tables")
    assert "secret" not in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "url", ["postgresql://me:se:/cret@here:port/tables", "postgresql//me:s@cret@here/tables"]
)
def test_a_password_in_an_invalid_url_is_not_shown(url: str) -> None:
    with pytest.raises(HashmarkError, match=r"^--database ") as error:
        open_engine(url)
    assert "cret" not in str(error.value)
    assert "me:***@here" in str(error.value)


def test_a_write_transaction_locks_from_its_beginning(tmp_path: Path) -> None:
    """SQLite would reject, without waiting, a write after a read of outdated data."""
    file = tmp_path / "tables.db"
    store = TableStore(f"sqlite:///{file}")
    with begin_write(store.engine) as connection:
        assert connection.execute(select(func.count()).select_from(WORKS)).scalar_one() == 0
        other = sqlite3.connect(file, timeout=0, isolation_level=None)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
        other.close()
        connection.execute(update(WORKS).values(lease=0.0))
    store.close()


def test_no_module_uses_engine_begin() -> None:
    for path in Path(database.__file__).parents[1].rglob("*.py"):
        matches = re.findall(r"engine\.begin\(", path.read_text(encoding="utf-8"))
        assert not matches, f"{path.name}: use begin_write"


@pytest.mark.skipif(os.name == "nt", reason="permissions as on Unix")
def test_a_new_database_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    old_mask = os.umask(0)
    try:
        engine = open_engine(f"sqlite:///{tmp_path / 'tables.db'}")
        with engine.begin() as connection:
            connection.exec_driver_sql("create table t (x)")
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
        engine.dispose()
    finally:
        os.umask(old_mask)
    assert modes == dict.fromkeys(("tables.db", "tables.db-wal", "tables.db-shm"), 0o600)
