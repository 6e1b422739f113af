"""Whether a server is there, for those who run it; and its figures, for nobody else."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from hashmark.web import health, sharing

from .house import at_home, run


def test_the_database_is_asked_and_bounded(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    async def play() -> None:
        async with at_home(database) as (client, hall):
            assert (await client.get("/api/health")).json() == {"ok": True}
            assert (await client.get("/api/alive")).json() == {"ok": True}

            async def silent(keys: Any) -> Any:
                asked.append(keys)
                await asyncio.sleep(60)

            monkeypatch.setattr(sharing, "SOON", 0.05)
            monkeypatch.setattr(hall.sharing.wire, "standings", silent)
            refused = await client.get("/api/health")
            assert refused.status_code == 503
            assert refused.json() == {"detail": "the database does not answer just now: try again"}
            assert len(asked) == 1
            assert (await client.get("/api/alive")).status_code == 200

    run(play)


def test_who_may_read_the_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with at_home(tmp_path) as (client, _):
            read = await client.get("/metrics")
            assert read.status_code == 200
            assert read.headers["content-type"].startswith("text/plain; version=0.0.4")
            for name in ("X-Forwarded-For", "Forwarded"):  # through a server beside this one
                refused = await client.get("/metrics", headers={name: "10.1.2.3"})
                assert refused.status_code == 403
            monkeypatch.setenv(health.TOKEN, "sesame")
            assert (await client.get("/metrics")).status_code == 403
            for token, status in (("sesame", 200), ("sesam", 403), ("\u00e9", 403)):
                headers = {b"Authorization": f"Bearer {token}".encode()}
                answer = await client.get("/metrics", headers=headers)
                assert answer.status_code == status

    run(play)


def test_no_stranger_reads_the_figures(tmp_path: Path) -> None:
    async def play() -> None:
        async with at_home(tmp_path, caller="192.0.2.7") as (client, _):
            assert (await client.get("/metrics")).status_code == 403

    run(play)
