"""Limits of the parts of a request that libraries parse: address, headers, cookies, JSON bodies.

Each check is one linear pass over text of bounded length. Bodies have limits of their own: their
size in `guards`, forms in `pages.form_data`, files in `storage.text_limits`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from json import JSONDecodeError
from typing import Any

from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from hashmark.storage.text_limits import InvalidText
from hashmark.storage.user_files import loads_json
from hashmark.web.tokens import COOKIE_NAME, MAX_TOKEN_LENGTH

MAX_PATH_BYTES = 4096
MAX_QUERY_BYTES = 32 * 1024  # two packed plans of real teams have 12 kB
MAX_QUERY_FIELDS = 200
MAX_HEADER_BYTES = 16 * 1024  # of one header other than cookies
MAX_CONTENT_TYPE_BYTES = 512
MAX_LENGTH_DIGITS = 15  # of a Content-Length
MAX_BODY_BRACKETS = 1000  # of a JSON body; a game with all options has some 20
COOKIE = b"cookie"
OWN_COOKIE = re.compile(
    rf"(?:^|;)[ \t]*({COOKIE_NAME}=[A-Za-z0-9_-]{{1,{MAX_TOKEN_LENGTH}}})[ \t]*(?:;|$)".encode()
)


def find_excess(scope: Scope) -> tuple[int, str] | None:
    """Return status and message for a request whose address or headers are too long, or None."""
    query = scope["query_string"]
    if len(scope.get("raw_path") or b"") > MAX_PATH_BYTES or len(query) > MAX_QUERY_BYTES:
        return 414, "the address is too long"
    if query.count(b"&") + query.count(b";") >= MAX_QUERY_FIELDS:
        return 414, f"the address has more than {MAX_QUERY_FIELDS} fields"
    for name, value in scope["headers"]:
        limit = MAX_CONTENT_TYPE_BYTES if name == b"content-type" else MAX_HEADER_BYTES
        if len(value) > limit and name != COOKIE:
            return 431, "a request header is too long"
    return None


def parse_content_length(text: str) -> int | None:
    """Return the declared size of a body in bytes, or None if it is no number."""
    is_number = text.isascii() and text.isdigit() and len(text) <= MAX_LENGTH_DIGITS
    return int(text) if is_number else None


def without_foreign_cookies(scope: Scope) -> Scope:
    """Return the scope with no cookie but our own.

    The cookies of other programs on the same host are of no use here, and parsing a quoted cookie
    of 60 kB takes some versions of Python 10 seconds.
    """
    headers = scope["headers"]
    cookies = [value for name, value in headers if name == COOKIE]
    if not cookies:
        return scope
    own = [match[1] for match in map(OWN_COOKIE.search, cookies) if match][:1]
    others = [pair for pair in headers if pair[0] != COOKIE]
    return {**scope, "headers": others + [(COOKIE, value) for value in own]}


def _check_brackets(body: bytes) -> None:
    """Check the number of lists and objects: each takes far more memory than its brackets."""
    if body.count(b"[") + body.count(b"{") > MAX_BODY_BRACKETS:
        raise InvalidText(f"it has more than {MAX_BODY_BRACKETS} lists and objects")


class BoundedJsonRequest(Request):
    """Request whose JSON body is read within the limits of `storage.text_limits`."""

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            body = await self.body()
            try:
                _check_brackets(body)
                self._json = loads_json(body)
            except JSONDecodeError:
                raise  # FastAPI says where
            except ValueError as fault:
                raise HTTPException(422, f"the request: not JSON ({fault})") from None
        return self._json


class JsonRoute(APIRoute):
    """Route of the API; a body in JSON is checked before it is parsed."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()
        if self.body_field is None:
            return handler

        async def handle(request: Request) -> Response:
            return await handler(BoundedJsonRequest(request.scope, request.receive))

        return handle
