"""Routes for operators: liveness, database health and Prometheus metrics."""

from __future__ import annotations

import hmac
import os

from fastapi import APIRouter, Request, Response

from hashmark.web.api import WRONG, InHall, Json, token_of
from hashmark.web.guards import caller_of, is_local
from hashmark.web.metrics import MEDIA
from hashmark.web.tables import NotYours

router = APIRouter(responses=WRONG)
TOKEN = "HASHMARK_METRICS_TOKEN"


@router.get("/api/alive", summary="Whether the server is there")
async def alive() -> Json:
    return {"ok": True}


@router.get("/api/health", summary="Whether the server is there, and its database answers")
async def health(hall: InHall) -> Json:
    await hall.sharing.answers()
    return {"ok": True}


@router.get(
    "/metrics",
    summary="Figures for Prometheus, for this machine alone or who has the token",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}}},
)
async def metrics(request: Request, hall: InHall) -> Response:
    if not _may_read(request):
        raise NotYours("only who runs this server may read its figures")
    return Response(await hall.metrics.text(), media_type=MEDIA)


def _may_read(request: Request) -> bool:
    """Return whether a request has the metrics token or, if none is set, comes from this machine.

    A forwarded request counts as remote because its client is unknown.
    """
    expected = os.environ.get(TOKEN, "")
    if expected:
        return hmac.compare_digest(token_of(request).encode(), expected.encode())
    forwarded = {"forwarded", "x-forwarded-for"} & set(request.headers)
    return is_local(caller_of(request.scope)) and not forwarded
