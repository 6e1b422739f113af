"""One writer for all tables: many changes at once, and a bad one fails alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from hashmark.web.journal import Journal, NotKept
from hashmark.web.store import Change, Store

from .test_store import kept


def test_who_gives_up_waiting_stops_nobody(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'a.db'}")
    journal = Journal(store)
    journal.put(Change("a", new=kept())).result(10)
    waits = [journal.put(Change("a", number, ["line\n"])) for number in range(1, 200)]
    given_up = [one for one in waits[::3] if one.cancel()]
    journal.put(Change("a", 500, ["last\n"])).result(10)
    journal.close()
    assert len(store.lines("a")) == 200 - len(given_up)
    store.close()


def test_a_bad_change_fails_alone(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'a.db'}")
    journal = Journal(store)
    journal.put(Change("a", new=kept())).result(10)
    good = [journal.put(Change("a", number, [f"{number}\n"])) for number in range(1, 50)]
    bad = journal.put(Change("a", 7, ["again\n"]))
    more = journal.put(Change("a", 50, ["50\n"]))
    for one in [*good, more]:
        one.result(10)
    with pytest.raises(NotKept, match="nothing has happened"):
        bad.result(10)
    journal.close()
    assert store.lines("a") == [f"{number}\n" for number in range(1, 51)]
    store.close()
