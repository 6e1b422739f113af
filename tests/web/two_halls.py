"""Two servers on one database, both in this process, and helpers to play on either."""

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
    limits_of_both = replace(ROOMY, pace=0.0, **limits)
    async with (
        at_home(database, limits_of_both) as first,
        at_home(database, limits_of_both) as second,
    ):
        yield [first, second]


async def lay(client: httpx.AsyncClient, token: str = ME, **more: Any) -> dict[str, Any]:
    form = {"rules": "fourth-down", **more}
    response = await client.post("/api/tables", json=form, headers=mine(token))
    assert response.status_code == 201, response.text
    created: dict[str, Any] = response.json()
    return created


async def begun(client: httpx.AsyncClient, **more: Any) -> str:
    """Create a table and start its game; return its ID."""
    key: str = (await lay(client, **more))["id"]
    response = await client.post(f"/api/tables/{key}/ready", json={"word": "x"}, headers=mine(ME))
    assert response.status_code == 200, response.text
    return key


async def asked(client: httpx.AsyncClient, key: str, token: str = ME) -> dict[str, Any]:
    """Return the state of a table once its player is to act or the game is over."""
    deadline = time.monotonic() + PATIENCE
    while True:
        response = await client.get(f"/api/tables/{key}?wait=30", headers=mine(token))
        state: dict[str, Any] = response.json()
        if state["over"] or (state["wanted"] and state["wanted"]["yours"]):
            return state
        assert time.monotonic() < deadline, state


async def answer(
    client: httpx.AsyncClient, key: str, state: dict[str, Any], luck: Random, token: str = ME
) -> httpx.Response:
    form = {
        "moment": state["wanted"]["moment"],
        "call": luck.choice(state["wanted"]["calls"])["call"],
    }
    return await client.post(f"/api/tables/{key}/answers", json=form, headers=mine(token))


async def events(client: httpx.AsyncClient, key: str, token: str = ME) -> list[dict[str, Any]]:
    events_of_viewer: list[dict[str, Any]] = (
        await client.get(f"/api/tables/{key}/events", headers=mine(token))
    ).json()
    return events_of_viewer


async def agreed(both: Both, key: str, token: str = ME) -> list[dict[str, Any]]:
    """Return the events after checking that both servers have the same ones."""
    await asked(both[0][0], key)
    first, second = [await events(client, key, token) for client, _ in both]
    assert first == second
    return first


async def heard(app_state: Hall, key: str, into: list[dict[str, Any]]) -> None:
    """Follow the feed of a table forever, as a stream does."""
    table = await app_state.find(key)
    viewer = table.viewer("")
    with table.listening() as changed:
        while True:
            changed.clear()
            into += table.since(into[-1]["number"] if into else 0, viewer)
            await changed.wait()


async def until(true: Any) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)
