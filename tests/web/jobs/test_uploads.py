"""Uploaded play-by-play: uploads, limits, charts to play with, and expiry."""

from __future__ import annotations

import asyncio
import io
import time
from pathlib import Path
from typing import Any

import httpx
import polars as pl
import pytest

from hashmark.web.app_state import AppState
from hashmark.web.jobs import uploaded_charts, uploads
from hashmark.web.jobs.queue import DONE, FAILED
from hashmark.web.rate_limits import Limits
from league.invented_season import small_season
from timeouts import TIMEOUT_SECONDS
from web.harness import ROOMY_LIMITS, app_client, run_async

ANN = {"Authorization": f"Bearer {'a' * 43}"}
BOB = {"Authorization": f"Bearer {'b' * 43}"}


def parquet(plays: pl.DataFrame | None = None) -> bytes:
    out = io.BytesIO()
    (small_season() if plays is None else plays).write_parquet(out)
    return out.getvalue()


async def upload(client: httpx.AsyncClient, content: bytes, season: int = 2030) -> dict[str, Any]:
    response = await client.post(f"/api/charts?season={season}", content=content, headers=ANN)
    assert response.status_code == 201, response.text
    job: dict[str, Any] = response.json()
    return job


async def wait_until_ended(client: httpx.AsyncClient, key: str) -> dict[str, Any]:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while True:
        job: dict[str, Any] = (await client.get(f"/api/works/{key}", headers=ANN)).json()
        if job["state"] in (DONE, FAILED):
            return job
        assert time.monotonic() < deadline
        await asyncio.sleep(0.1)


def test_an_upload_becomes_charts_that_a_game_uses(tmp_path: Path) -> None:
    """A real worker builds charts; a game on them survives a restart."""

    async def work() -> None:
        async with app_client(tmp_path) as (client, app_state):
            app_state.jobs.start(1)
            job = await upload(client, parquet())
            key = job["key"]
            assert 3600 < job["until"] - time.time() <= uploads.RESULT_LIFETIME_SECONDS
            job = await wait_until_ended(client, key)
            assert job["state"] == DONE, job["said"]
            assert job["files"] == ["2030.plans.toml", "2030.toml"]
            assert app_state.jobs.queue.read_uploads(key) == {}  # the upload is deleted
            page = (await client.get(f"/works/{key}", headers=ANN)).text
            assert "Keep this result" in page
            assert f"/new/data-driven?charts={key}" in page
            assert (await client.get("/api/works")).json()["recent"] == []
            picks = await client.get(f"/api/games/data-driven/picks?charts={key}")
            assert picks.json()[0]["chosen"] == key
            others = (await client.get("/api/games/data-driven/picks")).json()[0]["values"]
            assert key not in [one["value"] for one in others]  # private without its key
            teams = [one["value"] for one in picks.json()[1]["values"]]
            options = {"charts": key, "home_team": teams[0], "away_team": teams[1]}
            table = await client.post(
                "/api/tables", json={"rules": "data-driven", "options": options}, headers=ANN
            )
            assert table.status_code == 201, table.text
            ready = f"/api/tables/{table.json()['id']}/ready"
            assert (await client.post(ready, json={"word": "w"}, headers=ANN)).status_code == 200
            assert app_state.jobs.queue.get(key).until is None  # kept because a game uses it
        async with app_client(tmp_path) as (client, _):  # another server unpacks them again
            again = await client.get(f"/api/tables/{table.json()['id']}", headers=ANN)
            assert again.status_code == 200, again.text

    run_async(work)


def test_the_form_uploads_a_file(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, app_state):
            assert "Make charts" in (await client.get("/charts")).text
            fields = {"season": "2030", "partial": "on"}
            files = {"plays": ("my plays.parquet", parquet())}
            response = await client.post("/charts", data=fields, files=files)
            assert response.status_code == 303, response.text
            row = await app_state.jobs.view(response.headers["location"].removeprefix("/works/"))
            assert row.settings["partial"] is True
            assert list(app_state.jobs.queue.read_uploads(row.key)) == ["pbp_2030.parquet"]
            assert app_state.jobs.queue.read_uploads(row.key)["pbp_2030.parquet"] == parquet()

    run_async(work)


@pytest.mark.parametrize(
    ("content", "query", "status", "message"),
    [
        (b"", "season=2030", 400, "must be a play-by-play file"),
        (b"hello", "season=2030", 400, "this is not play-by-play"),
        (b"x" * 3000, "season=2030", 413, "too large"),
        (b"hello", "season=1", 422, "season"),
        (b"hello", "", 422, "season"),
    ],
)
def test_invalid_uploads_are_rejected(
    tmp_path: Path, content: bytes, query: str, status: int, message: str
) -> None:
    async def work() -> None:
        async with app_client(tmp_path, Limits(plays=2000)) as (client, _):
            response = await client.post(f"/api/charts?{query}", content=content)
            assert response.status_code == status
            assert message in response.json()["detail"]
            page = await client.post("/charts", content=b"nothing", headers={"content-type": "x"})
            assert page.status_code == 400

    run_async(work)


def test_only_the_requester_may_keep_charts_and_only_up_to_the_limit(tmp_path: Path) -> None:
    async def work() -> None:
        limits = Limits(**{**vars(ROOMY_LIMITS), "charts": 1})
        async with app_client(tmp_path, limits) as (client, app_state):
            keys = [await built_charts(client, app_state, number) for number in (1, 2)]
            path = f"/api/works/{keys[0]}/keep"
            assert (await client.post(path, headers=BOB)).status_code == 403
            assert (await client.post(path, headers=ANN)).json()["until"] is None
            refused = await client.post(f"/works/{keys[1]}/keep", headers=ANN)
            assert refused.status_code == 429
            assert "already keeps too many charts" in refused.text.lower()
            nothing = await client.post("/api/works/nothing/keep", headers=ANN)
            assert nothing.status_code == 404

    run_async(work)


def test_a_season_can_be_replayed_on_uploaded_charts(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, app_state):
            key = await built_charts(client, app_state, 1, season=2008)
            form = {"runs": 20}
            response = await client.post(f"/api/works/{key}/replay", json=form, headers=ANN)
            assert response.status_code == 201, response.text
            job = response.json()
            assert job["title"] == "2008 season on uploaded charts, 20 runs"
            assert set(app_state.jobs.queue.read_uploads(job["key"])) == {
                "2008.toml",
                "2008.plans.toml",
            }
            page = await client.post(f"/works/{key}/replay", data={"runs": "20"}, headers=ANN)
            assert page.headers["location"] == f"/works/{job['key']}"  # the same job
            other = await built_charts(client, app_state, 2, season=2013)
            unknown = await client.post(f"/api/works/{other}/replay", json={}, headers=ANN)
            assert unknown.status_code == 201  # its schedule is shipped, even if its charts are not
            never = await built_charts(client, app_state, 3, season=2030)
            unknown = await client.post(f"/api/works/{never}/replay", json={}, headers=ANN)
            assert unknown.status_code == 400
            assert "no schedule for the 2030 season" in unknown.json()["detail"]
            nothing = await client.post(f"/api/works/{job['key']}/replay", json={}, headers=ANN)
            assert nothing.status_code == 404

    run_async(work)


async def built_charts(
    client: httpx.AsyncClient, app_state: AppState, number: int, season: int = 2030
) -> str:
    """Return the key of charts that a fake worker built; their content does not matter here."""
    table = f"a,b,c,d,e\n{number}\n".encode()
    key = str((await upload(client, table, season))["key"])
    while (row := app_state.jobs.queue.claim("w")) is not None and row.key != key:
        pass
    assert row is not None
    files = {f"{season}.toml": f"charts {number}", f"{season}.plans.toml": "plans"}
    assert app_state.jobs.queue.finish(row, {}, "<h1>Charts</h1>", files)
    return key


def test_unknown_keys_have_no_directory(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, app_state):
            for named in ("2008", "../x", "0" * 32, 5, None):
                assert app_state.uploaded_charts.directory({"charts": named}) is None
            assert uploaded_charts.KEY_PATTERN.fullmatch(await built_charts(client, app_state, 1))

    run_async(work)
