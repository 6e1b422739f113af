"""HTML pages of background jobs: the question, the progress and the result."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markupsafe import Markup

from hashmark.club.league_state import utc
from hashmark.pages.environment import asset
from hashmark.table.errors import HashmarkError
from hashmark.web import brought, tokens
from hashmark.web.api import Holder, InHall, caller, token_or_new
from hashmark.web.hall import Hall
from hashmark.web.pages import ALWAYS_NEW, fields, page, remember
from hashmark.web.queue import Row
from hashmark.web.works import described

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
STATES = {
    "waiting": "waiting",
    "running": "being worked on",
    "done": "done",
    "stopped": "stopped",
    "failed": "could not be done",
}


@router.get("/report.css")
def report_css() -> Response:
    return Response(_report_css(), media_type="text/css", headers=ALWAYS_NEW)


@cache
def _report_css() -> str:
    """Return the report style, scoped to reports within a page."""
    return f"{asset('within.css')}\n.within {{\n{asset('report.css')}\n}}\n"


@router.get("/report.js")
def report_js() -> Response:
    return Response(str(asset("page.js")), media_type="text/javascript", headers=ALWAYS_NEW)


@router.get("/works")
async def works(app_state: InHall, holder: Holder) -> Response:
    yours, recent = await app_state.works.listed(holder, listed)
    others = [one for one in recent if one not in yours]
    return page("works.html", title="Long work", yours=yours, recent=others)


def listed(row: Row) -> dict[str, Any]:
    """Return a job as an entry of a list."""
    return {**described(row), "says": says(row), "when": utc(row.asked)}


def says(row: Row) -> str:
    """Return the state of a job in a few words."""
    if row.state == "running" and row.total:
        return f"{row.done:,} of {row.total:,}"
    return STATES[row.state]


@router.get("/works/{key}")
async def one_work(key: str, app_state: InHall, holder: Holder) -> Response:
    row = await app_state.works.look(key)
    return page("work.html", **await _job_values(app_state, row, holder))


async def _job_values(app_state: Hall, row: Row, holder: str) -> dict[str, Any]:
    job, body = await app_state.works.shown(row, holder)
    share = 100 * row.done / row.total if row.total else 0
    return {
        "title": job["title"],
        "work": job,
        "share": share,
        "body": Markup(body),  # rendered by our own templates and stored in our own database
        "missing": list(row.work.files),
        "goes_on": row.work.goes_on,
        "until": utc(row.until) if row.until else "",
    }


@router.post("/works/{key}/stop")
async def stop(key: str, app_state: InHall, holder: Holder) -> Response:
    await app_state.works.stop(key, holder)
    return RedirectResponse(f"/works/{key}", 303)


@router.post("/works/{key}/again")
async def again(key: str, request: Request, app_state: InHall) -> Response:
    """Ask what somebody asked before: what was stopped goes on, what is of old is made anew."""
    row = await app_state.works.look(key)
    return await asked(request, app_state, row.kind, dict(row.settings))


@router.post("/works/{key}/keep")
async def keep(key: str, app_state: InHall, holder: Holder) -> Response:
    await brought.keep(app_state, key, holder)
    return RedirectResponse(f"/works/{key}", 303)


@router.post("/works/{key}/replay")
async def replay(key: str, request: Request, app_state: InHall) -> Response:
    sent = await fields(request)
    token, _ = token_or_new(request)
    runs, seed = sent.get("runs", ""), sent.get("seed", "")
    other = await brought.replay(app_state, key, runs, seed, tokens.digest(token), caller(request))
    return _redirect_to_job(request, other, token)


@router.get("/charts")
async def charts(app_state: InHall) -> Response:
    return page("charts.html", title="Your own play-by-play", most=app_state.limits.plays // 2**20)


@router.post("/charts")
async def bring(request: Request, app_state: InHall) -> Response:
    body = await request.body()
    kind = request.headers.get("content-type", "")
    sent, file = await asyncio.to_thread(brought.parts, kind, body)
    token, _ = token_or_new(request)
    season, partial = sent.get("season", ""), sent.get("partial") == "on"
    holder = tokens.digest(token)
    key = await brought.bring(app_state, season, file, partial, holder, caller(request))
    return _redirect_to_job(request, key, token)


@router.post("/works")
async def ask(request: Request, app_state: InHall) -> Response:
    sent = {name: value for name, value in (await fields(request)).items() if value != ""}
    kind = sent.pop("kind", "")
    if not kind:
        raise HashmarkError("kind: expected the kind of work")
    return await asked(request, app_state, kind, sent)


async def asked(request: Request, app_state: Hall, kind: str, settings: dict[str, Any]) -> Response:
    """Submit a job and redirect to its page."""
    token, _ = token_or_new(request)
    job = await app_state.works.question(kind, settings)
    key = await app_state.works.ask(job, tokens.digest(token), caller(request))
    return _redirect_to_job(request, key, token)


def _redirect_to_job(request: Request, key: str, token: str) -> Response:
    answer = RedirectResponse(f"/works/{key}", 303)
    remember(request, answer, token)
    return answer
