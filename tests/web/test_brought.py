"""Play-by-play that a visitor brings: uploads, bounds, charts to play with, and what is kept."""

from __future__ import annotations

import asyncio
import io
import time
from pathlib import Path
from typing import Any

import httpx
import polars as pl
import pytest

from hashmark.web import brought, library
from hashmark.web.hall import Hall
from hashmark.web.limits import Limits
from hashmark.web.queue import DONE, FAILED
from league.invented_season import small
from patience import PATIENCE

from .house import ROOMY, at_home, run

ANN = {"Authorization": f"Bearer {'a' * 43}"}
BOB = {"Authorization": f"Bearer {'b' * 43}"}


def parquet(plays: pl.DataFrame | None = None) -> bytes:
    out = io.BytesIO()
    (small() if plays is None else plays).write_parquet(out)
    return out.getvalue()


async def bring(client: httpx.AsyncClient, content: bytes, season: int = 2030) -> dict[str, Any]:
    answer = await client.post(f"/api/charts?season={season}", content=content, headers=ANN)
    assert answer.status_code == 201, answer.text
    told: dict[str, Any] = answer.json()
    return told


async def ended(client: httpx.AsyncClient, key: str) -> dict[str, Any]:
    end = time.monotonic() + PATIENCE
    while True:
        told: dict[str, Any] = (await client.get(f"/api/works/{key}", headers=ANN)).json()
        if told["state"] in (DONE, FAILED):
            return told
        assert time.monotonic() < end
        await asyncio.sleep(0.1)


def test_from_a_file_to_a_game(tmp_path: Path) -> None:
    """By a worker of its own: charts, a game on them that is taken up again, kept."""

    async def work() -> None:
        async with at_home(tmp_path) as (client, hall):
            hall.works.start(1)
            told = await bring(client, parquet())
            key = told["key"]
            assert told["until"] > time.time() + 3600
            told = await ended(client, key)
            assert told["state"] == DONE, told["said"]
            assert told["files"] == ["2030.plans.toml", "2030.toml"]
            assert hall.works.queue.brought(key) == {}  # the file is gone
            page = (await client.get(f"/works/{key}", headers=ANN)).text
            assert "Keep it" in page
            assert f"/new/data-driven?charts={key}" in page
            assert (await client.get("/api/works")).json()["recent"] == []
            picks = await client.get(f"/api/games/data-driven/picks?charts={key}")
            assert picks.json()[0]["chosen"] == key
            others = (await client.get("/api/games/data-driven/picks")).json()[0]["values"]
            assert key not in [one["value"] for one in others]  # nobody finds it without its key
            teams = [one["value"] for one in picks.json()[1]["values"]]
            options = {"charts": key, "home_team": teams[0], "away_team": teams[1]}
            table = await client.post(
                "/api/tables", json={"rules": "data-driven", "options": options}, headers=ANN
            )
            assert table.status_code == 201, table.text
            ready = f"/api/tables/{table.json()['id']}/ready"
            assert (await client.post(ready, json={"word": "w"}, headers=ANN)).status_code == 200
            assert hall.works.queue.get(key).until is None  # a game is played with it
        async with at_home(tmp_path) as (client, _):  # another process lays them out again
            again = await client.get(f"/api/tables/{table.json()['id']}", headers=ANN)
            assert again.status_code == 200, again.text

    run(work)


def test_a_form_with_a_file(tmp_path: Path) -> None:
    async def work() -> None:
        async with at_home(tmp_path) as (client, hall):
            assert "Make the charts" in (await client.get("/charts")).text
            sent = {"season": "2030", "partial": "on"}
            files = {"plays": ("my plays.parquet", parquet())}
            answer = await client.post("/charts", data=sent, files=files)
            assert answer.status_code == 303, answer.text
            row = await hall.works.look(answer.headers["location"].removeprefix("/works/"))
            assert row.settings["partial"] is True
            assert list(hall.works.queue.brought(row.key)) == ["pbp_2030.parquet"]
            assert hall.works.queue.brought(row.key)["pbp_2030.parquet"] == parquet()

    run(work)


@pytest.mark.parametrize(
    ("content", "query", "status", "said"),
    [
        (b"", "season=2030", 400, "must be a file of play-by-play"),
        (b"hello", "season=2030", 400, "this is no play-by-play"),
        (b"x" * 3000, "season=2030", 413, "too large"),
        (b"hello", "season=1", 422, "season"),
        (b"hello", "", 422, "season"),
    ],
)
def test_refusals(tmp_path: Path, content: bytes, query: str, status: int, said: str) -> None:
    async def work() -> None:
        async with at_home(tmp_path, Limits(plays=2000)) as (client, _):
            answer = await client.post(f"/api/charts?{query}", content=content)
            assert answer.status_code == status
            assert said in answer.json()["detail"]
            page = await client.post("/charts", content=b"nothing", headers={"content-type": "x"})
            assert page.status_code == 400

    run(work)


def test_only_who_asked_may_keep_it_and_not_without_end(tmp_path: Path) -> None:
    async def work() -> None:
        limits = Limits(**{**vars(ROOMY), "charts": 1})
        async with at_home(tmp_path, limits) as (client, hall):
            keys = [await made(client, hall, number) for number in (1, 2)]
            path = f"/api/works/{keys[0]}/keep"
            assert (await client.post(path, headers=BOB)).status_code == 403
            assert (await client.post(path, headers=ANN)).json()["until"] is None
            refused = await client.post(f"/works/{keys[1]}/keep", headers=ANN)
            assert refused.status_code == 429
            assert "too many charts are kept" in refused.text.lower()
            nothing = await client.post("/api/works/nothing/keep", headers=ANN)
            assert nothing.status_code == 404

    run(work)


def test_a_season_is_played_on_them(tmp_path: Path) -> None:
    async def work() -> None:
        async with at_home(tmp_path) as (client, hall):
            key = await made(client, hall, 1, season=2008)
            sent = {"runs": 20}
            answer = await client.post(f"/api/works/{key}/replay", json=sent, headers=ANN)
            assert answer.status_code == 201, answer.text
            told = answer.json()
            assert told["title"] == "Season 2008 on charts that were brought, 20 times"
            assert set(hall.works.queue.brought(told["key"])) == {"2008.toml", "2008.plans.toml"}
            page = await client.post(f"/works/{key}/replay", data={"runs": "20"}, headers=ANN)
            assert page.headers["location"] == f"/works/{told['key']}"  # the same question
            other = await made(client, hall, 2, season=2013)
            unknown = await client.post(f"/api/works/{other}/replay", json={}, headers=ANN)
            assert unknown.status_code == 201  # its schedule is there, if not its charts
            never = await made(client, hall, 3, season=2030)
            unknown = await client.post(f"/api/works/{never}/replay", json={}, headers=ANN)
            assert unknown.status_code == 400
            assert "no schedule of the season 2030" in unknown.json()["detail"]
            nothing = await client.post(f"/api/works/{told['key']}/replay", json={}, headers=ANN)
            assert nothing.status_code == 404

    run(work)


async def made(client: httpx.AsyncClient, hall: Hall, number: int, season: int = 2030) -> str:
    """Charts that some worker made; what is in them does not matter here."""
    table = f"a,b,c,d,e\n{number}\n".encode()
    key = str((await bring(client, table, season))["key"])
    while (row := hall.works.queue.claim("w")) is not None and row.key != key:
        pass
    assert row is not None
    files = {f"{season}.toml": f"charts {number}", f"{season}.plans.toml": "plans"}
    assert hall.works.queue.finish(row, {}, "<h1>Charts</h1>", files)
    return key


def test_a_library_gives_nothing_that_is_not_there(tmp_path: Path) -> None:
    async def work() -> None:
        async with at_home(tmp_path) as (client, hall):
            for named in ("2008", "../x", "0" * 32, 5, None):
                assert hall.library.folder({"charts": named}) is None
            assert library.KEY.fullmatch(await made(client, hall, 1))

    run(work)


def test_the_parts_of_a_form() -> None:
    body = (
        b'--x\r\nContent-Disposition: form-data; name="season"\r\n\r\n2030\r\n'
        b'--x\r\nContent-Disposition: form-data; name="plays"; filename="a"\r\n\r\n'
        b"\0\x01\r\n\xff\r\n--x--\r\n"
    )
    assert brought.parts("multipart/form-data; boundary=x", body) == (
        {"season": "2030"},
        b"\0\x01\r\n\xff",
    )
