"""Two servers on one database, both in this process, and helpers to play on either."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random
from typing import Any

import httpx

from hashmark.web import tokens
from hashmark.web.app_state import AppState
from hashmark.web.clock import Clock
from timeouts import TIMEOUT_SECONDS
from web.harness import ROOMY_LIMITS, app_client

ServerPair = list[tuple[httpx.AsyncClient, AppState]]
ME = tokens.new_token()
YOU = tokens.new_token()


def auth_headers(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@asynccontextmanager
async def two_servers(
    database: str, clocks: Sequence[Clock | None] = (None, None), **limits: Any
) -> AsyncIterator[ServerPair]:
    limits_of_both = replace(ROOMY_LIMITS, **{"pace": 0.0, **limits})
    async with (
        app_client(database, limits_of_both, clock=clocks[0]) as first,
        app_client(database, limits_of_both, clock=clocks[1]) as second,
    ):
        yield [first, second]


async def create_table(client: httpx.AsyncClient, token: str = ME, **more: Any) -> dict[str, Any]:
    form = {"rules": "fourth-down", **more}
    response = await client.post("/api/tables", json=form, headers=auth_headers(token))
    assert response.status_code == 201, response.text
    created: dict[str, Any] = response.json()
    return created


async def start_game(client: httpx.AsyncClient, **more: Any) -> str:
    """Create a table and start its game; return its ID."""
    key: str = (await create_table(client, **more))["id"]
    response = await client.post(
        f"/api/tables/{key}/ready", json={"word": "x"}, headers=auth_headers(ME)
    )
    assert response.status_code == 200, response.text
    return key


async def wait_for_turn(client: httpx.AsyncClient, key: str, token: str = ME) -> dict[str, Any]:
    """Return the state of a table once its player is to act or the game is over."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while True:
        response = await client.get(f"/api/tables/{key}?wait=30", headers=auth_headers(token))
        state: dict[str, Any] = response.json()
        if state["over"] or (state["wanted"] and state["wanted"]["yours"]):
            return state
        assert time.monotonic() < deadline, state


async def answer(
    client: httpx.AsyncClient, key: str, state: dict[str, Any], rng: Random, token: str = ME
) -> httpx.Response:
    form = {
        "moment": state["wanted"]["moment"],
        "call": rng.choice(state["wanted"]["calls"])["call"],
    }
    return await client.post(f"/api/tables/{key}/answers", json=form, headers=auth_headers(token))


async def events(client: httpx.AsyncClient, key: str, token: str = ME) -> list[dict[str, Any]]:
    events_of_viewer: list[dict[str, Any]] = (
        await client.get(f"/api/tables/{key}/events", headers=auth_headers(token))
    ).json()
    return events_of_viewer


async def check_same_events(both: ServerPair, key: str, token: str = ME) -> list[dict[str, Any]]:
    """Return the events after checking that both servers have the same ones."""
    await wait_for_turn(both[0][0], key)
    first, second = [await events(client, key, token) for client, _ in both]
    assert first == second
    return first


async def follow_feed(app_state: AppState, key: str, into: list[dict[str, Any]]) -> None:
    """Follow the feed of a table forever, as a stream does."""
    table = await app_state.tables.find(key)
    viewer = table.viewer("")
    with table.subscribe() as changed:
        while True:
            changed.clear()
            into += table.events_since(into[-1]["number"] if into else 0, viewer)
            await changed.wait()


async def wait_until(condition: Any) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)
