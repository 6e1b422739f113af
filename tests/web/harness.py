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

from hashmark.web.app import create_app
from hashmark.web.app_state import AppState
from hashmark.web.clock import Clock
from hashmark.web.rate_limits import Limits
from hashmark.web.tables.table_store import TableStore
from timeouts import TIMEOUT_SECONDS
from web.fork_server import ServerFork

ROOMY_LIMITS = Limits(rate=5000, burst=5000, tables_each=2000, streams_each=500)
CLIENTS: list[httpx.Client] = []  # opened by a test
SHORT_GAME_OPTIONS: dict[str, dict[str, Any]] = {  # options for short games, by rule set
    "data-driven": {"quarter_seconds": 120},
    "rapid-roll": {"numbers_per_quarter": 10},
    "roll-for-yardage": {"plays_per_quarter": 15},
    "two-minute-drill": {"start-clock": 6},
}


class ServerProcess(ServerFork):
    """Server in another process, with quick coaches."""

    def __init__(self, folder: Path | str, absent: float = 60.0) -> None:
        super().__init__(database_url(folder), tables_each=2000, pace=0.01, absent=absent)


def database_url(place: Path | str) -> str:
    """Return the URL of a database: of the one in a directory, or the given URL."""
    return place if isinstance(place, str) else f"sqlite:///{place / 'tables.db'}"


@contextmanager
def running_server(folder: Path | str, absent: float = 60.0) -> Iterator[ServerProcess]:
    """Run a server."""
    server = ServerProcess(folder, absent)
    try:
        yield server
    finally:
        server.kill()


@cache
def _empty_file() -> bytes:
    """Return an empty database file with the current schema."""
    with TemporaryDirectory() as folder:
        TableStore(database_url(Path(folder))).close()
        return Path(folder, "tables.db").read_bytes()


def _create_file(url: str) -> None:
    """Create a missing SQLite file as a copy, so that hundreds of tests need not migrate."""
    scheme, _, path = url.partition(":///")
    if scheme == "sqlite" and not Path(path).exists():
        Path(path).write_bytes(_empty_file())


@asynccontextmanager
async def app_client(
    folder: Path | str,
    limits: Limits = ROOMY_LIMITS,
    host: str = "127.0.0.1",
    caller: str = "127.0.0.1",
    clock: Clock | None = None,
) -> AsyncIterator[tuple[httpx.AsyncClient, AppState]]:
    """Run the application in this process, without a network."""
    url = database_url(folder)
    _create_file(url)
    app_state = AppState(TableStore(url), limits, host == "127.0.0.1", clock)
    app = create_app(app_state, host)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(caller, 9))
    try:
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            yield client, app_state
    finally:
        await app_state.close()


def run_async(work: Callable[[], Any]) -> None:
    """Run an asynchronous test."""
    asyncio.run(work())


class Player:
    """Player who uses the API as a program would."""

    def __init__(self, address: str, token: str = "") -> None:
        self.client = httpx.Client(base_url=address, timeout=TIMEOUT_SECONDS)
        CLIENTS.append(self.client)
        self.table, self.last_state = "", {}  # type: ignore[var-annotated]
        self.token = token

    @property
    def token(self) -> str:
        return self._token

    @token.setter
    def token(self, token: str) -> None:
        self._token = token
        if token:
            self.client.headers["Authorization"] = f"Bearer {token}"

    def request_json(self, method: str, path: str, **more: Any) -> Any:
        response = self.client.request(method, path, **more)
        assert response.status_code < 300, (path, response.status_code, response.text)
        return response.json() if response.content else None

    def create_table(self, rules: str, **more: Any) -> dict[str, Any]:
        created: dict[str, Any] = self.request_json(
            "POST", "/api/tables", json={"rules": rules, **more}
        )
        self.token = created["token"] or self.token
        self.table = created["id"]
        return created

    def join(self, invitation: str) -> None:
        seat = self.request_json("POST", "/api/seats", json={"invitation": invitation})
        self.token = seat["token"] or self.token
        self.table = seat["id"]

    def table_path(self, path: str = "") -> str:
        return f"/api/tables/{self.table}{path}"

    def ready(self, word: str = "heads") -> None:
        self.last_state = self.request_json("POST", self.table_path("/ready"), json={"word": word})

    def fetch_state(self) -> dict[str, Any]:
        self.last_state = self.request_json("GET", self.table_path())
        return self.last_state

    def post(self, path: str, **form: Any) -> httpx.Response:
        return self.client.post(self.table_path(path), json=form)

    def wait(self) -> dict[str, Any]:
        """Wait until this player is to act or the game is over."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while time.monotonic() < deadline:
            state = self.fetch_state()
            pending = state["wanted"]
            if state["over"] or (pending and pending["yours"]):
                return state
            time.sleep(0.005)
        raise AssertionError(f"nobody is asked: {self.last_state}")

    def answer_randomly(self, rng: Random) -> None:
        """Answer the pending question at random."""
        pending = self.last_state["wanted"]
        if pending["kind"] == "die":
            face = rng.choice(pending["faces"])
            response = self.post("/rolls", moment=pending["moment"], at=pending["at"], face=face)
        else:
            call = rng.choice(pending["calls"])["call"]
            response = self.post("/answers", moment=pending["moment"], call=call)
        assert response.status_code == 200, response.text
        self.last_state = response.json()

    def play_to_end(self, rng: Random, most: int = 3000) -> dict[str, Any]:
        """Play to the end of the game."""
        for _ in range(most):
            if self.wait()["over"]:
                return self.last_state
            self.answer_randomly(rng)
        raise AssertionError("the game does not end")
