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

import hashmark
from hashmark.club.leagues import NotNow
from hashmark.club.season_view import NoSeason
from hashmark.table.errors import HashmarkError
from hashmark.table.readable import sentence
from hashmark.web import (
    api,
    health,
    leagues_api,
    leagues_pages,
    pages,
    plan_pages,
    seasons_api,
    seasons_pages,
    works_api,
    works_pages,
)
from hashmark.web.addresses import Elsewhere, lead_there
from hashmark.web.guards import Guard, Names, Receive, Scope, Send
from hashmark.web.hall import Hall
from hashmark.web.journal import NotKept
from hashmark.web.limits import TooMuch
from hashmark.web.plan_shelf import NoPlan
from hashmark.web.sharing import Unreachable
from hashmark.web.store import Gone, Unknown, Used
from hashmark.web.tables import NotThere, NotYours, Stale
from hashmark.web.work_files import NoSuchWork

STATUSES: tuple[tuple[type[HashmarkError], int], ...] = (
    (Stale, 409),
    (NotYours, 403),
    (NotThere, 404),
    (NotNow, 409),
    (NoSeason, 404),
    (NoPlan, 404),
    (NoSuchWork, 404),
    (TooMuch, 429),
    (Gone, 404),
    (Used, 404),
    (NotKept, 503),
    (Unknown, 503),
    (Unreachable, 503),
)
ROUTERS = (  # routes are added as they are; include_router would build each one a second time
    api.router,
    health.router,
    seasons_api.router,
    leagues_api.router,
    pages.router,
    seasons_pages.router,
    leagues_api.feeds,
    leagues_pages.router,
    plan_pages.router,
    works_api.router,
    works_api.charts,
    works_pages.router,
)
GZIP_MIN_BYTES = 1000  # smaller responses are sent uncompressed
NOT_STORABLE = "there is something in this request that no database keeps"
INTERNAL_ERROR = "something went wrong here; the game is as it was, try again"


def make_app(app_state: Hall, host: str = "127.0.0.1") -> Any:
    """Return the ASGI application around the state of a server that is reached as `host`."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app_state.leagues.wake()
        yield
        await app_state.close()

    app = FastAPI(
        title="Hashmark",
        version=hashmark.__version__,
        description="Gridiron football dice games at tables that a page or a program plays at.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.hall = app_state
    for router in ROUTERS:
        app.router.routes.extend(router.routes)
    app.mount("/static", pages.static_files())
    app.add_exception_handler(HashmarkError, _handle_domain_error)
    app.add_exception_handler(HTTPException, _handle_http_error)
    app.add_exception_handler(Elsewhere, lead_there)
    app.add_exception_handler(RequestValidationError, _handle_invalid_request)
    app.add_exception_handler(SQLAlchemyError, _handle_database_error)
    app.add_exception_handler(Exception, _handle_unexpected_error)
    return Guard(
        Packed(app),
        _error_response,
        Names(host),
        app_state.limits,
        app_state.rates,
        app_state.metrics,
    )


class Packed:
    """Middleware that compresses responses with gzip, except event streams."""

    def __init__(self, app: Any) -> None:
        self.app, self.packing = (
            app,
            GZipMiddleware(app, minimum_size=GZIP_MIN_BYTES, compresslevel=6),
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        streams = scope["type"] != "http" or scope["path"].endswith(api.STREAM)
        await (self.app if streams else self.packing)(scope, receive, send)


def _error_response(request: Request, status: int, message: str) -> Response:
    """Return an error response: JSON for programs, a page for people."""
    path = request.scope["path"]  # not from request.url: the Host header may be invalid
    if path.startswith(("/api", "/static", "/openapi", "/metrics")) or request.headers.get(
        "x-part"
    ):
        return JSONResponse({"detail": message}, status)
    return HTMLResponse(pages.refusal(status, message), status)


async def _handle_domain_error(request: Request, error: Exception) -> Response:
    status = next((code for error_class, code in STATUSES if isinstance(error, error_class)), 400)
    if request.method == "GET" and status == 400 and request.url.path.startswith("/api/games/"):
        status = 404
    return _error_response(request, status, str(error))


async def _handle_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    messages = {404: "there is nothing at this address", 405: "this cannot be asked here"}
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
    return _error_response(request, 422, sentence(f"{where}: {first['msg'].lower()}"))


async def _handle_database_error(request: Request, error: Exception) -> Response:
    if isinstance(error, DataError):  # such as a NUL, which PostgreSQL rejects in text
        return _error_response(request, 400, NOT_STORABLE)
    return await _handle_domain_error(request, Unreachable())


async def _handle_unexpected_error(request: Request, error: Exception) -> Response:
    return _error_response(request, 500, INTERNAL_ERROR)
