"""Table store: durability settings, round trips, and atomic changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import delete
from sqlalchemy.exc import IntegrityError

from hashmark.web.db.schema import TABLES
from hashmark.web.tables.table_store import NOT_STARTED, OVER, Change, Seat, TableRow, TableStore


def make_row(key: str = "a", **more: object) -> TableRow:
    values = {"header": {"seed": 1}, "settings": {"listed": True}, "listed": True, "caller": "c"}
    return TableRow(key, "fourth-down", **{**values, "made": 1.0, "touched": 1.0, **more})  # type: ignore[arg-type]


def test_commits_are_synchronous(tmp_path: Path) -> None:
    store = TableStore(f"sqlite:///{tmp_path / 'a.db'}")
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # 2 is FULL
    store.close()


def test_stored_changes_are_read_back(tmp_path: Path) -> None:
    store = TableStore(f"sqlite:///{tmp_path / 'a.db'}")
    new = make_row()
    store.write([Change("a", 1, ["one\n", "two\n"], new_row=new, seats=[Seat(0, "me", "word")])])
    store.write([Change("a", 3, ["three\n"], {"stage": OVER}, invitations=[("digest", 1)])])
    assert store.read_lines("a") == ["one\n", "two\n", "three\n"]
    assert store.find_row("a") == make_row(stage=OVER)
    assert store.find_row("b") is None
    assert store.read_seats("a") == [Seat(0, "me", "word")]
    assert store.find_invitation("digest") == ("a", 1)
    store.write([Change("a", seats=[Seat(1, "you", "")], voided_teams=[1])])
    assert store.find_invitation("digest") is None
    assert [row.id for row in store.list_tables((OVER,))] == ["a"]
    assert [row.id for row in store.list_tables((OVER,), "you")] == ["a"]
    assert store.list_tables((NOT_STARTED,)) == []
    store.close()


def test_the_lobby_lists_what_is_listed_whatever_the_settings_say(database: str) -> None:
    store = TableStore(database)
    store.write([Change(key, new_row=make_row(key, listed=key == "a")) for key in "ab"])
    store.write([Change("b", seats=[Seat(0, "me")])])
    assert [row.id for row in store.list_tables((NOT_STARTED,))] == ["a"]
    assert [(row.id, row.listed) for row in store.list_tables((NOT_STARTED,), "me")] == [
        ("b", False)
    ]
    store.close()


def test_lines_belong_to_a_table_and_are_deleted_with_it(database: str) -> None:
    store = TableStore(database)
    with pytest.raises(IntegrityError):
        store.write([Change("a", 1, ["one\n"])])
    store.write([Change("a", 1, ["one\n"], new_row=make_row(), seats=[Seat(0, "me")])])
    with store.engine.begin() as connection:
        connection.execute(delete(TABLES))
    assert (store.read_lines("a"), store.read_seats("a")) == ([], [])
    store.close()


def test_lines_are_unique_and_changes_atomic(tmp_path: Path) -> None:
    store = TableStore(f"sqlite:///{tmp_path / 'a.db'}")
    store.write([Change("a", 1, ["one\n"], new_row=make_row())])
    with pytest.raises(IntegrityError):
        store.write([Change("a", 1, ["other\n"], {"stage": OVER})])
    with pytest.raises(IntegrityError):
        store.write([Change("a", 2, ["two\n"]), Change("a", 2, ["two again\n"])])
    assert store.read_lines("a") == ["one\n"]
    assert store.find_row("a") == make_row()
    store.close()


def test_a_connection_returned_after_closing_is_closed(database: str) -> None:
    store = TableStore(database)
    connection = store.engine.connect()
    raw_connection = connection.connection.dbapi_connection
    assert raw_connection is not None
    store.close()
    connection.close()
    with pytest.raises(Exception, match="closed"):
        raw_connection.cursor().execute("select 1")
