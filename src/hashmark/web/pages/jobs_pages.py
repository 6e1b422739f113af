"""HTML pages of background jobs: the question, the progress and the result."""

from __future__ import annotations

from functools import cache
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from markupsafe import Markup

from hashmark.errors import HashmarkError
from hashmark.reports.rendering import load_asset
from hashmark.web import tokens
from hashmark.web.app_state import AppState
from hashmark.web.dependencies import AppStateDep, HolderDep, get_caller, get_or_create_token
from hashmark.web.jobs import uploads
from hashmark.web.jobs.jobs import job_json
from hashmark.web.jobs.queue import JobRow
from hashmark.web.leagues.league_state import format_utc
from hashmark.web.pages.form_data import parse_form, parse_upload
from hashmark.web.pages.table_pages import REVALIDATE_HEADERS, html_response, redirect_with_token

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
STATE_LABELS = {
    "waiting": "waiting",
    "running": "running",
    "done": "done",
    "stopped": "stopped",
    "failed": "failed",
}


@router.get("/report.css")
def report_css() -> Response:
    return Response(_report_css(), media_type="text/css", headers=REVALIDATE_HEADERS)


@cache
def _report_css() -> str:
    """Return the report style, scoped to reports within a page."""
    return f"{load_asset('within.css')}\n.within {{\n{load_asset('report.css')}\n}}\n"


@router.get("/report.js")
def report_js() -> Response:
    return Response(
        str(load_asset("page.js")), media_type="text/javascript", headers=REVALIDATE_HEADERS
    )


@router.get("/works")
async def jobs_page(app_state: AppStateDep, holder: HolderDep) -> Response:
    yours, recent = await app_state.jobs.list_jobs(holder, job_row_to_dict)
    others = [job for job in recent if job not in yours]
    return html_response("jobs.html", title="Jobs", yours=yours, recent=others)


def job_row_to_dict(row: JobRow) -> dict[str, Any]:
    """Return a job as an entry of a list."""
    return {**job_json(row), "says": state_text(row), "when": format_utc(row.asked)}


def state_text(row: JobRow) -> str:
    """Return the state of a job in a few words."""
    if row.state == "running" and row.total:
        return f"{row.done:,} of {row.total:,}"
    return STATE_LABELS[row.state]


@router.get("/works/{key}")
async def job_page(key: str, app_state: AppStateDep, holder: HolderDep) -> Response:
    row = await app_state.jobs.view(key)
    return html_response("job.html", **await _job_values(app_state, row, holder))


async def _job_values(app_state: AppState, row: JobRow, holder: str) -> dict[str, Any]:
    job, body = await app_state.jobs.describe_with_page(row, holder)
    return {
        "title": job["title"],
        "job": job,
        "body": Markup(body),  # rendered by our own templates and stored in our own database
        "missing": list(row.job.files),
        "is_resumable": row.job.is_resumable,
        "until": format_utc(row.until) if row.until else "",
    }


@router.post("/works/{key}/stop")
async def stop(key: str, app_state: AppStateDep, holder: HolderDep) -> Response:
    await app_state.jobs.stop(key, holder)
    return RedirectResponse(f"/works/{key}", 303)


@router.post("/works/{key}/again")
async def submit_again(key: str, request: Request, app_state: AppStateDep) -> Response:
    """Ask what somebody asked before: what was stopped goes on, what is of old is made anew."""
    row = await app_state.jobs.view(key)
    return await submit_job(request, app_state, row.kind, dict(row.settings))


@router.post("/works/{key}/keep")
async def keep(key: str, app_state: AppStateDep, holder: HolderDep) -> Response:
    await uploads.keep_result(app_state.jobs, app_state.uploaded_charts, key, holder)
    return RedirectResponse(f"/works/{key}", 303)


@router.post("/works/{key}/replay")
async def replay(key: str, request: Request, app_state: AppStateDep) -> Response:
    fields = await parse_form(request)
    token, _ = get_or_create_token(request)
    runs, seed = fields.get("runs", ""), fields.get("seed", "")
    replay_key = await uploads.submit_replay(
        app_state.jobs,
        app_state.uploaded_charts,
        key,
        runs,
        seed,
        tokens.digest(token),
        get_caller(request),
    )
    return _redirect_to_job(request, replay_key, token)


@router.get("/charts")
async def charts(app_state: AppStateDep) -> Response:
    return html_response(
        "charts.html", title="Charts from your play-by-play", most=app_state.limits.plays // 2**20
    )


@router.post("/charts")
async def upload_play_by_play(request: Request, app_state: AppStateDep) -> Response:
    token, _ = get_or_create_token(request)
    holder = tokens.digest(token)
    async with parse_upload(request) as (fields, file):
        season, partial = fields.get("season", ""), fields.get("partial") == "on"
        key = await uploads.submit_upload(
            app_state.jobs, season, file, partial, holder, get_caller(request)
        )
    return _redirect_to_job(request, key, token)


@router.post("/works")
async def submit(request: Request, app_state: AppStateDep) -> Response:
    fields = {name: value for name, value in (await parse_form(request)).items() if value != ""}
    kind = fields.pop("kind", "")
    if not kind:
        raise HashmarkError("kind: expected the kind of job")
    return await submit_job(request, app_state, kind, fields)


async def submit_job(
    request: Request, app_state: AppState, kind: str, settings: dict[str, Any]
) -> Response:
    """Submit a job and redirect to its page."""
    token, _ = get_or_create_token(request)
    job = await app_state.jobs.build_job(kind, settings)
    key = await app_state.jobs.submit(job, tokens.digest(token), get_caller(request))
    return _redirect_to_job(request, key, token)


def _redirect_to_job(request: Request, key: str, token: str) -> Response:
    return redirect_with_token(request, f"/works/{key}", token)
