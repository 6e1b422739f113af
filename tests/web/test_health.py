"""Health checks of a server, and its metrics, which only the operator may read."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from hashmark.web import health
from hashmark.web.tables import table_sync
from web.harness import app_client, run_async
from web.manual_clock import ManualClock


def test_the_health_check_queries_the_database_with_a_timeout(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    queries: list[Any] = []

    async def play() -> None:
        clock = ManualClock()
        async with app_client(database, clock=clock) as (client, app_state):
            assert (await client.get("/api/health")).json() == {"ok": True}
            assert (await client.get("/api/alive")).json() == {"ok": True}

            async def silent(keys: Any) -> Any:
                queries.append(keys)
                clock.advance(table_sync.HEALTH_TIMEOUT_SECONDS)
                await asyncio.Event().wait()

            monkeypatch.setattr(app_state.tables.sync.change_feed, "fetch_versions", silent)
            refused = await client.get("/api/health")
            assert refused.status_code == 503
            assert refused.json() == {"detail": "the database is not responding: try again"}
            assert len(queries) == 1
            assert (await client.get("/api/alive")).status_code == 200

    run_async(play)


def test_metrics_need_the_token_or_a_local_client(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with app_client(tmp_path) as (client, _):
            allowed = await client.get("/metrics")
            assert allowed.status_code == 200
            assert allowed.headers["content-type"].startswith("text/plain; version=0.0.4")
            for name in ("X-Forwarded-For", "Forwarded"):  # through a proxy on this machine
                refused = await client.get("/metrics", headers={name: "10.1.2.3"})
                assert refused.status_code == 403
            monkeypatch.setenv(health.TOKEN_VARIABLE, "sesame")
            assert (await client.get("/metrics")).status_code == 403
            for token, status in (("sesame", 200), ("sesam", 403), ("\u00e9", 403)):
                headers = {b"Authorization": f"Bearer {token}".encode()}
                response = await client.get("/metrics", headers=headers)
                assert response.status_code == status

    run_async(play)


def test_remote_clients_may_not_read_metrics(tmp_path: Path) -> None:
    async def play() -> None:
        async with app_client(tmp_path, caller="192.0.2.7") as (client, _):
            assert (await client.get("/metrics")).status_code == 403

    run_async(play)
