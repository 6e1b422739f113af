"""The application: routes, guards before them, and a sentence for everything that goes wrong."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

import hashmark
from hashmark.table.errors import HashmarkError
from hashmark.table.readable import sentence
from hashmark.web import api, pages
from hashmark.web.guards import Guard, Names, Receive, Scope, Send
from hashmark.web.hall import Hall, NotThere
from hashmark.web.journal import NotKept
from hashmark.web.limits import TooMuch
from hashmark.web.tables import NotYours, Stale

STATUSES: tuple[tuple[type[HashmarkError], int], ...] = (
    (Stale, 409),
    (NotYours, 403),
    (NotThere, 404),
    (TooMuch, 429),
    (NotKept, 503),
)
SMALLEST = 1000  # bytes; what is smaller is sent as it is
FAULT = "something went wrong here; the game is as it was, try again"


def make_app(hall: Hall, host: str = "127.0.0.1") -> Any:
    """The whole application around a hall, for whoever calls it by the name of this host."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
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
    app.include_router(api.router)
    app.include_router(pages.router)
    app.mount("/static", pages.static_files())
    app.add_exception_handler(HashmarkError, _refused)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(Exception, _unforeseen)
    return Guard(Packed(app), Names(host), hall.limits, hall.rates)


class Packed:
    """Answers are packed for browsers that can unpack them; streams go out as they come."""

    def __init__(self, app: Any) -> None:
        self.app, self.packing = app, GZipMiddleware(app, minimum_size=SMALLEST, compresslevel=6)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        streams = scope["type"] != "http" or scope["path"].endswith(api.STREAM)
        await (self.app if streams else self.packing)(scope, receive, send)


def _answer(request: Request, status: int, said: str) -> Response:
    """A refusal: as data for programs, as a page for people."""
    path = request.url.path
    if path.startswith(("/api", "/static", "/openapi")) or request.headers.get("x-part"):
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


async def _unforeseen(request: Request, fault: Exception) -> Response:
    return _answer(request, 500, FAULT)
