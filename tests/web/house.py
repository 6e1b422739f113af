"""A server for tests: in a process of its own, with a database that outlives it; and a player."""

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
CLIENTS: list[httpx.Client] = []  # that a test has opened
SHORT: dict[str, dict[str, Any]] = {  # options that make a game short, where the rules have them
    "data-driven": {"quarter_seconds": 120},
    "rapid-roll": {"numbers_per_quarter": 10},
    "roll-for-yardage": {"plays_per_quarter": 15},
    "two-minute-drill": {"start-clock": 6},
}


class Served(Fork):
    """A server in another process, with coaches that are quick."""

    def __init__(self, folder: Path | str, absent: float = 60.0) -> None:
        super().__init__(database_of(folder), tables_each=2000, pace=0.01, absent=absent)


def database_of(place: Path | str) -> str:
    """The address of a database: of one in this folder, or the one that is named."""
    return place if isinstance(place, str) else f"sqlite:///{place / 'tables.db'}"


@contextmanager
def serving(folder: Path | str, absent: float = 60.0) -> Iterator[Served]:
    """A server for a while."""
    made = Served(folder, absent)
    try:
        yield made
    finally:
        made.kill()


@cache
def _new_file() -> bytes:
    """A file of tables with nothing in it, in the shape that the steps give it."""
    with TemporaryDirectory() as folder:
        Store(database_of(Path(folder))).close()
        return Path(folder, "tables.db").read_bytes()


def _shape(url: str) -> None:
    """A file that is not there yet is a copy of one: hundreds of tests need not take all steps."""
    start, _, name = url.partition(":///")
    if start == "sqlite" and not Path(name).exists():
        Path(name).write_bytes(_new_file())


@asynccontextmanager
async def at_home(
    folder: Path | str,
    limits: Limits = ROOMY,
    host: str = "127.0.0.1",
    caller: str = "127.0.0.1",
) -> AsyncIterator[tuple[httpx.AsyncClient, Hall]]:
    """The application in this process, without a network."""
    url = database_of(folder)
    _shape(url)
    hall = Hall(Store(url), limits, host == "127.0.0.1")
    app = make_app(hall, host)
    transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=(caller, 9))
    try:
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            yield client, hall
    finally:
        await hall.close()


def run(work: Callable[[], Any]) -> None:
    """Run a test that is a coroutine."""
    asyncio.run(work())


class Player:
    """Somebody who plays by the API, as a program would."""

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
        answer = self.client.request(method, path, **more)
        assert answer.status_code < 300, (path, answer.status_code, answer.text)
        return answer.json() if answer.content else None

    def lay(self, rules: str, **more: Any) -> dict[str, Any]:
        made: dict[str, Any] = self.ask("POST", "/api/tables", json={"rules": rules, **more})
        self.token = made["token"] or self.token
        self.table = made["id"]
        return made

    def join(self, invitation: str) -> None:
        made = self.ask("POST", "/api/seats", json={"invitation": invitation})
        self.token = made["token"] or self.token
        self.table = made["id"]

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
        """Until this player is asked for something, or the game is over."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            state = self.look()
            wanted = state["wanted"]
            if state["over"] or (wanted and wanted["yours"]):
                return state
            time.sleep(0.005)
        raise AssertionError(f"nobody is asked: {self.last}")

    def move(self, luck: Random) -> None:
        """Answer whatever is asked, at random."""
        wanted = self.last["wanted"]
        if wanted["kind"] == "die":
            face = luck.choice(wanted["faces"])
            answer = self.post("/rolls", moment=wanted["moment"], at=wanted["at"], face=face)
        else:
            call = luck.choice(wanted["calls"])["call"]
            answer = self.post("/answers", moment=wanted["moment"], call=call)
        assert answer.status_code == 200, answer.text
        self.last = answer.json()

    def play(self, luck: Random, most: int = 3000) -> dict[str, Any]:
        """To the end of the game."""
        for _ in range(most):
            if self.wait()["over"]:
                return self.last
            self.move(luck)
        raise AssertionError("the game does not end")
