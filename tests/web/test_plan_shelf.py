"""The shelf of plans: one text, one key; what is there stays; what is not is said so."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hashmark.club import plan_files
from hashmark.web.limits import Limits, TooMuch
from hashmark.web.plan_shelf import NoPlan, Shelf, key_of
from hashmark.web.store import Store


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    return Shelf(store, Limits(plans=3))


def test_what_is_kept_is_found_again(shelf: Shelf) -> None:
    plan = plan_files.real(2008, "ARI")
    key = asyncio.run(shelf.keep(plan, 2008, "ARI", "me"))
    assert key == key_of(plan_files.write(plan))
    kept = asyncio.run(shelf.find(key))
    assert (kept.season, kept.team, kept.plan) == (2008, "ARI", plan)
    shelf.store.close()


def test_many_keep_the_same_at_once(shelf: Shelf) -> None:
    plan = plan_files.real(2008, "ARI")
    with ThreadPoolExecutor(4) as pool:
        keys = set(pool.map(lambda _: shelf._keep(plan, 2008, "ARI", "me"), range(8)))
    assert len(keys) == 1
    shelf.store.close()


def test_there_is_an_end_of_room(shelf: Shelf) -> None:
    for team in ("ARI", "ATL", "BAL"):
        shelf._keep(plan_files.real(2008, team), 2008, team, team)
    with pytest.raises(TooMuch, match="no room"):
        shelf._keep(plan_files.real(2008, "BUF"), 2008, "BUF", "x")
    assert shelf._keep(plan_files.real(2008, "ARI"), 2008, "ARI", "x")  # it is there already
    shelf.store.close()


@pytest.mark.parametrize("key", ["", "x", "../" * 5, "f" * 20, "F" * 20, "' or 1=1 --"])
def test_no_other_key_finds_anything(shelf: Shelf, key: str) -> None:
    with pytest.raises(NoPlan):
        shelf.look(key)
    shelf.store.close()
