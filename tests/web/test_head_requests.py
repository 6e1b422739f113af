"""HEAD: every GET route answers it with the same status and headers, and no body."""

from __future__ import annotations

import asyncio
from pathlib import Path

from starlette.routing import Route

from hashmark.web.app import ROUTERS
from timeouts import TIMEOUT_SECONDS
from web.harness import app_client, run_async

GENERIC = {"key": "nowhere", "name": "nothing", "rules": "fourth-down", "year": "2008"}
GENERIC |= {"team": "ARI", "league": "nowhere", "secret": "x", "turn": "1"}


def test_head_is_answered_like_get(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            table = (await client.post("/api/tables", json={"rules": "fourth-down"})).json()
            paths = {
                route.path.format(**{**GENERIC, "key": table["id"]})
                for router in ROUTERS
                for route in router.routes
                if isinstance(route, Route) and "GET" in (route.methods or ())
            }
            for path in sorted(paths):
                head = await asyncio.wait_for(client.head(path), TIMEOUT_SECONDS)
                assert head.content == b"", path
                assert head.status_code != 405, path
                assert head.status_code < 500, path
                if not path.endswith("/stream"):
                    plain = await client.get(path)
                    assert head.status_code == plain.status_code, path
                    assert head.headers["content-type"] == plain.headers["content-type"], path

    run_async(work)


def test_head_of_a_stream_ends_at_once(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, app_state):
            table = (await client.post("/api/tables", json={"rules": "fourth-down"})).json()
            path = f"/api/tables/{table['id']}/stream"
            head = await asyncio.wait_for(client.head(path), TIMEOUT_SECONDS)
            assert head.headers["content-type"].startswith("text/event-stream")
            assert app_state.stream_limiter.open_by_caller.total() == 0

    run_async(work)
