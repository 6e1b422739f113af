"""Fuzzes what programs send to the server: whatever it is, the answer is no fault of ours.

A table stands in the middle of a game, in this process and without a network. A case is an address
with a body; it is taken, or refused with a sentence.
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

from hashmark.table import registry
from hashmark.web.app import make_app
from hashmark.web.hall import Hall
from hashmark.web.limits import Limits
from hashmark.web.store import Store

from . import hostile, log
from .harness import Finding, Fuzzer, main, poor_sentence, unreadable

ROOMY = Limits(rate=1e6, burst=10**6, tables_each=10**6)
KEY = "KEY"  # stands for a table that there is
# An honest request of every sort: the address, and what is sent.
POSTS: dict[str, dict[str, Any]] = {
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
GETS = (
    *("/api/games/{}", "/api/games/fourth-down/picks?option={}", "/api/tables/{}"),
    f"/api/tables/{KEY}/events?after={{}}",
    f"/api/tables/{KEY}?wait={{}}",
    *(f"/table/{KEY}/at/{{}}", "/rules/{}", "/new/{}", "/join?{}", "/table/{}"),
)
BRING = "/api/logs"  # takes a game log


def make(random: Random) -> bytes:
    """An address with a hostile piece, or a body with one; or a forged log."""
    what = random.random()
    if what < 0.2:
        text = str(random.choice((*hostile.TEXTS, *hostile.NUMBERS)))
        return _case("GET", random.choice(GETS).replace("{}", _quoted(text)), b"")
    if what < 0.3:
        return _case("POST", BRING, log.make(random))
    path = random.choice(sorted(POSTS))
    honest = dict(POSTS[path])
    if "rules" in honest:
        honest["rules"] = random.choice(registry.built_in())
    return _case("POST", path, hostile.json_case(random, honest))


def _quoted(text: str) -> str:
    raw = text.encode(errors="surrogatepass")[:2000]
    return "".join(f"%{byte:02x}" for byte in raw)


def _case(method: str, path: str, body: bytes) -> bytes:
    return f"{method} {path}\n".encode() + body


class House:
    """The server in this process, and a player at a table."""

    def __init__(self) -> None:
        self.runner, self.folder = asyncio.Runner(), TemporaryDirectory()
        store = Store(f"sqlite:///{Path(self.folder.name) / 'tables.db'}")
        self.hall = self.runner.run(_hall(store))
        app = make_app(self.hall, "127.0.0.1")
        transport = httpx.ASGITransport(app, raise_app_exceptions=True, client=("127.0.0.1", 9))
        self.client = httpx.AsyncClient(transport=transport, base_url="http://localhost")
        given = {"rules": "fourth-down", "seats": {"away": "coach:random"}}
        made = self.ask("POST", "/api/tables", json.dumps(given).encode()).json()
        self.client.headers["Authorization"] = f"Bearer {made['token']}"
        self.key = made["id"]
        self.ask("POST", f"/api/tables/{self.key}/ready", b'{"word": "heads"}')

    def ask(self, method: str, path: str, body: bytes) -> httpx.Response:
        kind = {"content-type": "application/json"} if body and path != BRING else {}
        asked = self.client.request(method, path, content=body, headers=kind)
        return self.runner.run(asked)

    def close(self) -> None:
        self.runner.run(self.client.aclose())
        self.runner.run(self.hall.close())
        self.runner.close()
        self.folder.cleanup()


async def _hall(store: Store) -> Hall:
    return Hall(store, ROOMY, True)


@cache
def house() -> House:
    """The one server of all cases; whoever asks for it closes it with `close`."""
    return House()


def close() -> None:
    if house.cache_info().currsize:
        house().close()
        house.cache_clear()


def check(case: bytes) -> None:
    head, _, body = case.partition(b"\n")
    try:
        method, path = head.decode().split(" ")
    except (UnicodeDecodeError, ValueError):
        return  # a case that was made shorter until it was none
    if method not in ("GET", "POST") or not path.startswith("/"):
        return
    here = house()
    answer = here.ask(method, path.replace(KEY, here.key), body)
    if answer.status_code >= 500:
        raise Finding(f"status {answer.status_code}: {answer.text[:200]!r}")
    if bad := unreadable(answer.text.replace("\r", "")):
        raise Finding(f"{bad} in an answer: {answer.text[:200]!r}")
    refused = answer.status_code >= 400 and path.startswith("/api")
    if refused and (wrong := poor_sentence(str(answer.json().get("detail", "")))):
        raise Finding(wrong)


FUZZER = Fuzzer("requests", ".txt", make, check)

if __name__ == "__main__":
    try:
        main(FUZZER)
    finally:
        close()
