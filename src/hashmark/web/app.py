"""FastAPI application: routes, request guards and error responses."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from sqlalchemy.exc import DataError, SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

import hashmark
from hashmark.errors import HashmarkError
from hashmark.sanitize import one_line
from hashmark.web import health
from hashmark.web.api import jobs_api, leagues_api, seasons_api, tables_api
from hashmark.web.app_state import AppState
from hashmark.web.dependencies import STREAM_SUFFIX
from hashmark.web.guards import Guard, HostNames
from hashmark.web.head_requests import HeadAsGet
from hashmark.web.jobs.job_files import JobNotFound
from hashmark.web.leagues.league import WrongStage
from hashmark.web.pages import (
    error_pages,
    jobs_pages,
    leagues_pages,
    plan_pages,
    seasons_pages,
    table_pages,
)
from hashmark.web.rate_limits import LimitExceeded
from hashmark.web.seasons.saved_plans import PlanNotFound
from hashmark.web.seasons.season_view import UnknownSeason
from hashmark.web.seasons.team_urls import NotCanonical, redirect_to_canonical
from hashmark.web.tables.change_feed import DatabaseUnreachable
from hashmark.web.tables.table import Forbidden, NotFound, StaleRequest
from hashmark.web.tables.table_store import CommitOutcomeUnknown, InvitationUsed, TableGone
from hashmark.web.tables.write_batcher import WriteFailed

ERROR_STATUSES: tuple[tuple[type[HashmarkError], int], ...] = (
    (StaleRequest, 409),
    (Forbidden, 403),
    (NotFound, 404),
    (WrongStage, 409),
    (UnknownSeason, 404),
    (PlanNotFound, 404),
    (JobNotFound, 404),
    (LimitExceeded, 429),
    (TableGone, 404),
    (InvitationUsed, 404),
    (WriteFailed, 503),
    (CommitOutcomeUnknown, 503),
    (DatabaseUnreachable, 503),
)
ROUTERS = (  # routes are added as they are; include_router would build each one a second time
    tables_api.router,
    health.router,
    seasons_api.router,
    leagues_api.router,
    table_pages.router,
    seasons_pages.router,
    leagues_api.feed_router,
    leagues_pages.router,
    plan_pages.router,
    jobs_api.router,
    jobs_api.charts_router,
    jobs_pages.router,
)
RETRY_STATUSES = (429, 503)  # their responses say when to try again
DATABASE_RETRY_SECONDS = 2  # a database that restarts is back in a moment
GZIP_MIN_BYTES = 1000  # smaller responses are sent uncompressed
NOT_STORABLE = "the request contains characters that cannot be stored"
INTERNAL_ERROR = "something went wrong on the server and nothing was changed: try again"


def create_app(app_state: AppState, host: str = "127.0.0.1") -> Any:
    """Return the ASGI application around the state of a server that is reached as `host`."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app_state.leagues.wake()
        yield
        await app_state.close()

    app = FastAPI(
        title="Hashmark",
        version=hashmark.__version__,
        description="Gridiron football dice games, for people and programs.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.app_state = app_state
    for router in ROUTERS:
        app.router.routes.extend(router.routes)
    app.mount("/static", table_pages.static_files())
    app.add_exception_handler(HashmarkError, _handle_domain_error)
    app.add_exception_handler(HTTPException, _handle_http_error)
    app.add_exception_handler(NotCanonical, redirect_to_canonical)
    app.add_exception_handler(RequestValidationError, _handle_invalid_request)
    app.add_exception_handler(SQLAlchemyError, _handle_database_error)
    app.add_exception_handler(Exception, _handle_unexpected_error)
    return Guard(
        HeadAsGet(GZipExceptStreams(app)),
        _error_response,
        HostNames(host),
        app_state.limits,
        app_state.rate_limiter,
        app_state.metrics,
    )


class GZipExceptStreams:
    """Middleware that compresses responses with gzip, except event streams."""

    def __init__(self, app: ASGIApp) -> None:
        self.app, self.gzip = (
            app,
            GZipMiddleware(app, minimum_size=GZIP_MIN_BYTES, compresslevel=6),
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        streams = scope["type"] != "http" or scope["path"].endswith(STREAM_SUFFIX)
        await (self.app if streams else self.gzip)(scope, receive, send)


def _error_response(request: Request, status: int, message: str) -> Response:
    """Return an error response: JSON for programs, a page for people."""
    path = request.scope["path"]  # not from request.url: the Host header may be invalid
    if path.startswith(("/api", "/static", "/openapi", "/metrics")) or request.headers.get(
        "x-part"
    ):
        return JSONResponse({"detail": message}, status)
    return HTMLResponse(error_pages.error_page(request, status, message), status)


async def _handle_domain_error(request: Request, error: Exception) -> Response:
    status = next(
        (code for error_class, code in ERROR_STATUSES if isinstance(error, error_class)), 400
    )
    if request.method == "GET" and status == 400 and request.url.path.startswith("/api/games/"):
        status = 404
    response = _error_response(request, status, str(error))
    if status in RETRY_STATUSES:
        seconds = getattr(error, "retry_after_seconds", DATABASE_RETRY_SECONDS)
        response.headers["Retry-After"] = str(seconds)
    return response


async def _handle_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    messages = {404: "there is no page at this address", 405: "this method is not allowed here"}
    response = _error_response(
        request, error.status_code, messages.get(error.status_code, str(error.detail))
    )
    response.headers.update(error.headers or {})
    return response


async def _handle_invalid_request(request: Request, error: Exception) -> Response:
    """Return the first validation error in one sentence."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:]) or "the request"
    return _error_response(request, 422, one_line(f"{where}: {first['msg'].lower()}"))


async def _handle_database_error(request: Request, error: Exception) -> Response:
    if isinstance(error, DataError):  # such as a NUL, which PostgreSQL rejects in text
        return _error_response(request, 400, NOT_STORABLE)
    return await _handle_domain_error(request, DatabaseUnreachable())


async def _handle_unexpected_error(request: Request, error: Exception) -> Response:
    return _error_response(request, 500, INTERNAL_ERROR)
