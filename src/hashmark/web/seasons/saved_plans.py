"""Saved game plans, each stored under the digest of its text and readable by anyone with the link.

Saving the same plan twice gives one entry. Plans are parsed and re-serialized before they are
stored, so nothing else gets in. They are immutable and anonymous.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlalchemy import func, insert, select
from sqlalchemy.exc import IntegrityError

from hashmark.errors import HashmarkError
from hashmark.web.clock import Clock
from hashmark.web.db.connection import begin_write
from hashmark.web.db.schema import PLANS
from hashmark.web.rate_limits import DAY_SECONDS, LimitExceeded, Limits
from hashmark.web.sandbox import Sandbox
from hashmark.web.seasons import plan_files, season_view
from hashmark.web.seasons.plan_files import Plan
from hashmark.web.tables.table_store import TableStore

KEY_LENGTH = 20  # hexadecimal digits
KEY_PATTERN = re.compile(rf"[0-9a-f]{{{KEY_LENGTH}}}")


class PlanNotFound(HashmarkError):
    """No plan is stored under this key."""


@dataclass(frozen=True)
class SavedPlan:
    """Stored plan, and the team whose plan it varies."""

    key: str
    text: str
    season: int  # 0 if no team is named
    team: str
    made: float

    @cached_property
    def plan(self) -> Plan:
        return plan_files.read(self.text, "the plan")

    @property
    def packed(self) -> str:
        return plan_files.pack(self.plan)


def plan_key(text: str) -> str:
    """Return the key of a plan: a digest of its text."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:KEY_LENGTH]


class SavedPlans:
    """Saved plans of a database."""

    def __init__(self, store: TableStore, limits: Limits, clock: Clock, sandbox: Sandbox) -> None:
        self.store, self.limits, self.clock, self.sandbox = store, limits, clock, sandbox

    async def save_upload(self, text: str, about: Mapping[str, str], caller: str) -> str:
        """Validate and save an uploaded plan, and return its key."""
        if not text.strip():
            raise HashmarkError("the plan is empty: choose a file or paste its text")
        season, team = parse_plan_team(about)
        text = await self.sandbox.run(plan_files.normalize, text)
        return await asyncio.to_thread(self._save, text, season, team, caller)

    async def save(self, plan: Plan, season: int, team: str, caller: str) -> str:
        """Save a plan; return its key."""
        text = await asyncio.to_thread(plan_files.write, plan)
        return await asyncio.to_thread(self._save, text, season, team, caller)

    def _save(self, text: str, season: int, team: str, caller: str) -> str:
        key, now = plan_key(text), self.clock.wall()
        row: dict[str, Any] = {"id": key, "text": text, "season": season, "team": team}
        if self._is_stored(key, caller, now):
            return key
        # suppressed: the same plan has just been saved elsewhere
        with suppress(IntegrityError), begin_write(self.store.engine) as connection:
            connection.execute(insert(PLANS), {**row, "made": now, "caller": caller})
        return key

    def _is_stored(self, key: str, caller: str, now: float) -> bool:
        """Return whether a plan is stored already; raise if it is not and there is no room."""
        count = select(func.count()).select_from(PLANS)
        recent_count = count.where(PLANS.c.caller == caller, PLANS.c.made > now - DAY_SECONDS)
        with self.store.engine.connect() as connection:
            if connection.scalar(select(PLANS.c.id).where(PLANS.c.id == key)):
                return True
            if (connection.scalar(recent_count) or 0) >= self.limits.plans_each:
                raise LimitExceeded("you have saved too many plans today: try again tomorrow", 3600)
            if (connection.scalar(count) or 0) >= self.limits.plans:
                raise LimitExceeded("this server cannot store any more plans")
        return False

    async def find(self, key: str) -> SavedPlan:
        """Return the plan with this key."""
        return await asyncio.to_thread(self.read, key)

    def read(self, key: str) -> SavedPlan:
        """Return the plan with this key; blocks."""
        row = None
        if KEY_PATTERN.fullmatch(key):
            columns = (PLANS.c.id, PLANS.c.text, PLANS.c.season, PLANS.c.team, PLANS.c.made)
            with self.store.engine.connect() as connection:
                row = connection.execute(select(*columns).where(PLANS.c.id == key)).first()
        if row is None:
            raise PlanNotFound("there is no such plan")
        return SavedPlan(*row)


def parse_plan_team(about: Mapping[str, str]) -> tuple[int, str]:
    """Return the season and team that a plan is for; zero and empty if none is named."""
    if not about.get("team") and not about.get("season"):
        return 0, ""
    season = season_view.parse_season(about.get("season", ""))
    return season, season_view.parse_team(about.get("team", ""))
