"""The application: routes, guards before them, and a sentence for everything that goes wrong."""

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
ROUTERS = (  # whose routes are taken as they are: including them would make each a second time
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
SMALLEST = 1000  # bytes; what is smaller is sent as it is
UNKEPT = "there is something in this request that no database keeps"
FAULT = "something went wrong here; the game is as it was, try again"


def make_app(hall: Hall, host: str = "127.0.0.1") -> Any:
    """The whole application around a hall, for whoever calls it by the name of this host."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        hall.leagues.wake()
        yield
        await hall.close()

    app = FastAPI(
        title="Hashmark",
        version=hashmark.__version__,
        description="Gridiron football dice games at tables that a page or a program plays at.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.hall = hall
    for router in ROUTERS:
        app.router.routes.extend(router.routes)
    app.mount("/static", pages.static_files())
    app.add_exception_handler(HashmarkError, _refused)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Elsewhere, lead_there)
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(SQLAlchemyError, _no_database)
    app.add_exception_handler(Exception, _unforeseen)
    return Guard(Packed(app), _answer, Names(host), hall.limits, hall.rates, hall.metrics)


class Packed:
    """Answers are packed for browsers that can unpack them; streams go out as they come."""

    def __init__(self, app: Any) -> None:
        self.app, self.packing = app, GZipMiddleware(app, minimum_size=SMALLEST, compresslevel=6)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        streams = scope["type"] != "http" or scope["path"].endswith(api.STREAM)
        await (self.app if streams else self.packing)(scope, receive, send)


def _answer(request: Request, status: int, said: str) -> Response:
    """A refusal: as data for programs, as a page for people."""
    path = request.scope["path"]  # not of the address: who asks may call us by a name that is none
    if path.startswith(("/api", "/static", "/openapi", "/metrics")) or request.headers.get(
        "x-part"
    ):
        return JSONResponse({"detail": said}, status)
    return HTMLResponse(pages.refusal(status, said), status)


async def _refused(request: Request, fault: Exception) -> Response:
    status = next((code for kind, code in STATUSES if isinstance(fault, kind)), 400)
    if request.method == "GET" and status == 400 and request.url.path.startswith("/api/games/"):
        status = 404
    return _answer(request, status, str(fault))


async def _http(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, HTTPException)
    said = {404: "there is nothing at this address", 405: "this cannot be asked here"}
    answer = _answer(request, fault.status_code, said.get(fault.status_code, str(fault.detail)))
    answer.headers.update(fault.headers or {})
    return answer


async def _unreadable(request: Request, fault: Exception) -> Response:
    """The first thing that is wrong with what was sent, in one sentence."""
    assert isinstance(fault, RequestValidationError)
    first = fault.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:]) or "the request"
    return _answer(request, 422, sentence(f"{where}: {first['msg'].lower()}"))


async def _no_database(request: Request, fault: Exception) -> Response:
    if isinstance(fault, DataError):  # such as a NUL, which PostgreSQL takes in no text
        return _answer(request, 400, UNKEPT)
    return await _refused(request, Unreachable())


async def _unforeseen(request: Request, fault: Exception) -> Response:
    return _answer(request, 500, FAULT)
