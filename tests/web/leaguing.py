"""Leagues for tests: a house whose clock the test moves, and friends who play by the API."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx

from hashmark.club.played_out import PlayedOut, play_out
from hashmark.web.hall import Hall
from hashmark.web.limits import Limits
from hashmark.web.machine import Machine

from .house import ROOMY, at_home

MORNING = 1_800_000_000.0
DAY = 24 * 3600.0


class Here(Machine):
    """Plays in this process: a game of 4th Down! takes no time worth another one."""

    async def play_out(
        self, lines: list[str], coaches: tuple[str, str], only_shipped: bool
    ) -> PlayedOut:
        return await asyncio.to_thread(play_out, lines, coaches, only_shipped)


class Clock:
    """What time it is for the leagues of a test."""

    def __init__(self, now: float = MORNING) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


class House:
    """A hall with leagues, by a clock of its own; nothing goes on unless the test says so."""

    def __init__(self, client: httpx.AsyncClient, hall: Hall, clock: Clock) -> None:
        self.client, self.hall, self.clock = client, hall, clock
        hall.leagues.now = clock
        hall.leagues.machine = Here()
        hall.leagues.wake = lambda: None  # type: ignore[method-assign]

    async def goes_on(self) -> None:
        """What the server does by itself once a minute."""
        await self.hall.leagues.look_round()


@asynccontextmanager
async def leagues_at_home(
    folder: Path | str, clock: Clock | None = None, limits: Limits = ROOMY, host: str = "127.0.0.1"
) -> AsyncIterator[House]:
    async with at_home(folder, limits, host) as (client, hall):
        yield House(client, hall, clock or Clock())


class Friend:
    """Somebody with a token of his own."""

    def __init__(self, house: House, seed: int = 1) -> None:
        self.house, self.luck, self.token = house, Random(seed), ""

    async def send(self, method: str, path: str, **form: Any) -> httpx.Response:
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        content = json.dumps(form) if method == "POST" else None  # also what is no UTF-8
        ask = self.house.client.request
        return await ask(method, f"/api{path}", headers=headers, content=content)

    async def ask(self, method: str, path: str, **form: Any) -> Any:
        answer = await self.send(method, path, **form)
        assert answer.status_code < 300, (path, answer.status_code, answer.text)
        made = answer.json() if answer.content else None
        if isinstance(made, dict) and made.get("token"):
            self.token = made["token"]
        return made

    async def refused(self, status: int, method: str, path: str, **form: Any) -> str:
        answer = await self.send(method, path, **form)
        assert answer.status_code == status, (path, answer.status_code, answer.text)
        return str(answer.json()["detail"])

    async def make(self, **form: Any) -> dict[str, Any]:
        usual = {"title": "Ours", "rules": "fourth-down", "teams": ["Otters", "Foxes", "Herons"]}
        made: dict[str, Any] = await self.ask("POST", "/leagues", **{**usual, **form})
        return made

    async def league(self, key: str) -> dict[str, Any]:
        found: dict[str, Any] = await self.ask("GET", f"/leagues/{key}")
        return found

    async def join(self, invitation: str, **form: Any) -> dict[str, Any]:
        made: dict[str, Any] = await self.ask(
            "POST", "/league-seats", invitation=invitation, **form
        )
        return made

    async def sit_down(self, key: str) -> str:
        """The table of the next game, with a word said for its dice."""
        state = await self.ask("POST", f"/leagues/{key}/next")
        table = str(state["id"])
        if state["stage"] == "laid":
            await self.ask("POST", f"/tables/{table}/ready", word="heads")
        return table

    async def call(self, table: str) -> bool:
        """Answer what is asked of this friend, if anything is; whether it was."""
        state = await self.ask("GET", f"/tables/{table}")
        wanted = state["wanted"]
        if not wanted or not wanted["yours"]:
            return False
        call = self.luck.choice(wanted["calls"])["call"]
        await self.ask("POST", f"/tables/{table}/answers", moment=wanted["moment"], call=call)
        return True


async def play_to_the_end(table: str, *friends: Friend) -> None:
    """These friends play a game; coaches answer by themselves in between."""
    for _ in range(4000):
        state = await friends[0].ask("GET", f"/tables/{table}")
        if state["over"]:
            return
        if not any([await friend.call(table) for friend in friends]):
            await asyncio.sleep(0.002)
    raise AssertionError("the game does not end")
