"""Two server processes on one PostgreSQL, players and spectators who switch between them, and
kills.

PostgreSQL runs without fsync in the short test (servers are killed, not the machine) and with it in
the long one.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser

from hashmark.session.game_session import GameSession
from hashmark.web.tables.table_store import TableStore
from timeouts import TIMEOUT_SECONDS
from web.browser import Visitor, expect, take_turns
from web.fork_server import ServerFork
from web.postgres_server import PostgresServer, running_postgres

GAMES = ("fourth-down", "roll-for-yardage", "rapid-roll")
MIN_CALLS = 10  # calls that a run needs to be meaningful
CONNECTION_ERRORS = (httpx.HTTPError, OSError)


@contextmanager
def two(url: str) -> Iterator[list[ServerFork]]:
    servers = [ServerFork(url), ServerFork(url)]
    try:
        yield servers
    finally:
        for one in servers:
            one.kill()


class RoamingClient(threading.Thread):
    """Client that uses either server, and the other one if it is down."""

    def __init__(self, servers: list[ServerFork], seed: int) -> None:
        super().__init__(daemon=True)
        self.servers, self.rng = servers, Random(seed)
        self.stopped, self.fault = threading.Event(), ""
        self.clients = [
            httpx.Client(base_url=server.address, timeout=TIMEOUT_SECONDS) for server in servers
        ]

    def run(self) -> None:
        try:
            while not self.stopped.is_set():
                self.step()
        except Exception as error:
            self.fault = f"{type(error).__name__}: {error}"
        finally:
            for client in self.clients:
                client.close()

    def step(self) -> None:
        raise NotImplementedError


class RoamingPlayer(RoamingClient):
    """Player of one game after the other against a coach, each request on either server.

    A call names the moment that it answers; its turn carries the next moment.
    """

    def __init__(self, servers: list[ServerFork], rules: str, seed: int) -> None:
        super().__init__(servers, seed)
        self.rules, self.token, self.table = rules, "", ""
        self.tables: list[str] = []
        self.acknowledged: dict[str, list[tuple[int, str]]] = {}
        self.calls = 0  # acknowledged at all tables
        self.cut: dict[str, list[tuple[int, str]]] = {}  # sent without an answer

    def ask(self, server: int, method: str, path: str, form: Any = None) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return self.clients[server].request(
            method, f"/api/tables{path}", json=form, headers=headers
        )

    def step(self) -> None:
        server = self.rng.randrange(2)
        try:
            if not self.table:
                self._create_table(server)
            state = self._state(server)
            pending = state["wanted"]
            if state["over"]:
                self.table = ""
            elif state["stage"] == "laid":
                response = self.ask(server, "POST", f"/{self.table}/ready", {"word": "x"})
                assert response.status_code in (200, 409), response.text
            elif pending and pending["yours"]:
                self._call(server, pending)
        except CONNECTION_ERRORS:
            time.sleep(0.02)

    def _state(self, server: int) -> dict[str, Any]:
        response = self.ask(server, "GET", f"/{self.table}?wait=1")
        assert response.status_code == 200, response.text
        state: dict[str, Any] = response.json()
        return state

    def _create_table(self, server: int) -> None:
        response = self.ask(server, "POST", "", {"rules": self.rules})
        assert response.status_code == 201, response.text
        self.token = response.json()["token"] or self.token
        self.table = response.json()["id"]
        self.acknowledged[self.table], self.cut[self.table] = [], []
        self.tables.append(self.table)

    def _call(self, server: int, pending: dict[str, Any]) -> None:
        call = pending["moment"], self.rng.choice(pending["calls"])["call"]
        form = {"moment": call[0], "call": call[1]}
        try:
            response = self.ask(server, "POST", f"/{self.table}/answers", form)
        except CONNECTION_ERRORS:
            self.cut[self.table].append(call)
            raise
        assert response.status_code == 200, response.text
        self.acknowledged[self.table].append(call)
        self.calls += 1
        state_elsewhere = self._state(1 - server)
        assert state_elsewhere["number"] >= response.json()["number"], (
            "it is not seen at the other server"
        )


class RoamingSpectator(RoamingClient):
    """Spectator of a player's tables, one after the other, on a stream of either server."""

    def __init__(self, servers: list[ServerFork], player: RoamingPlayer, seed: int) -> None:
        super().__init__(servers, seed)
        self.player = player
        self.received: dict[str, list[dict[str, Any]]] = {}
        self.streams = 0

    @property
    def table(self) -> str:
        """Return the first table whose feed has not been followed to its end."""
        for table in self.player.tables:
            if (
                not self.received.setdefault(table, [])
                or self.received[table][-1]["kind"] != "over"
            ):
                return table
        return ""

    def step(self) -> None:
        table = self.table
        if not table:
            time.sleep(0.05)
            return
        events, server = self.received[table], self.rng.randrange(2)
        last = {"Last-Event-ID": str(events[-1]["number"] if events else 0)}
        try:
            with self.clients[server].stream(
                "GET", f"/api/tables/{table}/stream", headers=last, timeout=5
            ) as stream:
                self.streams += 1
                self._receive(stream, events)
        except CONNECTION_ERRORS:
            time.sleep(0.02)

    def _receive(self, stream: httpx.Response, events: list[dict[str, Any]]) -> None:
        assert stream.status_code == 200, stream.read()
        kind = ""
        for line in stream.iter_lines():
            key, _, value = line.partition(": ")
            kind = value if key == "event" else kind
            if key == "data" and kind == "happening":
                events.append(json.loads(value))
                if events[-1]["kind"] == "over":
                    return
            if self.stopped.is_set():
                return


def killed_and_back(url: str, kills: int, seed: int) -> Counter[str]:
    """Kill either server, sometimes both, at random moments of running games.

    Acknowledged calls are stored exactly once, unanswered ones at most once, and spectators have
    received every event once and in order.
    """
    rng = Random(seed)
    with two(url) as servers:
        players = [
            RoamingPlayer(servers, rules, seed * 100 + index) for index, rules in enumerate(GAMES)
        ]
        watchers = [
            RoamingSpectator(servers, client, seed * 100 + 50 + index)
            for index, client in enumerate(players)
        ]
        clients: list[RoamingClient] = [*players, *watchers]
        for client in clients:
            client.start()
        _wait_until(lambda: all(client.tables for client in players), clients)
        for kill in range(kills):
            if kill % 25 == 24:  # progress, visible with -s
                print(
                    kill,
                    "kills",
                    sum(len(client.tables) for client in players),
                    "tables",
                    flush=True,
                )
            time.sleep(rng.uniform(0.0, 0.7))
            killed = servers if rng.random() < 0.1 else [rng.choice(servers)]
            for server in killed:
                server.kill()
            time.sleep(rng.choice((0.0, rng.uniform(0.0, 0.5))))
            for server in killed:
                server.start()
            assert not any(client.fault for client in clients), [client.fault for client in clients]
        _wait_until(
            lambda: sum(client.calls for client in players) > MIN_CALLS, clients
        )  # however slow the machine is
        for client in players:
            client.stopped.set()
            client.join(TIMEOUT_SECONDS)
        _wait_until(
            lambda: all(_has_received_all(client, servers[0]) for client in watchers), clients
        )
        for client in watchers:
            client.stopped.set()
        counted = Counter(kills=kills)
        for player, watcher in zip(players, watchers, strict=True):
            watcher.join(TIMEOUT_SECONDS)
            assert not player.fault, player.fault
            assert not watcher.fault, watcher.fault
            counted += _check_player(servers, player, watcher)
    _check_logs(url, players)
    return counted


def _wait_until(condition: Any, clients: list[RoamingClient]) -> None:
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        assert not any(client.fault for client in clients), [client.fault for client in clients]
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _events(server: ServerFork, table: str) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = httpx.get(
        f"{server.address}/api/tables/{table}/events", timeout=TIMEOUT_SECONDS
    ).json()
    return events


def _has_received_all(watcher: RoamingSpectator, server: ServerFork) -> bool:
    """Return whether a spectator has received all events."""
    return all(
        len(watcher.received.get(table, ())) >= len(_events(server, table))
        for table in watcher.player.tables
    )


def _check_player(
    servers: list[ServerFork], player: RoamingPlayer, watcher: RoamingSpectator
) -> Counter[str]:
    counted = Counter(tables=len(player.tables), streams=watcher.streams)
    for table in player.tables:
        events = _events(servers[0], table)
        assert events == _events(servers[1], table)[: len(events)]
        received = watcher.received[table]
        assert [event["number"] for event in received] == sorted(
            {event["number"] for event in received}
        )
        assert received == events[: len(received)]  # coaches may have advanced meanwhile
        turns = [
            (event["moment"] - 1, event["call"]) for event in events if event["kind"] == "turn"
        ]
        assert len({moment for moment, _ in turns}) == len(turns)
        for call in player.acknowledged[table]:
            assert turns.count(call) == 1, call
        cut = player.cut[table]
        assert all(turns.count(call) <= 1 for call in cut)
        stored = len(set(turns) & set(cut) - set(player.acknowledged[table]))
        counted += Counter(
            acknowledged=len(player.acknowledged[table]),
            cut=len(cut),
            kept=stored,
            events=len(received),
        )
    return counted


def _check_logs(url: str, players: list[RoamingPlayer]) -> None:
    """Replay every log."""
    store = TableStore(url)
    for player in players:
        for table in player.tables:
            if lines := store.read_lines(table):
                GameSession.resume_bytes("".join(lines).encode(errors="surrogatepass"), table)
    store.close()


def test_nothing_is_lost_or_duplicated_when_either_server_is_killed(
    postgres: PostgresServer,
) -> None:
    counted = killed_and_back(postgres.create_database(), 4, seed=1)
    assert counted["acknowledged"] > MIN_CALLS
    assert counted["events"] > MIN_CALLS


@pytest.mark.long
def test_nothing_is_lost_or_duplicated_in_hundreds_of_kills() -> None:
    with running_postgres(("fsync=on",)) as server:
        print(
            dict(
                killed_and_back(
                    server.create_database(), int(os.environ.get("KILLS", "300")), seed=2
                )
            )
        )


@pytest.mark.long
def test_nothing_is_lost_or_duplicated_with_two_servers_on_one_file(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    print(dict(killed_and_back(url, int(os.environ.get("KILLS", "300")) // 4, seed=3)))


def test_browsers_on_two_servers_survive_kills(chromium: Browser, postgres: PostgresServer) -> None:
    """Two players on different servers and a spectator; each server is killed once."""
    rng = Random(8)
    with two(postgres.create_database()) as servers:
        home = Visitor(chromium, servers[0].address)
        away, watcher = (Visitor(chromium, servers[1].address) for _ in range(2))
        home.create_table("fourth-down", "friend")
        home.page.click("text=Make the link for your friend")
        link = home.page.locator("#link-invited").input_value()
        away.page.goto(link.replace(servers[0].address, servers[1].address))
        away.page.click("text=Take the seat")
        away.page.wait_for_url("**/table/*")
        table = away.page.url.rpartition("/")[2]
        watcher.page.goto(f"/table/{table}")
        home.kick_off()
        away.kick_off()
        for server, visitors in ((servers[1], (away, watcher)), (servers[0], (home,))):
            assert not take_turns((home, away), rng, 4)
            server.kill()
            server.start()
            for visitor in visitors:
                visitor.page.wait_for_selector("main:not(.lost)")
        assert take_turns((home, away), rng)
        expect(watcher.page.locator(".postgame h2")).to_be_visible()
        events = _events(servers[0], table)
        assert events == _events(servers[1], table)
        for visitor in (home, away, watcher):
            received = [
                json.loads(event)["number"] for event in visitor.page.evaluate("window.heard")
            ]
            assert received == sorted(set(received))
            assert set(received) >= {
                event["number"] for event in events if event["number"] > received[0]
            }
            visitor.context.close()
