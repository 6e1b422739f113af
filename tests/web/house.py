"""Test harness: a server in another process, the application in this one, and a player."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from hashmark.web.app import make_app
from hashmark.web.hall import Hall
from hashmark.web.limits import Limits
from hashmark.web.store import Store
from patience import PATIENCE

from .forking import Fork

ROOMY = Limits(rate=5000, burst=5000, tables_each=2000, streams_each=500)
CLIENTS: list[httpx.Client] = []  # opened by a test
SHORT: dict[str, dict[str, Any]] = {  # options for short games, by rule set
    "data-driven": {"quarter_seconds": 120},
    "rapid-roll": {"numbers_per_quarter": 10},
    "roll-for-yardage": {"plays_per_quarter": 15},
    "two-minute-drill": {"start-clock": 6},
}


class Served(Fork):
    """Server in another process, with quick coaches."""

    def __init__(self, folder: Path | str, absent: float = 60.0) -> None:
        super().__init__(database_of(folder), tables_each=2000, pace=0.01, absent=absent)


def database_of(place: Path | str) -> str:
    """Return the URL of a database: of the one in a directory, or the given URL."""
    return place if isinstance(place, str) else f"sqlite:///{place / 'tables.db'}"


@contextmanager
def serving(folder: Path | str, absent: float = 60.0) -> Iterator[Served]:
    """Run a server."""
    server = Served(folder, absent)
    try:
        yield server
    finally:
        server.kill()


@cache
def _empty_file() -> bytes:
    """Return an empty database file with the current schema."""
    with TemporaryDirectory() as folder:
        Store(database_of(Path(folder))).close()
        return Path(folder, "tables.db").read_bytes()


def _create_file(url: str) -> None:
    """Create a missing SQLite file as a copy, so that hundreds of tests need not migrate."""
    scheme, _, path = url.partition(":///")
    if scheme == "sqlite" and not Path(path).exists():
        Path(path).write_bytes(_empty_file())


@asynccontextmanager
async def at_home(
    folder: Path | str,
    limits: Limits = ROOMY,
    host: str = "127.0.0.1",
    caller: str = "127.0.0.1",
) -> AsyncIterator[tuple[httpx.AsyncClient, Hall]]:
    """Run the application in this process, without a network."""
    url = database_of(folder)
    _create_file(url)
    app_state = Hall(Store(url), limits, host == "127.0.0.1")
    app = make_app(app_state, host)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(caller, 9))
    try:
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            yield client, app_state
    finally:
        await app_state.close()


def run(work: Callable[[], Any]) -> None:
    """Run an asynchronous test."""
    asyncio.run(work())


class Player:
    """Player who uses the API as a program would."""

    def __init__(self, address: str, token: str = "") -> None:
        self.client = httpx.Client(base_url=address, timeout=PATIENCE)
        CLIENTS.append(self.client)
        self.table, self.last = "", {}  # type: ignore[var-annotated]
        self.token = token

    @property
    def token(self) -> str:
        return self._token

    @token.setter
    def token(self, token: str) -> None:
        self._token = token
        if token:
            self.client.headers["Authorization"] = f"Bearer {token}"

    def ask(self, method: str, path: str, **more: Any) -> Any:
        response = self.client.request(method, path, **more)
        assert response.status_code < 300, (path, response.status_code, response.text)
        return response.json() if response.content else None

    def lay(self, rules: str, **more: Any) -> dict[str, Any]:
        created: dict[str, Any] = self.ask("POST", "/api/tables", json={"rules": rules, **more})
        self.token = created["token"] or self.token
        self.table = created["id"]
        return created

    def join(self, invitation: str) -> None:
        seat = self.ask("POST", "/api/seats", json={"invitation": invitation})
        self.token = seat["token"] or self.token
        self.table = seat["id"]

    def at(self, path: str = "") -> str:
        return f"/api/tables/{self.table}{path}"

    def ready(self, word: str = "heads") -> None:
        self.last = self.ask("POST", self.at("/ready"), json={"word": word})

    def look(self) -> dict[str, Any]:
        self.last = self.ask("GET", self.at())
        return self.last

    def post(self, path: str, **form: Any) -> httpx.Response:
        return self.client.post(self.at(path), json=form)

    def wait(self) -> dict[str, Any]:
        """Wait until this player is to act or the game is over."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            state = self.look()
            pending = state["wanted"]
            if state["over"] or (pending and pending["yours"]):
                return state
            time.sleep(0.005)
        raise AssertionError(f"nobody is asked: {self.last}")

    def move(self, luck: Random) -> None:
        """Answer the pending question at random."""
        pending = self.last["wanted"]
        if pending["kind"] == "die":
            face = luck.choice(pending["faces"])
            response = self.post("/rolls", moment=pending["moment"], at=pending["at"], face=face)
        else:
            call = luck.choice(pending["calls"])["call"]
            response = self.post("/answers", moment=pending["moment"], call=call)
        assert response.status_code == 200, response.text
        self.last = response.json()

    def play(self, luck: Random, most: int = 3000) -> dict[str, Any]:
        """Play to the end of the game."""
        for _ in range(most):
            if self.wait()["over"]:
                return self.last
            self.move(luck)
        raise AssertionError("the game does not end")
