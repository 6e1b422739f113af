"""Leagues for tests: a server with a manual clock, and friends who play through the API."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx

from hashmark.web.app_state import AppState
from hashmark.web.leagues.autoplay_pool import AutoplayPool, PlayedOut, play_out
from hashmark.web.rate_limits import Limits
from timeouts import TIMEOUT_SECONDS
from web.harness import ROOMY_LIMITS, app_client
from web.manual_clock import ManualClock

DAY = 24 * 3600.0


class InProcessPool(AutoplayPool):
    """Autoplay pool that plays in this process, since games of 4th Down! are short."""

    async def play_out(
        self, lines: list[str], coaches: tuple[str, str], only_shipped: bool
    ) -> PlayedOut:
        return await asyncio.to_thread(play_out, lines, coaches, only_shipped)


class LeagueServer:
    """Server with leagues and a manual clock; background work runs only on request."""

    def __init__(self, client: httpx.AsyncClient, app_state: AppState, clock: ManualClock) -> None:
        self.client, self.app_state, self.clock = client, app_state, clock
        app_state.leagues.autoplay_pool = InProcessPool()
        app_state.leagues.wake = lambda: None  # type: ignore[method-assign]

    async def run_due_work(self) -> None:
        """Run the server's periodic check of leagues."""
        await self.app_state.leagues.run_due_work()


@asynccontextmanager
async def league_server(
    folder: Path | str,
    clock: ManualClock | None = None,
    limits: Limits = ROOMY_LIMITS,
    host: str = "127.0.0.1",
) -> AsyncIterator[LeagueServer]:
    clock = clock or ManualClock()
    async with app_client(folder, limits, host, clock=clock) as (client, app_state):
        yield LeagueServer(client, app_state, clock)


class Friend:
    """API client with a token of its own."""

    def __init__(self, server: LeagueServer, seed: int = 1) -> None:
        self.server, self.rng, self.token = server, Random(seed), ""

    async def send(self, method: str, path: str, **form: Any) -> httpx.Response:
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        content = (
            json.dumps(form) if method == "POST" else None
        )  # also text that is not valid UTF-8
        request = self.server.client.request
        return await request(method, f"/api{path}", headers=headers, content=content)

    async def ask(self, method: str, path: str, **form: Any) -> Any:
        answer = await self.send(method, path, **form)
        assert answer.status_code < 300, (path, answer.status_code, answer.text)
        data = answer.json() if answer.content else None
        if isinstance(data, dict) and data.get("token"):
            self.token = data["token"]
        return data

    async def expect_error(self, status: int, method: str, path: str, **form: Any) -> str:
        answer = await self.send(method, path, **form)
        assert answer.status_code == status, (path, answer.status_code, answer.text)
        return str(answer.json()["detail"])

    async def create_league(self, **form: Any) -> dict[str, Any]:
        defaults = {"title": "Ours", "rules": "fourth-down", "teams": ["Otters", "Foxes", "Herons"]}
        league: dict[str, Any] = await self.ask("POST", "/leagues", **{**defaults, **form})
        return league

    async def league(self, key: str) -> dict[str, Any]:
        league: dict[str, Any] = await self.ask("GET", f"/leagues/{key}")
        return league

    async def join(self, invitation: str, **form: Any) -> dict[str, Any]:
        league: dict[str, Any] = await self.ask(
            "POST", "/league-seats", invitation=invitation, **form
        )
        return league

    async def open_next_table(self, key: str) -> str:
        """Open the table of the next game and submit a client seed; return the table ID."""
        state = await self.ask("POST", f"/leagues/{key}/next")
        table = str(state["id"])
        if state["stage"] == "laid":
            await self.ask("POST", f"/tables/{table}/ready", word="heads")
        return table

    async def answer(self, table: str) -> bool:
        """Answer the pending question if it is this friend's; return whether it was."""
        state = await self.ask("GET", f"/tables/{table}")
        wanted = state["wanted"]
        if not wanted or not wanted["yours"]:
            return False
        call = self.rng.choice(wanted["calls"])["call"]
        await self.ask("POST", f"/tables/{table}/answers", moment=wanted["moment"], call=call)
        return True


async def play_to_the_end(table: str, *friends: Friend) -> None:
    """Let these friends play a game to its end; coaches answer by themselves in between."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while time.monotonic() < deadline:
        state = await friends[0].ask("GET", f"/tables/{table}")
        if state["over"]:
            return
        if not any([await friend.answer(table) for friend in friends]):
            await asyncio.sleep(0.002)
    raise AssertionError("the game does not end")
