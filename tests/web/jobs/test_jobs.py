"""Background jobs in the API and on the pages: submitting, watching, stopping, sharing, errors."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from hashmark import extras
from hashmark.web.api import jobs_api
from hashmark.web.app_state import AppState
from hashmark.web.jobs import job as job_module
from hashmark.web.jobs import jobs as jobs_module
from hashmark.web.jobs.jobs import JobService
from hashmark.web.jobs.queue import DONE, JobRow
from hashmark.web.pages import jobs_pages
from hashmark.web.rate_limits import Limits
from web import counting_jobs
from web.harness import app_client, run_async

TOKENS = {name: name[0] * 43 for name in ("ann", "bob", "eve")}


@pytest.fixture(autouse=True)
def _counting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_module, "JOB_TYPES", dict(job_module.JOB_TYPES))
    counting_jobs.register_job_types()
    monkeypatch.setattr(jobs_module, "POLL_SECONDS", 0.02)


def auth_headers(name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {TOKENS[name]}"}


async def submit(client: httpx.AsyncClient, name: str = "ann", **settings: Any) -> dict[str, Any]:
    form = {"kind": "count", "settings": settings}
    response = await client.post("/api/works", json=form, headers=auth_headers(name))
    assert response.status_code == 201, response.text
    job: dict[str, Any] = response.json()
    return job


def claim_job(works: JobService) -> JobRow:
    row = works.queue.claim("worker")
    assert row is not None
    return row


def test_a_job_is_submitted_watched_and_finished(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, app_state):
            job = await submit(client, to=4)
            key = job["key"]
            assert (job["state"], job["yours"], job["token"]) == ("waiting", True, None)
            assert job["command"] == "hashmark count 4"
            assert (await client.get(f"/api/works/{key}/result")).status_code == 409
            events: list[dict[str, Any]] = []
            watching = asyncio.create_task(watch(app_state, key, events))
            while not events:
                await asyncio.sleep(0.01)
            row = claim_job(app_state.jobs)
            app_state.jobs.queue.heartbeat(row, 2, 4, 1.0)
            while not any(event["done"] == 2 for event in events):
                await asyncio.sleep(0.01)
            app_state.jobs.queue.finish(row, {"counted": 4}, "<h1>Four</h1>", {"four.txt": "4"})
            await watching
            assert events[0]["state"] == "waiting"
            assert events[-1]["state"] == DONE
            job = (await client.get(f"/api/works/{key}")).json()
            assert (job["result"], job["files"]) == ({"counted": 4}, ["four.txt"])
            assert (await client.get(f"/api/works/{key}/result")).json() == {"counted": 4}
            file = await client.get(f"/api/works/{key}/files/four.txt")
            assert (file.content, file.status_code) == (b"4", 200)
            assert "attachment" in file.headers["content-disposition"]
            page = (await client.get(f"/works/{key}")).text
            assert "<h1>Four</h1>" in page
            assert "hashmark count 4" in page
            listed = (await client.get("/api/works", headers=auth_headers("ann"))).json()
            assert [event["key"] for event in listed["yours"]] == [key]
            assert [event["key"] for event in listed["recent"]] == [key]
            page = (await client.get("/works", headers=auth_headers("bob"))).text
            assert "Counting to 4" in page

    run_async(work)


async def watch(app_state: AppState, key: str, events: list[dict[str, Any]]) -> None:
    """Collect the events of a job's stream until it ends."""
    async for message in app_state.jobs.stream(key, app_state.closing, "caller"):
        if "data: " in message:
            events.append(json.loads(message.partition("data: ")[2]))


def test_only_requesters_may_stop_a_job_and_it_runs_while_one_is_left(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            key = (await submit(client, "ann", to=4))["key"]
            await submit(client, "bob", to=4)
            path = f"/api/works/{key}"
            rejected = await client.delete(path, headers=auth_headers("eve"))
            assert rejected.status_code == 403
            assert "only the person who submitted" in rejected.json()["detail"]
            assert (await client.delete(path)).status_code == 403
            assert (await client.delete(path, headers=auth_headers("ann"))).json() == {
                "stopped": False
            }
            assert (await client.get(path)).json()["state"] == "waiting"
            assert (await client.delete(path, headers=auth_headers("ann"))).status_code == 403
            assert (await client.delete(path, headers=auth_headers("bob"))).json() == {
                "stopped": True
            }
            assert (await client.get(path)).json()["state"] == "stopped"
            assert "Stopped" in (await client.get(f"/works/{key}")).text
            again = await client.post(f"/works/{key}/again", headers=auth_headers("bob"))
            assert (again.status_code, again.headers["location"]) == (303, f"/works/{key}")
            assert (await client.get(path)).json()["state"] == "waiting"
            stopped = await client.post(f"/works/{key}/stop", headers=auth_headers("bob"))
            assert stopped.status_code == 303
            assert (await client.get(path)).json()["state"] == "stopped"

    run_async(work)


def test_a_stream_reports_that_a_job_is_being_stopped(tmp_path: Path) -> None:
    """The worker may take a while to notice; the page says so until then."""

    async def work() -> None:
        async with app_client(tmp_path) as (client, app_state):
            key = (await submit(client, "ann", to=4))["key"]
            row = app_state.jobs.queue.claim("somebody")
            assert row is not None
            await client.delete(f"/api/works/{key}", headers=auth_headers("ann"))
            stream = app_state.jobs.stream(key, app_state.closing, "caller")
            message = await anext(line async for line in stream if "data: " in line)
            event = json.loads(message.partition("data: ")[2])
            assert (event["state"], event["stopping"]) == ("running", True)
            assert "Stopping …" in (await client.get(f"/works/{key}")).text

    run_async(work)


def test_the_form_submits_a_job_and_a_cookie_identifies_the_requester(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            form = {"kind": "season", "season": "2008", "runs": "20", "seed": ""}
            response = await client.post("/works", data=form)
            assert response.status_code == 303
            page = (await client.get(response.headers["location"])).text
            assert "2008 season, 20 runs" in page
            assert "Next in line." in page
            assert "hashmark season 2008 --runs 20 --seed 0" in page
            assert ">Stop</button>" in page  # the cookie identifies the requester
            assert 'http-equiv="refresh"' in page

    run_async(work)


@pytest.mark.parametrize(
    ("method", "path", "sent", "status", "message"),
    [
        ("GET", "/api/works/nothing", None, 404, "no such job"),
        ("DELETE", "/api/works/nothing", None, 404, "no such job"),
        ("GET", "/api/works/nothing/stream", None, 404, "no such job"),
        ("GET", "/api/works/nothing/files/a", None, 404, "no such job"),
        ("POST", "/api/works", {"kind": "x", "settings": {}}, 400, "unknown kind of job"),
        ("POST", "/api/works", {"kind": "season", "settings": {}}, 400, "season: expected"),
        ("POST", "/api/works", {"settings": {}}, 422, "kind"),
        ("POST", "/api/works", {"kind": "season", "settings": [1]}, 422, "settings"),
        ("POST", "/api/works", {"kind": "season", "what": 1}, 422, "what"),
    ],
)
def test_invalid_requests_are_rejected(
    tmp_path: Path, method: str, path: str, sent: Any, status: int, message: str
) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            response = await client.request(method, path, json=sent)
            assert response.status_code == status, response.text
            assert message in response.json()["detail"]

    run_async(work)


def test_pages_report_errors_in_a_sentence(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            page = await client.get("/works/nothing")
            assert (page.status_code, "No such job" in page.text) == (404, True)
            page = await client.post("/works", data={"runs": "3"})
            assert (page.status_code, "Kind: expected" in page.text) == (400, True)

    run_async(work)


def test_unfinished_jobs_of_one_caller_are_limited(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path, Limits(works_each=2)) as (client, _):
            for to in (1, 2):
                await submit(client, to=to)
            form = {"kind": "count", "settings": {"to": 3}}
            response = await client.post("/api/works", json=form)
            assert response.status_code == 429
            assert "2 of your jobs are not done yet" in response.json()["detail"]

    run_async(work)


def test_a_failed_job_gives_its_reason_and_can_be_retried(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, app_state):
            key = (await submit(client, to=4))["key"]
            app_state.jobs.queue.fail(claim_job(app_state.jobs), "it cannot be counted")
            page = (await client.get(f"/works/{key}")).text
            assert "This job failed: it cannot be counted." in page
            assert (await submit(client, to=4))["state"] == "waiting"

    run_async(work)


def test_a_failed_upload_can_be_retried_only_with_its_file(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with app_client(tmp_path) as (client, app_state):
            settings = {"season": 2008, "partial": False, "suffix": ".csv", "digest": "0" * 64}
            form = {"kind": "charts", "settings": settings}
            key = (await client.post("/api/works", json=form)).json()["key"]
            app_state.jobs.queue.fail(claim_job(app_state.jobs), "it cannot be read")
            page = (await client.get(f"/works/{key}")).text
            assert "This job failed: it cannot be read." in page
            assert 'href="/charts">Upload the file again' in page
            assert "/again" not in page

    run_async(scenario)


def test_without_the_extra_the_page_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "has", lambda library: library != "numba")

    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            page = await client.post("/works", data={"kind": "season", "season": "2008"})
            assert page.status_code == 400
            assert "needs Numba, which is not installed" in page.text

    run_async(work)


def test_pages_and_api_have_matching_routes() -> None:
    paths = {route.path for route in jobs_pages.router.routes}  # type: ignore[attr-defined]
    twins = {route.path for route in jobs_api.router.routes}  # type: ignore[attr-defined]
    assert {"/works", "/works/{key}"} <= paths
    assert {f"/api{route}" for route in ("/works", "/works/{key}")} <= twins


def test_report_styles_are_scoped(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, _):
            style = (await client.get("/report.css")).text
            assert style.count("{") == style.count("}")
            assert ".within {" in style
            script = await client.get("/report.js")
            assert script.headers["content-type"].startswith("text/javascript")

    run_async(work)
