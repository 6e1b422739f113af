"""Two servers at one database, both in this process; and somebody who plays at either."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random
from typing import Any

import httpx

from hashmark.web import tokens
from hashmark.web.hall import Hall
from patience import PATIENCE

from .house import ROOMY, at_home

Both = list[tuple[httpx.AsyncClient, Hall]]
ME = tokens.new_token()
YOU = tokens.new_token()


def mine(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@asynccontextmanager
async def two(database: str, **limits: Any) -> AsyncIterator[Both]:
    bounds = replace(ROOMY, pace=0.0, **limits)
    async with at_home(database, bounds) as one, at_home(database, bounds) as other:
        yield [one, other]


async def lay(client: httpx.AsyncClient, token: str = ME, **more: Any) -> dict[str, Any]:
    form = {"rules": "fourth-down", **more}
    made = await client.post("/api/tables", json=form, headers=mine(token))
    assert made.status_code == 201, made.text
    found: dict[str, Any] = made.json()
    return found


async def begun(client: httpx.AsyncClient, **more: Any) -> str:
    """A table of mine at which the game has begun."""
    key: str = (await lay(client, **more))["id"]
    said = await client.post(f"/api/tables/{key}/ready", json={"word": "x"}, headers=mine(ME))
    assert said.status_code == 200, said.text
    return key


async def asked(client: httpx.AsyncClient, key: str, token: str = ME) -> dict[str, Any]:
    """The table, when its player is asked."""
    ends = time.monotonic() + PATIENCE
    while True:
        found = await client.get(f"/api/tables/{key}?wait=30", headers=mine(token))
        state: dict[str, Any] = found.json()
        if state["over"] or (state["wanted"] and state["wanted"]["yours"]):
            return state
        assert time.monotonic() < ends, state


async def answer(
    client: httpx.AsyncClient, key: str, state: dict[str, Any], luck: Random, token: str = ME
) -> httpx.Response:
    form = {
        "moment": state["wanted"]["moment"],
        "call": luck.choice(state["wanted"]["calls"])["call"],
    }
    return await client.post(f"/api/tables/{key}/answers", json=form, headers=mine(token))


async def events(client: httpx.AsyncClient, key: str, token: str = ME) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (
        await client.get(f"/api/tables/{key}/events", headers=mine(token))
    ).json()
    return found


async def agreed(both: Both, key: str, token: str = ME) -> list[dict[str, Any]]:
    """What has happened, of which both must know the same; once nothing more happens by itself."""
    await asked(both[0][0], key)
    here, there = [await events(client, key, token) for client, _ in both]
    assert here == there
    return here


async def heard(hall: Hall, key: str, into: list[dict[str, Any]]) -> None:
    """Look on as a stream does, for ever."""
    table = await hall.find(key)
    viewer = table.viewer("")
    with table.listening() as happened:
        while True:
            happened.clear()
            into += table.since(into[-1]["number"] if into else 0, viewer)
            await happened.wait()


async def until(true: Any) -> None:
    """Wait for something."""
    ends = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < ends
        await asyncio.sleep(0.01)
