"""What stands before every route: whose name we were called by, from which page, how often, how
much; and what a browser may do with what we answer.
"""

from __future__ import annotations

import ipaddress
import logging
import os
import socket
import time
import traceback
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from hashmark.table.errors import HashmarkError
from hashmark.table.readable import shown
from hashmark.web.limits import Limits, Rates
from hashmark.web.metrics import READS, Metrics

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

logger = logging.getLogger("hashmark.web")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)
LOCAL = ("localhost", "127.0.0.1", "::1")
IMPORT = "/api/logs"
PLAYS = "/api/charts"
LARGE = {  # the routes that take a large body, and the limit that theirs has
    IMPORT: "log",
    "/bring": "log",
    PLAYS: "plays",
    "/charts": "plays",
    "/plans": "plan",
    "/plans/file": "plan",
    "/api/plans": "plan",
}


class Names:
    """The names by which a server may be called: a page of a foreign name must not reach it."""

    def __init__(self, host: str) -> None:
        self.only_local = is_local(host)
        given = further_names()
        own = () if self.only_local else (host, socket.gethostname(), socket.getfqdn())
        self.known = {name.strip().lower() for name in (*LOCAL, *own, *given)}

    def knows(self, header: str) -> bool:
        """Whether a Host header names this server."""
        name = host_of(header)
        if name in self.known:
            return True
        return not self.only_local and _is_address(name)


def further_names() -> list[str]:
    """Names by which a server is called besides its own, as its surroundings say."""
    return [name for name in os.environ.get("HASHMARK_HOSTS", "").split(",") if name.strip()]


def is_for_us_alone(host: str, proxies: Sequence[str]) -> bool:
    """Whether only those who sit at this machine can call a server."""
    return is_local(host) and not proxies and not further_names()


def check_proxies(proxies: Sequence[str]) -> None:
    """Addresses of proxies, or networks of them; anything else is refused."""
    for one in proxies:
        try:
            ipaddress.ip_network(one)
        except ValueError:
            raise HashmarkError(
                f"--proxy {shown(one)}: expected an address such as 127.0.0.1, "
                "or a network such as 10.0.0.0/8"
            ) from None


def is_local(host: str) -> bool:
    """Whether a server at this host is for this machine alone."""
    if host in LOCAL:
        return True
    return _is_address(host) and ipaddress.ip_address(host).is_loopback


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def host_of(header: str) -> str:
    """The name in a Host header, without its port."""
    try:
        return (urlsplit(f"//{header}").hostname or "").lower()
    except ValueError:
        return ""


Answer = Callable[[Request, int, str], Response]


def too_large(most: int) -> tuple[int, str]:
    taken = (
        f"{most >> 20} MB" if most >> 20 else f"{most >> 10} kB" if most >> 10 else f"{most} bytes"
    )
    return 413, f"the request is too large: at most {taken} are taken here"


class Guard:
    """Around the whole application; `answer` says a refusal, to a person or to a program."""

    def __init__(
        self, app: Any, answer: Answer, names: Names, limits: Limits, rates: Rates, metrics: Metrics
    ) -> None:
        self.app, self.answer = app, answer
        self.names, self.limits, self.rates = names, limits, rates
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status, begun = 0, time.perf_counter()

        async def noted(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self._answer(scope, receive, _with_headers(noted))
        finally:
            took = time.perf_counter() - begun
            self.metrics.answered(scope["method"], scope["path"], status, took)

    async def _answer(self, scope: Scope, receive: Receive, answered: Send) -> None:
        refused = self._refused(scope)
        if refused is not None:
            await self.answer(Request(scope), *refused)(scope, receive, answered)
            return
        try:
            await self.app(scope, self._bounded(scope, receive), answered)
        except Exception as fault:  # it was answered already; nobody reads a traceback
            where = traceback.extract_tb(fault.__traceback__)[-1]
            logger.error("%s in %s, line %s", type(fault).__name__, where.name, where.lineno)
            if os.environ.get("HASHMARK_TRACEBACK"):
                traceback.print_exception(fault)

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        """Why a request goes no further."""
        sent = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if not self.names.knows(sent.get(b"host", "")):
            return 421, "this server does not go by that name"
        if scope["method"] not in READS and not _from_here(sent):
            return 403, "this request comes from a page of another site"
        length = sent.get(b"content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length) > self._most(scope):
            return too_large(self._most(scope))
        if not self.rates.take(caller_of(scope)):
            return 429, "too many requests: wait a moment"
        return None

    def _most(self, scope: Scope) -> int:
        most: int = getattr(self.limits, LARGE.get(scope["path"], "body"))
        return most

    def _bounded(self, scope: Scope, receive: Receive) -> Receive:
        """The body, as long as it is not too large, whatever its length was said to be."""
        most, taken = self._most(scope), 0

        async def bounded() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > most:
                raise HTTPException(*too_large(most))
            return message

        return bounded


def caller_of(scope: Scope) -> str:
    """Where a request comes from."""
    client = scope.get("client")
    return str(client[0]) if client else "unknown"


def _from_here(sent: dict[bytes, str]) -> bool:
    """Whether a request that changes something comes from a page of ours, or from no page."""
    if sent.get(b"sec-fetch-site", "none") not in ("none", "same-origin"):
        return False
    origin = sent.get(b"origin")
    if origin is None:
        return True
    return urlsplit(origin).netloc.lower() == sent.get(b"host", "").lower()


def _with_headers(send: Send) -> Send:
    """Every answer says what a browser may do with it; a route may say something else."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", []))
            known = {name.lower() for name, _ in headers}
            headers += [pair for pair in HEADERS if pair[0] not in known]
            if b"cache-control" not in known:
                headers.append((b"cache-control", b"no-store"))
            message["headers"] = headers
        await send(message)

    return sending
