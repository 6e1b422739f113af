"""Table store: durability settings, round trips, and atomic changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy.exc import IntegrityError

from hashmark.web.store import LAID, OVER, Change, Kept, Seat, Store


def kept(key: str = "a", **more: object) -> Kept:
    values = {"header": {"seed": 1}, "settings": {"listed": True}, "caller": "c"}
    return Kept(key, "fourth-down", **{**values, "made": 1.0, "touched": 1.0, **more})  # type: ignore[arg-type]


def test_commits_are_synchronous(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'a.db'}")
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # 2 is FULL
    store.close()


def test_stored_changes_are_read_back(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'a.db'}")
    new = kept()
    store.write([Change("a", 1, ["one\n", "two\n"], new=new, seats=[Seat(0, "me", "word")])])
    store.write([Change("a", 3, ["three\n"], {"stage": OVER}, invited=[("digest", 1)])])
    assert store.lines("a") == ["one\n", "two\n", "three\n"]
    assert store.table("a") == kept(stage=OVER)
    assert store.table("b") is None
    assert store.seats("a") == [Seat(0, "me", "word")]
    assert store.invitation("digest") == ("a", 1)
    store.write([Change("a", seats=[Seat(1, "you", "")], taken=[1])])
    assert store.invitation("digest") is None
    assert [row.id for row in store.listed((OVER,))] == ["a"]
    assert [row.id for row in store.listed((OVER,), "you")] == ["a"]
    assert store.listed((LAID,)) == []
    store.close()


def test_lines_are_unique_and_changes_atomic(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'a.db'}")
    store.write([Change("a", 1, ["one\n"], new=kept())])
    with pytest.raises(IntegrityError):
        store.write([Change("a", 1, ["other\n"], {"stage": OVER})])
    with pytest.raises(IntegrityError):
        store.write([Change("a", 2, ["two\n"]), Change("a", 2, ["two again\n"])])
    assert store.lines("a") == ["one\n"]
    assert store.table("a") == kept()
    store.close()


def test_a_connection_returned_after_closing_is_closed(database: str) -> None:
    store = Store(database)
    connection = store.engine.connect()
    raw_connection = connection.connection.dbapi_connection
    assert raw_connection is not None
    store.close()
    connection.close()
    with pytest.raises(Exception, match="closed"):
        raw_connection.cursor().execute("select 1")
