"""The database: how it is opened, what it keeps, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy.exc import IntegrityError

from hashmark.web.store import LAID, OVER, Change, Kept, Seat, Store


def kept(key: str = "a", **more: object) -> Kept:
    values = {"header": {"seed": 1}, "settings": {"listed": True}, "caller": "c"}
    return Kept(key, "fourth-down", **{**values, "made": 1.0, "touched": 1.0, **more})  # type: ignore[arg-type]


def test_every_commit_reaches_the_disk(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'a.db'}")
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL
    store.close()


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
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
    assert [one.id for one in store.listed((OVER,))] == ["a"]
    assert [one.id for one in store.listed((OVER,), "you")] == ["a"]
    assert store.listed((LAID,)) == []
    store.close()


def test_a_line_is_kept_once_and_a_change_whole(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'a.db'}")
    store.write([Change("a", 1, ["one\n"], new=kept())])
    with pytest.raises(IntegrityError):
        store.write([Change("a", 1, ["other\n"], {"stage": OVER})])
    with pytest.raises(IntegrityError):
        store.write([Change("a", 2, ["two\n"]), Change("a", 2, ["two again\n"])])
    assert store.lines("a") == ["one\n"]
    assert store.table("a") == kept()
    store.close()


def test_what_was_in_use_at_the_end_is_closed_when_it_comes_back(database: str) -> None:
    store = Store(database)
    used = store.engine.connect()
    bare = used.connection.dbapi_connection
    assert bare is not None
    store.close()
    used.close()
    with pytest.raises(Exception, match="closed"):
        bare.cursor().execute("select 1")
