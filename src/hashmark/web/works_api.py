"""HTTP API of background jobs: submit, watch, stop, and fetch results.

The same question is always the same job, no matter who asks; its key is part of its URL.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse

from hashmark.web import brought, forms, tokens
from hashmark.web.api import STREAM, WRONG, Holder, InHall, Json, caller, token_or_new
from hashmark.web.guards import PLAYS
from hashmark.web.hall import Hall
from hashmark.web.queue import DONE
from hashmark.web.tables import Stale
from hashmark.web.works import described

router = APIRouter(
    prefix="/api/works", responses=WRONG, default_response_class=JSONResponse, tags=["works"]
)
charts = APIRouter(
    prefix=PLAYS, responses=WRONG, default_response_class=JSONResponse, tags=["works"]
)
Key = Annotated[str, Path(max_length=64, description="The key of a work.")]


@router.post("", status_code=201, summary="Ask for long work: a season, a what-if")
async def ask(form: forms.NewWork, app_state: InHall, request: Request) -> Json:
    token, fresh = token_or_new(request)
    job = await app_state.works.question(form.kind, form.settings)
    key = await app_state.works.ask(job, tokens.digest(token), caller(request))
    return await _job_to_json(app_state, key, token, fresh)


@router.get("", summary="What you have asked for, and what came out of late")
async def listed(app_state: InHall, holder: Holder) -> Json:
    yours, recent = await app_state.works.listed(holder, described)
    return {"yours": yours, "recent": recent}


@router.get("/{key}", summary="A work: how it stands, and its result when it is done")
async def one(key: Key, app_state: InHall, holder: Holder) -> Json:
    return await app_state.works.told(await app_state.works.look(key), holder)


@router.delete("/{key}", summary="Stop a work that you asked for; it goes on if others did too")
async def stop(key: Key, app_state: InHall, holder: Holder) -> Json:
    return {"stopped": await app_state.works.stop(key, holder)}


@router.get(
    f"/{{key}}{STREAM}",
    summary="How far a work is, as server-sent events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}}},
)
async def stream(key: Key, app_state: InHall, request: Request) -> StreamingResponse:
    await app_state.works.look(key)
    where = caller(request)
    app_state.streams.check(where)
    return StreamingResponse(
        app_state.works.stream(key, app_state.closing, where),
        media_type="text/event-stream",
        headers={"X-Accel-Buffering": "no"},
    )


@router.get("/{key}/result", summary="What came of it, as the command prints it with --json")
async def result(key: Key, app_state: InHall) -> Any:
    row = await app_state.works.look(key)
    if row.state != DONE:
        raise Stale("this work is not done yet")
    said, _ = await asyncio.to_thread(app_state.works.queue.result, key)
    return JSONResponse(said)


@router.get(
    "/{key}/files/{name}",
    summary="A file that the command reads, or that came of it",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}}},
)
async def file(key: Key, name: str, app_state: InHall) -> Response:
    row = await app_state.works.look(key)
    content = await asyncio.to_thread(app_state.works.file, row, name)
    return Response(
        content,
        media_type="application/octet-stream",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@router.post("/{key}/keep", summary="Keep what would go after a while; only who asked may")
async def keep(key: Key, app_state: InHall, holder: Holder) -> Json:
    await brought.keep(app_state, key, holder)
    return await app_state.works.told(await app_state.works.look(key), holder)


@router.post("/{key}/replay", status_code=201, summary="Play a season on charts that were brought")
async def replay(key: Key, form: forms.Replay, app_state: InHall, request: Request) -> Json:
    token, fresh = token_or_new(request)
    where = caller(request)
    other = await brought.replay(app_state, key, form.runs, form.seed, tokens.digest(token), where)
    return await _job_to_json(app_state, other, token, fresh)


Season = Annotated[int, Query(ge=1920, le=2100, description="The season that is in it.")]
Partial = Annotated[bool, Query(description="Whether a part of a season will do.")]


@charts.post(
    "",
    status_code=201,
    summary="Bring play-by-play; the body is the file, its charts are a work",
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/octet-stream": {"schema": {"type": "string"}}},
        }
    },
)
async def bring(
    request: Request, app_state: InHall, season: Season, partial: Partial = False
) -> Json:
    token, fresh = token_or_new(request)
    raw = await request.body()
    holder = tokens.digest(token)
    key = await brought.bring(app_state, season, raw, partial, holder, caller(request))
    return await _job_to_json(app_state, key, token, fresh)


async def _job_to_json(app_state: Hall, key: str, token: str, fresh: str) -> Json:
    row = await app_state.works.look(key)
    return {**await app_state.works.told(row, tokens.digest(token)), "token": fresh or None}
