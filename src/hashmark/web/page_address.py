"""Address of the current request, for what pages must name in full: preview images and links."""

from __future__ import annotations

from contextvars import ContextVar
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.types import Scope

_BASE: ContextVar[str] = ContextVar("base address", default="")


def remember(scope: Scope) -> None:
    """Record the scheme and host of a request whose Host header has been checked."""
    host = next((value for name, value in scope["headers"] if name == b"host"), b"")
    _BASE.set(f"{scope.get('scheme', 'http')}://{host.decode('latin-1')}" if host else "")


def absolute(path: str) -> str:
    """Return the full address of a path on this server."""
    return _BASE.get() + path


def referring_path(request: Request) -> str:
    """Return the page of this server from which a request came, or "" for another site's."""
    referrer = urlsplit(request.headers.get("referer", ""))
    if not referrer.netloc or referrer.netloc.lower() != request.headers.get("host", "").lower():
        return ""
    path = referrer.path if referrer.path.startswith("/") else ""
    if path.startswith("//") or not path:
        return ""
    return f"{path}?{referrer.query}" if referrer.query else path
