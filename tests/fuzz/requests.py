"""Fuzzer of requests to the server: no request makes the server fail.

A table is in the middle of a game, in this process and without a network. A case is a path with a
body; the server accepts it, or refuses it with a sentence.
"""

from __future__ import annotations

import asyncio
import json
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from hashmark.engine import registry
from hashmark.web.app import create_app
from hashmark.web.app_state import AppState
from hashmark.web.rate_limits import Limits
from hashmark.web.tables.table_store import TableStore

from . import hostile, log
from .harness import Finding, Fuzzer, find_control_character, find_sentence_fault, main

HIGH_LIMITS = Limits(rate=1e6, burst=10**6, tables_each=10**6)
KEY = "KEY"  # stands for an existing table
# A valid request of every sort: the path and its body.
VALID_POSTS: dict[str, dict[str, Any]] = {
    "/api/tables": {
        "rules": "fourth-down",
        "options": {"turnover-spot": "end"},
        "seats": {"home": "me", "away": "coach:book"},
        "names": {"home": "Otters", "away": "Pikes"},
        "dice": "typed",
        "hints": "never",
        "listed": True,
        "pace": 0.5,
    },
    "/api/invitations": {"invitation": "x"},
    "/api/seats": {"invitation": "x"},
    f"/api/tables/{KEY}/ready": {"word": "heads"},
    f"/api/tables/{KEY}/answers": {"moment": 1, "call": "heads"},
    f"/api/tables/{KEY}/rolls": {"moment": 1, "at": 0, "face": 3},
    f"/api/tables/{KEY}/undo": {"moment": 1},
    f"/api/tables/{KEY}/orders": {"when": "never", "window": "all"},
    f"/api/tables/{KEY}/seats": {"team": "home", "who": "coach:book"},
    f"/api/tables/{KEY}/invitations": {"team": "away"},
}
GET_PATHS = (
    *("/api/games/{}", "/api/games/fourth-down/picks?option={}", "/api/tables/{}"),
    f"/api/tables/{KEY}/events?after={{}}",
    f"/api/tables/{KEY}?wait={{}}",
    *(f"/table/{KEY}/at/{{}}", "/rules/{}", "/new/{}", "/join?{}", "/table/{}"),
)
UPLOAD_PATH = "/api/logs"  # accepts a game log


def make(random: Random) -> bytes:
    """Return a hostile path, a hostile body, or a forged log."""
    choice = random.random()
    if choice < 0.2:
        text = str(random.choice((*hostile.TEXTS, *hostile.NUMBERS)))
        return _case("GET", random.choice(GET_PATHS).replace("{}", _quoted(text)), b"")
    if choice < 0.3:
        return _case("POST", UPLOAD_PATH, log.make(random))
    path = random.choice(sorted(VALID_POSTS))
    body = dict(VALID_POSTS[path])
    if "rules" in body:
        body["rules"] = random.choice(registry.builtin_names())
    return _case("POST", path, hostile.make_json(random, body))


def _quoted(text: str) -> str:
    raw = text.encode(errors="surrogatepass")[:2000]
    return "".join(f"%{byte:02x}" for byte in raw)


def _case(method: str, path: str, body: bytes) -> bytes:
    return f"{method} {path}\n".encode() + body


class InProcessServer:
    """Server in this process, with a player at a table."""

    def __init__(self) -> None:
        self.runner, self.folder = asyncio.Runner(), TemporaryDirectory()
        store = TableStore(f"sqlite:///{Path(self.folder.name) / 'tables.db'}")
        self.app_state = self.runner.run(_make_app_state(store))
        app = create_app(self.app_state, "127.0.0.1")
        transport = httpx.ASGITransport(app, raise_app_exceptions=True, client=("127.0.0.1", 9))
        self.client = httpx.AsyncClient(transport=transport, base_url="http://localhost")
        form = {"rules": "fourth-down", "seats": {"away": "coach:random"}}
        created = self.send("POST", "/api/tables", json.dumps(form).encode()).json()
        self.client.headers["Authorization"] = f"Bearer {created['token']}"
        self.key = created["id"]
        self.send("POST", f"/api/tables/{self.key}/ready", b'{"word": "heads"}')

    def send(self, method: str, path: str, body: bytes) -> httpx.Response:
        headers = {"content-type": "application/json"} if body and path != UPLOAD_PATH else {}
        request = self.client.request(method, path, content=body, headers=headers)
        return self.runner.run(request)

    def close(self) -> None:
        self.runner.run(self.client.aclose())
        self.runner.run(self.app_state.close())
        self.runner.close()
        self.folder.cleanup()


async def _make_app_state(store: TableStore) -> AppState:
    return AppState(store, HIGH_LIMITS, True)


@cache
def shared_server() -> InProcessServer:
    """Return the one server of all cases; callers close it with `close`."""
    return InProcessServer()


def close() -> None:
    if shared_server.cache_info().currsize:
        shared_server().close()
        shared_server.cache_clear()


def check(case: bytes) -> None:
    head, _, body = case.partition(b"\n")
    try:
        method, path = head.decode().split(" ")
    except (UnicodeDecodeError, ValueError):
        return  # no longer a case, after shrinking
    if method not in ("GET", "POST") or not path.startswith("/"):
        return
    server = shared_server()
    response = server.send(method, path.replace(KEY, server.key), body)
    if response.status_code >= 500:
        raise Finding(f"status {response.status_code}: {response.text[:200]!r}")
    if code_point := find_control_character(response.text.replace("\r", "")):
        raise Finding(f"{code_point} in an answer: {response.text[:200]!r}")
    refused = response.status_code >= 400 and path.startswith("/api")
    if refused and (problem := find_sentence_fault(str(response.json().get("detail", "")))):
        raise Finding(problem)


FUZZER = Fuzzer("requests", ".txt", make, check)

if __name__ == "__main__":
    try:
        main(FUZZER)
    finally:
        close()
