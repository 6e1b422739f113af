"""What the API and the pages share: dependencies of routes, tokens, and a few responses."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Request, Response
from pydantic import BaseModel

from hashmark.web import tokens
from hashmark.web.app_state import AppState
from hashmark.web.guards import client_address
from hashmark.web.tables.table import Forbidden, Table, Viewer

STREAM_SUFFIX = "/stream"  # path suffix of the event stream
COOKIE_SECONDS = 400 * 24 * 3600  # seconds that a browser keeps its token


class Refusal(BaseModel):
    """Why something was not done, in one sentence."""

    detail: str


ERROR_RESPONSES: dict[int | str, dict[str, Any]] = {
    400: {"model": Refusal, "description": "Invalid input."},
    403: {"model": Refusal, "description": "You are not allowed to do this."},
    404: {"model": Refusal, "description": "Not found."},
    409: {"model": Refusal, "description": "The moment has passed; nothing was changed."},
    413: {"model": Refusal, "description": "Too large."},
    421: {"model": Refusal, "description": "Unknown host name."},
    422: {"model": Refusal, "description": "The body cannot be parsed."},
    429: {"model": Refusal, "description": "Too many requests, or a limit was reached."},
    503: {"model": Refusal, "description": "The database is unavailable; nothing was changed."},
}
Json = dict[str, Any]


def raw_body(media: str) -> Json:
    """Return the OpenAPI description of a request whose body is a file."""
    content = {media: {"schema": {"type": "string"}}}
    return {"requestBody": {"required": True, "content": content}}


async def get_app_state(request: Request) -> AppState:
    app_state: AppState = request.app.state.app_state
    return app_state


def read_token(request: Request) -> str:
    """Return the token in the header or the cookie; empty if there is none."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return token.strip()
    return request.cookies.get(tokens.COOKIE_NAME, "")


def get_or_create_token(request: Request) -> tuple[str, str]:
    """Return the requester's token, and a second copy if it has just been created."""
    token = read_token(request)
    if tokens.digest(token):
        return token, ""
    token = tokens.new_token()
    return token, token


async def get_holder(request: Request) -> str:
    """Return the digest of the requester's token; empty if there is none."""
    return tokens.digest(read_token(request))


def get_caller(request: Request) -> str:
    """Return a digest of the client's network address."""
    return tokens.caller_digest(client_address(request.scope))


async def caller_dependency(request: Request) -> str:
    return get_caller(request)


AppStateDep = Annotated[AppState, Depends(get_app_state)]
HolderDep = Annotated[str, Depends(get_holder)]
CallerDep = Annotated[str, Depends(caller_dependency)]


async def get_table(key: str, request: Request) -> Table:
    """Return the table that the URL names."""
    return await (await get_app_state(request)).tables.find(key)


TableDep = Annotated[Table, Depends(get_table)]


async def get_viewer(table: TableDep, request: Request) -> Viewer:
    """Return the requester's role at this table, which is looked up once per request."""
    viewer = table.viewer(await get_holder(request))
    table.resume_autoplay()
    return viewer


ViewerDep = Annotated[Viewer, Depends(get_viewer)]


async def get_table_and_viewer(key: str, request: Request) -> tuple[Table, Viewer]:
    """Return the table that the URL names, and the requester's role there."""
    table = await get_table(key, request)  # called directly: a nested dependency would cost time
    return table, await get_viewer(table, request)


TableAndViewerDep = Annotated[
    tuple[Table, Viewer], Depends(get_table_and_viewer)
]  # both in one dependency


def require_token(holder: str) -> str:
    """Return the holder; raise Forbidden if the requester has no token."""
    if not holder:
        raise Forbidden("this needs a token: create a league, or accept an invitation")
    return holder


def feed_url(request: Request, secret: str) -> str:
    return str(request.url.replace(path=f"/feeds/{secret}", query="", fragment=""))


def attachment(text: str, name: str, media: str = "application/toml") -> Response:
    """Return a text as a file download."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=f"{media}; charset=utf-8", headers=headers)
