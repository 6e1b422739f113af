"""Request guards in front of every route: Host header, origin, body size, rate and security
headers.
"""

from __future__ import annotations

import ipaddress
import logging
import math
import os
import socket
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hashmark.errors import HashmarkError
from hashmark.sanitize import quote
from hashmark.web import page_address
from hashmark.web.metrics import SAFE_METHODS, Metrics
from hashmark.web.rate_limits import Limits, RateLimiter
from hashmark.web.request_limits import (
    find_excess,
    parse_content_length,
    without_foreign_cookies,
)

logger = logging.getLogger("hashmark.web")
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
SECURITY_HEADERS = (
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)
IPV6_CALLER_BITS = 64  # one customer usually has at least a /64 network
LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
LOGS_PATH = "/api/logs"
CHARTS_PATH = "/api/charts"
BODY_LIMITS = {  # routes with a limit of their own, by its name in `Limits`
    LOGS_PATH: "log",
    "/bring": "log",
    CHARTS_PATH: "plays",
    "/charts": "plays",
    "/plans": "plan",
    "/plans/file": "plan",
    "/api/plans": "plan",
}


class HostNames:
    """Host names that a server answers to; protects against DNS rebinding."""

    def __init__(self, host: str) -> None:
        self.is_local_only = is_local(host)
        given = additional_host_names()
        own = () if self.is_local_only else (host, socket.gethostname(), socket.getfqdn())
        self.accepted = {name.strip().lower() for name in (*LOCAL_HOSTS, *own, *given)}

    def accepts(self, header: str) -> bool:
        """Return whether a Host header names this server."""
        name = parse_host(header)
        if name in self.accepted:
            return True
        return not self.is_local_only and _is_ip_address(name)


def additional_host_names() -> list[str]:
    """Return the additional host names from HASHMARK_HOSTS."""
    return [name for name in os.environ.get("HASHMARK_HOSTS", "").split(",") if name.strip()]


def is_private_server(host: str, proxies: Sequence[str]) -> bool:
    """Return whether a server can be reached from this machine only."""
    return is_local(host) and not proxies and not additional_host_names()


def check_proxies(proxies: Sequence[str]) -> None:
    """Raise unless every proxy is an IP address or a network."""
    for proxy in proxies:
        try:
            ipaddress.ip_network(proxy)
        except ValueError:
            raise HashmarkError(
                f"--proxy {quote(proxy)}: expected an address such as 127.0.0.1, "
                "or a network such as 10.0.0.0/8"
            ) from None


def is_local(host: str) -> bool:
    """Return whether a host is reachable from this machine only."""
    if host in LOCAL_HOSTS:
        return True
    return _is_ip_address(host) and ipaddress.ip_address(host).is_loopback


def _is_ip_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def parse_host(header: str) -> str:
    """Return the host name in a Host header, without its port."""
    try:
        return (urlsplit(f"//{header}").hostname or "").lower()
    except ValueError:
        return ""


ErrorResponder = Callable[[Request, int, str], Response]


def body_too_large(max_bytes: int) -> tuple[int, str]:
    limit = (
        f"{max_bytes >> 20} MB"
        if max_bytes >> 20
        else f"{max_bytes >> 10} kB"
        if max_bytes >> 10
        else f"{max_bytes} bytes"
    )
    return 413, f"the request is too large: the limit is {limit}"


class Rejection(NamedTuple):
    """Response to a request that reaches no route."""

    status: int
    message: str
    headers: Mapping[str, str] = MappingProxyType({})


class Guard:
    """ASGI middleware around the whole application; `error_response` answers rejected requests."""

    def __init__(
        self,
        app: ASGIApp,
        error_response: ErrorResponder,
        host_names: HostNames,
        limits: Limits,
        rates: RateLimiter,
        metrics: Metrics,
    ) -> None:
        self.app, self.error_response = app, error_response
        self.host_names, self.limits, self.rates = host_names, limits, rates
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status, started_at = 0, time.perf_counter()

        async def record_status(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self._answer(scope, receive, _with_headers(record_status))
        finally:
            seconds = time.perf_counter() - started_at
            self.metrics.count_request(scope["method"], scope["path"], status, seconds)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        rejection = self._rejection(scope)
        if rejection is not None:
            response = self.error_response(Request(scope), rejection.status, rejection.message)
            response.headers.update(rejection.headers)
            await response(scope, receive, send)
            return
        try:
            page_address.remember(scope)
            limited = self._limit_body(scope, receive)
            await self.app(without_foreign_cookies(scope), limited, send)
        except Exception as error:  # already answered; log one line instead of a traceback
            where = traceback.extract_tb(error.__traceback__)[-1]
            logger.error("%s in %s, line %s", type(error).__name__, where.name, where.lineno)
            if os.environ.get("HASHMARK_TRACEBACK"):
                traceback.print_exception(error)

    def _rejection(self, scope: Scope) -> Rejection | None:
        """Return why a request is rejected, or None."""
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if not self.host_names.accepts(headers.get(b"host", "")):
            return Rejection(421, "this server does not answer to that host name")
        if scope["method"] not in SAFE_METHODS and not _is_same_origin(headers):
            return Rejection(403, "this request comes from another site")
        if excess := find_excess(scope):
            return Rejection(*excess)
        length = parse_content_length(headers.get(b"content-length", "0"))
        if length is None or length > self._max_body_bytes(scope):
            return Rejection(*body_too_large(self._max_body_bytes(scope)))
        wait_seconds = self.rates.take_token(client_address(scope))
        if wait_seconds:
            retry_after = {"Retry-After": str(math.ceil(wait_seconds))}
            return Rejection(429, "too many requests: wait a moment", retry_after)
        return None

    def _max_body_bytes(self, scope: Scope) -> int:
        max_bytes: int = getattr(self.limits, BODY_LIMITS.get(scope["path"], "body"))
        return max_bytes

    def _limit_body(self, scope: Scope, receive: Receive) -> Receive:
        """Return a `receive` that raises as soon as the body exceeds its limit; Content-Length may
        lie.
        """
        max_bytes, received = self._max_body_bytes(scope), 0

        async def bounded() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > max_bytes:
                raise HTTPException(*body_too_large(max_bytes))
            return message

        return bounded


def client_address(scope: Scope) -> str:
    """Return the address that limits count by: an IPv4 address, or the /64 network of an IPv6 one.

    Behind a trusted proxy the server has replaced the client by the one that the proxy names.
    """
    client = scope.get("client")
    try:
        address = ipaddress.ip_address(str(client[0]).partition("%")[0] if client else "")
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, IPV6_CALLER_BITS), strict=False))


def _is_same_origin(headers: dict[bytes, str]) -> bool:
    """Return whether a writing request comes from a page of this server, or from no page."""
    if headers.get(b"sec-fetch-site", "none") not in ("none", "same-origin"):
        return False
    origin = headers.get(b"origin")
    if origin is None:
        return True
    return urlsplit(origin).netloc.lower() == headers.get(b"host", "").lower()


def _with_headers(send: Send) -> Send:
    """Add the security headers to every response, except those that the route has set."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = list(message.get("headers", []))
            present = {name.lower() for name, _ in headers}
            headers += [pair for pair in SECURITY_HEADERS if pair[0] not in present]
            if b"cache-control" not in present:
                headers.append((b"cache-control", b"no-store"))
            message["headers"] = headers
        await send(message)

    return send_with_headers
