"""HTTP API of background jobs: submit, watch, stop, and fetch results.

The same question is always the same job, no matter who asks; its key is part of its URL.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse

from hashmark.web import tokens
from hashmark.web.api import forms
from hashmark.web.app_state import AppState
from hashmark.web.dependencies import (
    ERROR_RESPONSES,
    STREAM_SUFFIX,
    AppStateDep,
    HolderDep,
    Json,
    get_caller,
    get_or_create_token,
    raw_body,
)
from hashmark.web.guards import CHARTS_PATH
from hashmark.web.jobs import uploads
from hashmark.web.jobs.jobs import job_json
from hashmark.web.jobs.queue import DONE
from hashmark.web.request_limits import JsonRoute
from hashmark.web.tables.table import StaleRequest

router = APIRouter(
    prefix="/api/works",
    route_class=JsonRoute,
    responses=ERROR_RESPONSES,
    default_response_class=JSONResponse,
    tags=["works"],
)
charts_router = APIRouter(
    prefix=CHARTS_PATH,
    responses=ERROR_RESPONSES,
    default_response_class=JSONResponse,
    tags=["works"],
)
Key = Annotated[str, Path(max_length=64, description="Key of the job.")]


@router.post("", status_code=201, summary="Submit a job: a season or a what-if")
async def submit_job(form: forms.NewJob, app_state: AppStateDep, request: Request) -> Json:
    token, new_token = get_or_create_token(request)
    job = await app_state.jobs.build_job(form.kind, form.settings)
    key = await app_state.jobs.submit(job, tokens.digest(token), get_caller(request))
    return await _job_to_json(app_state, key, token, new_token)


@router.get("", summary="Your jobs and recently finished ones")
async def list_jobs(app_state: AppStateDep, holder: HolderDep) -> Json:
    yours, recent = await app_state.jobs.list_jobs(holder, job_json)
    return {"yours": yours, "recent": recent}


@router.get("/{key}", summary="A job: its state, and its result once it is done")
async def read_job(key: Key, app_state: AppStateDep, holder: HolderDep) -> Json:
    return await app_state.jobs.describe(await app_state.jobs.view(key), holder)


@router.delete("/{key}", summary="Stop your job; it keeps running if others submitted it too")
async def stop_job(key: Key, app_state: AppStateDep, holder: HolderDep) -> Json:
    return {"stopped": await app_state.jobs.stop(key, holder)}


@router.get(
    f"/{{key}}{STREAM_SUFFIX}",
    summary="Progress of a job, as server-sent events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}}},
)
async def stream(key: Key, app_state: AppStateDep, request: Request) -> StreamingResponse:
    await app_state.jobs.view(key)
    caller = get_caller(request)
    app_state.stream_limiter.check(caller)
    return StreamingResponse(
        app_state.jobs.stream(key, app_state.closing, caller),
        media_type="text/event-stream",
        headers={"X-Accel-Buffering": "no"},
    )


@router.get("/{key}/result", summary="The result, as the command prints it with --json")
async def result(key: Key, app_state: AppStateDep) -> Any:
    row = await app_state.jobs.view(key)
    if row.state != DONE:
        raise StaleRequest("this job is not done yet")
    data, _ = await asyncio.to_thread(app_state.jobs.queue.result, key)
    return JSONResponse(data)


@router.get(
    "/{key}/files/{name}",
    summary="A file that the command reads or writes",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}}},
)
async def download_file(key: Key, name: str, app_state: AppStateDep) -> Response:
    row = await app_state.jobs.view(key)
    content = await asyncio.to_thread(app_state.jobs.read_file, row, name)
    return Response(
        content,
        media_type="application/octet-stream",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@router.post("/{key}/keep", summary="Keep a result that would expire; only for its owner")
async def keep_result(key: Key, app_state: AppStateDep, holder: HolderDep) -> Json:
    await uploads.keep_result(app_state.jobs, app_state.uploaded_charts, key, holder)
    return await app_state.jobs.describe(await app_state.jobs.view(key), holder)


@router.post("/{key}/replay", status_code=201, summary="Simulate a season on uploaded charts")
async def replay_season(
    key: Key, form: forms.ReplayRequest, app_state: AppStateDep, request: Request
) -> Json:
    token, new_token = get_or_create_token(request)
    caller = get_caller(request)
    replay_key = await uploads.submit_replay(
        app_state.jobs,
        app_state.uploaded_charts,
        key,
        form.runs,
        form.seed,
        tokens.digest(token),
        caller,
    )
    return await _job_to_json(app_state, replay_key, token, new_token)


Season = Annotated[int, Query(ge=1920, le=2100, description="Season of the file.")]
Partial = Annotated[bool, Query(description="Whether to accept a partial season.")]


@charts_router.post(
    "",
    status_code=201,
    summary="Upload play-by-play (the body is the file); a job makes its charts",
    openapi_extra=raw_body("application/octet-stream"),
)
async def upload_play_by_play(
    request: Request, app_state: AppStateDep, season: Season, partial: Partial = False
) -> Json:
    token, new_token = get_or_create_token(request)
    holder = tokens.digest(token)
    async with uploads.spool(request.stream()) as file:
        key = await uploads.submit_upload(
            app_state.jobs, season, file, partial, holder, get_caller(request)
        )
    return await _job_to_json(app_state, key, token, new_token)


async def _job_to_json(app_state: AppState, key: str, token: str, new_token: str) -> Json:
    row = await app_state.jobs.view(key)
    return {**await app_state.jobs.describe(row, tokens.digest(token)), "token": new_token or None}
