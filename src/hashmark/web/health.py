"""Routes for operators: liveness, database health and Prometheus metrics."""

from __future__ import annotations

import hmac
import os

from fastapi import APIRouter, Request, Response

from hashmark.web.dependencies import ERROR_RESPONSES, AppStateDep, Json, read_token
from hashmark.web.guards import client_address, is_local
from hashmark.web.metrics import CONTENT_TYPE
from hashmark.web.tables.table import Forbidden

router = APIRouter(responses=ERROR_RESPONSES)
TOKEN_VARIABLE = "HASHMARK_METRICS_TOKEN"


@router.get("/api/alive", summary="Whether the server is up")
async def alive() -> Json:
    return {"ok": True}


@router.get("/api/health", summary="Whether the server and its database are up")
async def health(app_state: AppStateDep) -> Json:
    await app_state.tables.sync.check_health()
    return {"ok": True}


@router.get(
    "/metrics",
    summary="Prometheus metrics, for this machine or with the token",
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}}},
)
async def metrics(request: Request, app_state: AppStateDep) -> Response:
    if not _may_read(request):
        raise Forbidden("only the operator of this server may read its metrics")
    return Response(await app_state.metrics.render(), media_type=CONTENT_TYPE)


def _may_read(request: Request) -> bool:
    """Return whether a request has the metrics token or, if none is set, comes from this machine.

    A forwarded request counts as remote because its client is unknown.
    """
    expected = os.environ.get(TOKEN_VARIABLE, "")
    if expected:
        return hmac.compare_digest(read_token(request).encode(), expected.encode())
    forwarded = {"forwarded", "x-forwarded-for"} & set(request.headers)
    return is_local(client_address(request.scope)) and not forwarded
