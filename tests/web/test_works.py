"""Long work by the API and on its pages: asked, watched, stopped, shared, refused."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from hashmark.club import works as club_works
from hashmark.table import extras
from hashmark.web import works as works_room
from hashmark.web import works_api, works_pages
from hashmark.web.hall import Hall
from hashmark.web.limits import Limits
from hashmark.web.queue import DONE, Row
from hashmark.web.works import Works

from . import counting
from .house import at_home, run

TOKENS = {name: name[0] * 43 for name in ("ann", "bob", "eve")}


@pytest.fixture(autouse=True)
def _counting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(club_works, "KINDS", dict(club_works.KINDS))
    counting.known()
    monkeypatch.setattr(works_room, "TICK", 0.02)


def as_(name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {TOKENS[name]}"}


async def ask(client: httpx.AsyncClient, name: str = "ann", **settings: Any) -> dict[str, Any]:
    sent = {"kind": "count", "settings": settings}
    answer = await client.post("/api/works", json=sent, headers=as_(name))
    assert answer.status_code == 201, answer.text
    told: dict[str, Any] = answer.json()
    return told


def claimed(works: Works) -> Row:
    row = works.queue.claim("worker")
    assert row is not None
    return row


def test_asked_watched_and_done(tmp_path: Path) -> None:
    async def work() -> None:
        async with at_home(tmp_path) as (client, hall):
            told = await ask(client, to=4)
            key = told["key"]
            assert (told["state"], told["yours"], told["token"]) == ("waiting", True, None)
            assert told["command"] == "hashmark count 4"
            assert (await client.get(f"/api/works/{key}/result")).status_code == 409
            heard: list[dict[str, Any]] = []
            watching = asyncio.create_task(watch(hall, key, heard))
            while not heard:
                await asyncio.sleep(0.01)
            row = claimed(hall.works)
            hall.works.queue.beat(row, 2, 4, 1.0)
            while not any(one["done"] == 2 for one in heard):
                await asyncio.sleep(0.01)
            hall.works.queue.finish(row, {"counted": 4}, "<h1>Four</h1>", {"four.txt": "4"})
            await watching
            assert heard[0]["state"] == "waiting"
            assert heard[-1]["state"] == DONE
            told = (await client.get(f"/api/works/{key}")).json()
            assert (told["result"], told["files"]) == ({"counted": 4}, ["four.txt"])
            assert (await client.get(f"/api/works/{key}/result")).json() == {"counted": 4}
            file = await client.get(f"/api/works/{key}/files/four.txt")
            assert (file.content, file.status_code) == (b"4", 200)
            assert "attachment" in file.headers["content-disposition"]
            page = (await client.get(f"/works/{key}")).text
            assert "<h1>Four</h1>" in page
            assert "hashmark count 4" in page
            listed = (await client.get("/api/works", headers=as_("ann"))).json()
            assert [one["key"] for one in listed["yours"]] == [key]
            assert [one["key"] for one in listed["recent"]] == [key]
            page = (await client.get("/works", headers=as_("bob"))).text
            assert "Counting to 4" in page

    run(work)


async def watch(hall: Hall, key: str, heard: list[dict[str, Any]]) -> None:
    """What a stream says, until it ends."""
    async for said in hall.works.stream(key, hall.closing, "caller"):
        if "data: " in said:
            heard.append(json.loads(said.partition("data: ")[2]))


def test_only_who_asked_may_stop_it_and_others_keep_it(tmp_path: Path) -> None:
    async def work() -> None:
        async with at_home(tmp_path) as (client, _):
            key = (await ask(client, "ann", to=4))["key"]
            await ask(client, "bob", to=4)
            path = f"/api/works/{key}"
            refused = await client.delete(path, headers=as_("eve"))
            assert refused.status_code == 403
            assert "only who asked" in refused.json()["detail"]
            assert (await client.delete(path)).status_code == 403
            assert (await client.delete(path, headers=as_("ann"))).json() == {"stopped": False}
            assert (await client.get(path)).json()["state"] == "waiting"
            assert (await client.delete(path, headers=as_("ann"))).status_code == 403
            assert (await client.delete(path, headers=as_("bob"))).json() == {"stopped": True}
            assert (await client.get(path)).json()["state"] == "stopped"
            assert "It was stopped" in (await client.get(f"/works/{key}")).text
            again = await client.post(f"/works/{key}/again", headers=as_("bob"))
            assert (again.status_code, again.headers["location"]) == (303, f"/works/{key}")
            assert (await client.get(path)).json()["state"] == "waiting"
            stopped = await client.post(f"/works/{key}/stop", headers=as_("bob"))
            assert stopped.status_code == 303
            assert (await client.get(path)).json()["state"] == "stopped"

    run(work)


def test_a_stream_says_that_a_work_is_being_stopped(tmp_path: Path) -> None:
    """Who does it may take a while to notice; the page says so until then."""

    async def work() -> None:
        async with at_home(tmp_path) as (client, hall):
            key = (await ask(client, "ann", to=4))["key"]
            row = hall.works.queue.claim("somebody")
            assert row is not None
            await client.delete(f"/api/works/{key}", headers=as_("ann"))
            stream = hall.works.stream(key, hall.closing, "caller")
            said = await anext(one async for one in stream if "data: " in one)
            told = json.loads(said.partition("data: ")[2])
            assert (told["state"], told["stopping"]) == ("running", True)
            assert "It is being stopped" in (await client.get(f"/works/{key}")).text

    run(work)


def test_a_form_asks_and_a_browser_is_remembered(tmp_path: Path) -> None:
    async def work() -> None:
        async with at_home(tmp_path) as (client, _):
            sent = {"kind": "season", "season": "2008", "runs": "20", "seed": ""}
            answer = await client.post("/works", data=sent)
            assert answer.status_code == 303
            page = (await client.get(answer.headers["location"])).text
            assert "Season 2008, 20 times" in page
            assert "It is next." in page
            assert "hashmark season 2008 --runs 20 --seed 0" in page
            assert ">Stop</button>" in page  # it is his, by the cookie
            assert 'http-equiv="refresh"' in page

    run(work)


@pytest.mark.parametrize(
    ("method", "path", "sent", "status", "said"),
    [
        ("GET", "/api/works/nothing", None, 404, "there is no such work"),
        ("DELETE", "/api/works/nothing", None, 404, "there is no such work"),
        ("GET", "/api/works/nothing/stream", None, 404, "there is no such work"),
        ("GET", "/api/works/nothing/files/a", None, 404, "there is no such work"),
        ("POST", "/api/works", {"kind": "x", "settings": {}}, 400, "unknown kind of work"),
        ("POST", "/api/works", {"kind": "season", "settings": {}}, 400, "season: expected"),
        ("POST", "/api/works", {"settings": {}}, 422, "kind"),
        ("POST", "/api/works", {"kind": "season", "settings": [1]}, 422, "settings"),
        ("POST", "/api/works", {"kind": "season", "what": 1}, 422, "what"),
    ],
)
def test_refusals(
    tmp_path: Path, method: str, path: str, sent: Any, status: int, said: str
) -> None:
    async def work() -> None:
        async with at_home(tmp_path) as (client, _):
            answer = await client.request(method, path, json=sent)
            assert answer.status_code == status, answer.text
            assert said in answer.json()["detail"]

    run(work)


def test_pages_refuse_in_a_sentence(tmp_path: Path) -> None:
    async def work() -> None:
        async with at_home(tmp_path) as (client, _):
            page = await client.get("/works/nothing")
            assert (page.status_code, "no such work" in page.text) == (404, True)
            page = await client.post("/works", data={"runs": "3"})
            assert (page.status_code, "Kind: expected" in page.text) == (400, True)

    run(work)


def test_too_many_works(tmp_path: Path) -> None:
    async def work() -> None:
        async with at_home(tmp_path, Limits(works_each=2)) as (client, _):
            for to in (1, 2):
                await ask(client, to=to)
            sent = {"kind": "count", "settings": {"to": 3}}
            answer = await client.post("/api/works", json=sent)
            assert answer.status_code == 429
            assert "2 of your works are not done yet" in answer.json()["detail"]

    run(work)


def test_what_failed_says_why_and_can_be_tried_again(tmp_path: Path) -> None:
    async def work() -> None:
        async with at_home(tmp_path) as (client, hall):
            key = (await ask(client, to=4))["key"]
            hall.works.queue.fail(claimed(hall.works), "it cannot be counted")
            page = (await client.get(f"/works/{key}")).text
            assert "It could not be done: it cannot be counted." in page
            assert (await ask(client, to=4))["state"] == "waiting"

    run(work)


def test_what_was_made_of_a_brought_file_is_not_tried_again_without_it(tmp_path: Path) -> None:
    async def test() -> None:
        async with at_home(tmp_path) as (client, hall):
            settings = {"season": 2008, "partial": False, "suffix": ".csv", "digest": "0" * 64}
            sent = {"kind": "charts", "settings": settings}
            key = (await client.post("/api/works", json=sent)).json()["key"]
            hall.works.queue.fail(claimed(hall.works), "it cannot be read")
            page = (await client.get(f"/works/{key}")).text
            assert "It could not be done: it cannot be read." in page
            assert 'href="/charts">Bring the file again' in page
            assert "/again" not in page

    run(test)


def test_without_the_extra_the_page_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "has", lambda library: library != "numba")

    async def work() -> None:
        async with at_home(tmp_path) as (client, _):
            page = await client.post("/works", data={"kind": "season", "season": "2008"})
            assert page.status_code == 400
            assert "needs Numba, which is not installed" in page.text

    run(work)


def test_every_route_has_a_page_or_a_twin() -> None:
    paths = {one.path for one in works_pages.router.routes}  # type: ignore[attr-defined]
    twins = {one.path for one in works_api.router.routes}  # type: ignore[attr-defined]
    assert {"/works", "/works/{key}"} <= paths
    assert {f"/api{one}" for one in ("/works", "/works/{key}")} <= twins


def test_the_style_of_reports_reaches_reports_alone(tmp_path: Path) -> None:
    async def work() -> None:
        async with at_home(tmp_path) as (client, _):
            style = (await client.get("/report.css")).text
            assert style.count("{") == style.count("}")
            assert ".within {" in style
            script = await client.get("/report.js")
            assert script.headers["content-type"].startswith("text/javascript")

    run(work)
