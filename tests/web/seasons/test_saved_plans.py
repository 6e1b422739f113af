"""Saved plans: one key for each text, immutable, and unknown keys are reported."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hashmark.web.clock import Clock
from hashmark.web.rate_limits import LimitExceeded, Limits
from hashmark.web.sandbox import Sandbox
from hashmark.web.seasons import plan_files
from hashmark.web.seasons.saved_plans import PlanNotFound, SavedPlans, plan_key
from hashmark.web.tables.table_store import TableStore


@pytest.fixture
def saved_plans(tmp_path: Path) -> SavedPlans:
    store = TableStore(f"sqlite:///{tmp_path / 'tables.db'}")
    return SavedPlans(store, Limits(plans=3), Clock(), Sandbox(Clock()))


def test_a_saved_plan_is_found_again(saved_plans: SavedPlans) -> None:
    plan = plan_files.load_real_plan(2008, "ARI")
    key = asyncio.run(saved_plans.save(plan, 2008, "ARI", "me"))
    assert key == plan_key(plan_files.write(plan))
    saved = asyncio.run(saved_plans.find(key))
    assert (saved.season, saved.team, saved.plan) == (2008, "ARI", plan)
    saved_plans.store.close()


def save_real_plan(saved_plans: SavedPlans, team: str, caller: str) -> str:
    plan = plan_files.load_real_plan(2008, team)
    return asyncio.run(saved_plans.save(plan, 2008, team, caller))


def test_saving_the_same_plan_concurrently_gives_one_entry(saved_plans: SavedPlans) -> None:
    with ThreadPoolExecutor(4) as pool:
        keys = set(pool.map(lambda _: save_real_plan(saved_plans, "ARI", "me"), range(8)))
    assert len(keys) == 1
    saved_plans.store.close()


def test_the_number_of_saved_plans_is_limited(saved_plans: SavedPlans) -> None:
    for team in ("ARI", "ATL", "BAL"):
        save_real_plan(saved_plans, team, team)
    with pytest.raises(LimitExceeded, match="cannot store any more plans"):
        save_real_plan(saved_plans, "BUF", "x")
    assert save_real_plan(saved_plans, "ARI", "x")  # it is stored already
    saved_plans.store.close()


@pytest.mark.parametrize("key", ["", "x", "../" * 5, "f" * 20, "F" * 20, "' or 1=1 --"])
def test_unknown_and_malformed_keys_find_nothing(saved_plans: SavedPlans, key: str) -> None:
    with pytest.raises(PlanNotFound):
        saved_plans.read(key)
    saved_plans.store.close()
