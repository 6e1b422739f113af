"""Servers killed at random moments while clients play and watch: nothing may be lost or doubled.

Players and spectators use any server of one database and another one if it is down. What they were
told is compared with the tables at the end, over the API alone.
"""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import httpx

from timeouts import TIMEOUT_SECONDS
from web.fork_server import ServerFork

GAMES = ("fourth-down", "roll-for-yardage", "rapid-roll")
PACE_SECONDS = 0.01  # between plays of coaches
RETRY_SECONDS = 0.02  # pause after a lost connection
MAX_RUNNING_SECONDS = 0.7  # of the servers between two kills
MAX_DOWN_SECONDS = 0.5  # of a killed server
ALL_SHARE = 0.1  # of the kills that hit all servers at once
LOSSES = ("lost", "doubled", "disordered", "missed", "repeated", "falsified", "unseen")
Call = tuple[int, str]  # the moment that it answers, and its name


class Unavailable(OSError):
    """The server cannot reach its database just now (status 503)."""


CONNECTION_ERRORS = (httpx.HTTPError, OSError)


@contextmanager
def running_servers(url: str, count: int = 2) -> Iterator[list[ServerFork]]:
    """Run servers on one database."""
    servers: list[ServerFork] = []
    try:
        for _ in range(count):
            servers.append(ServerFork(url, pace=PACE_SECONDS))
        yield servers
    finally:
        for server in servers:
            server.kill()


# --- Clients -------------------------------------------------------------------------------------


class RoamingClient(threading.Thread):
    """Client that uses any server, and another one if it is down."""

    def __init__(self, servers: list[ServerFork], seed: int) -> None:
        super().__init__(daemon=True)
        self.servers, self.luck = servers, Random(seed)
        self.stopped, self.fault = threading.Event(), ""
        self.unavailable = 0  # responses without a database
        self.clients = [
            httpx.Client(base_url=server.address, timeout=TIMEOUT_SECONDS) for server in servers
        ]

    def run(self) -> None:
        try:
            while not self.stopped.is_set():
                self._try_step()
        except Exception as error:
            self.fault = f"{type(error).__name__}: {error}"
        finally:
            for client in self.clients:
                client.close()

    def _try_step(self) -> None:
        try:
            self.step(self.luck.randrange(len(self.servers)))
        except CONNECTION_ERRORS as error:
            self.unavailable += isinstance(error, Unavailable)
            time.sleep(RETRY_SECONDS)

    def step(self, server: int) -> None:
        raise NotImplementedError


class RoamingPlayer(RoamingClient):
    """Player of one game after the other against a coach, each request on any server.

    A call names the moment that it answers; its turn carries the next moment.
    """

    def __init__(self, servers: list[ServerFork], rules: str, seed: int) -> None:
        super().__init__(servers, seed)
        self.rules, self.token, self.table = rules, "", ""
        self.tables: list[str] = []
        self.acknowledged: dict[str, list[Call]] = {}
        self.calls = 0  # acknowledged at all tables
        self.unseen = 0  # acknowledged by one server and not yet known to another
        self.cut: dict[str, list[Call]] = {}  # sent without an answer

    def ask(self, server: int, method: str, path: str, form: Any = None) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        response = self.clients[server].request(
            method, f"/api/tables{path}", json=form, headers=headers
        )
        if response.status_code == 503:
            raise Unavailable(response.text)
        return response

    def step(self, server: int) -> None:
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
        call = pending["moment"], self.luck.choice(pending["calls"])["call"]
        form = {"moment": call[0], "call": call[1]}
        try:
            response = self.ask(server, "POST", f"/{self.table}/answers", form)
        except CONNECTION_ERRORS:
            self.cut[self.table].append(call)
            raise
        assert response.status_code == 200, response.text
        self.acknowledged[self.table].append(call)
        self.calls += 1
        state_elsewhere = self._state((server + 1) % len(self.servers))
        self.unseen += state_elsewhere["number"] < response.json()["number"]


class RoamingSpectator(RoamingClient):
    """Spectator of a player's tables, one after the other, on a stream of any server."""

    def __init__(self, servers: list[ServerFork], player: RoamingPlayer, seed: int) -> None:
        super().__init__(servers, seed)
        self.player = player
        self.received: dict[str, list[dict[str, Any]]] = {}
        self.streams = 0

    @property
    def table(self) -> str:
        """Return the first table whose feed has not been followed to its end."""
        for table in self.player.tables:
            events = self.received.setdefault(table, [])
            if not events or events[-1]["kind"] != "over":
                return table
        return ""

    def step(self, server: int) -> None:
        table = self.table
        if not table:
            time.sleep(0.05)
            return
        events = self.received[table]
        last = {"Last-Event-ID": str(events[-1]["number"] if events else 0)}
        with self.clients[server].stream(
            "GET", f"/api/tables/{table}/stream", headers=last, timeout=5
        ) as stream:
            self.streams += 1
            self._receive(stream, events)

    def _receive(self, stream: httpx.Response, events: list[dict[str, Any]]) -> None:
        if stream.status_code == 503:
            raise Unavailable
        assert stream.status_code == 200, stream.read()
        fields: dict[str, str] = {}
        for line in stream.iter_lines():
            key, _, value = line.partition(": ")
            fields[key] = value
            if line:
                continue
            if fields.get("event") == "happening":  # a blank line ends an event
                events.append(json.loads(fields["data"]))
                assert events[-1]["number"] == int(fields["id"])
                if events[-1]["kind"] == "over":
                    return
            fields = {}
            if self.stopped.is_set():
                return


# --- The run -------------------------------------------------------------------------------------


class KillRun:
    """Players, each with a spectator, on servers that are killed and restarted."""

    def __init__(self, servers: list[ServerFork], seed: int) -> None:
        self.servers, self.luck, self.kills = servers, Random(seed), 0
        self.players = [
            RoamingPlayer(servers, rules, seed * 100 + index) for index, rules in enumerate(GAMES)
        ]
        self.spectators = [
            RoamingSpectator(servers, player, seed * 100 + 50 + index)
            for index, player in enumerate(self.players)
        ]
        self.clients: list[RoamingClient] = [*self.players, *self.spectators]

    @property
    def calls(self) -> int:
        """Return the number of acknowledged calls."""
        return sum(player.calls for player in self.players)

    def start(self) -> None:
        for client in self.clients:
            client.start()
        self.wait_until(lambda: all(player.tables for player in self.players))

    def kill(self) -> None:
        """Kill a server, sometimes all, at a random moment, and restart it."""
        self.pause()
        killed = (
            self.servers if self.luck.random() < ALL_SHARE else [self.luck.choice(self.servers)]
        )
        for server in killed:
            server.kill()
        time.sleep(self.luck.choice((0.0, self.luck.uniform(0.0, MAX_DOWN_SECONDS))))
        for server in killed:
            server.start()
        self.kills += 1
        self.check_clients()

    def pause(self) -> None:
        """Let the servers run for a random time."""
        time.sleep(self.luck.uniform(0.0, MAX_RUNNING_SECONDS))

    def finish(self) -> Counter[str]:
        """Stop the players, let the spectators catch up, and return what was counted."""
        for player in self.players:
            player.stopped.set()
            player.join(TIMEOUT_SECONDS)
        for spectator in self.spectators:
            for table in spectator.player.tables:
                self._wait_for_events(spectator, table)
        for spectator in self.spectators:
            spectator.stopped.set()
            spectator.join(TIMEOUT_SECONDS)
        self.check_clients()
        counted = Counter(kills=self.kills, unavailable=sum(c.unavailable for c in self.clients))
        for spectator in self.spectators:
            counted += _count_tables(self.servers, spectator)
        return counted

    def _wait_for_events(self, spectator: RoamingSpectator, table: str) -> None:
        count = len(fetch_events(self.servers[0], table))
        self.wait_until(lambda: len(spectator.received.get(table, ())) >= count)

    def check_clients(self) -> None:
        assert not any(client.fault for client in self.clients), [
            client.fault for client in self.clients
        ]

    def wait_until(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while not condition():
            self.check_clients()
            assert time.monotonic() < deadline
            time.sleep(0.05)


# --- The comparison ------------------------------------------------------------------------------


def fetch_events(server: ServerFork, table: str) -> list[dict[str, Any]]:
    """Return the events of a table as a spectator sees them."""
    response = httpx.get(f"{server.address}/api/tables/{table}/events", timeout=TIMEOUT_SECONDS)
    assert response.status_code == 200, response.text
    events: list[dict[str, Any]] = response.json()
    return events


def fetch_log_calls(server: ServerFork, table: str, token: str) -> list[tuple[int, str | None]]:
    """Return number and call of every turn in a player's log."""
    response = httpx.get(
        f"{server.address}/api/tables/{table}/log",
        headers={"Authorization": f"Bearer {token}"},
        timeout=TIMEOUT_SECONDS,
    )
    assert response.status_code == 200, response.text
    lines = [json.loads(line) for line in response.text.splitlines()[1:]]
    return [(line["turn"], line.get("call")) for line in lines if "turn" in line]


def _count_tables(servers: list[ServerFork], spectator: RoamingSpectator) -> Counter[str]:
    player = spectator.player
    counted = Counter(tables=len(player.tables), streams=spectator.streams, unseen=player.unseen)
    for table in player.tables:  # coaches may advance between these requests
        events = fetch_events(servers[0], table)
        log_calls = fetch_log_calls(servers[-1], table, player.token)
        events_elsewhere = fetch_events(servers[-1], table)
        counted["falsified"] += int(events_elsewhere[: len(events)] != events)
        counted += count_calls(player.acknowledged[table], player.cut[table], events)
        counted += count_log_faults(log_calls, events)
        counted += count_events(spectator.received[table], events_elsewhere)
    return counted


def count_calls(
    acknowledged: list[Call], cut: list[Call], events: list[dict[str, Any]]
) -> Counter[str]:
    """Compare the calls of a player with the events of the table."""
    turns = [(event["moment"] - 1, event["call"]) for event in events if event["kind"] == "turn"]
    present = Counter(turns)
    own = set(acknowledged)
    in_order = [turn for turn in turns if turn in own]
    return Counter(
        acknowledged=len(acknowledged),
        lost=sum(not present[call] for call in acknowledged),
        doubled=len(turns) - len({moment for moment, _ in turns}),
        disordered=int(set(in_order) == own and list(dict.fromkeys(in_order)) != acknowledged),
        cut=len(cut),
        kept=len(set(turns) & set(cut) - own),  # stored although the answer did not arrive
    )


def count_log_faults(
    log_calls: list[tuple[int, str | None]], events: list[dict[str, Any]]
) -> Counter[str]:
    """Compare the log of a table with its events: every turn is there once and in order."""
    numbers, calls = [number for number, _ in log_calls], dict(log_calls)
    turns = [event for event in events if event["kind"] == "turn"]
    return Counter(
        lost=sum(event["turn"] not in calls for event in turns),
        falsified=sum(event["call"] not in (None, calls.get(event["turn"])) for event in turns),
        doubled=len(numbers) - len(calls),
        disordered=int(numbers != sorted(numbers)),
    )


def count_events(received: list[dict[str, Any]], events: list[dict[str, Any]]) -> Counter[str]:
    """Compare what a spectator received with the events; coaches may have advanced meanwhile."""
    numbers = [event["number"] for event in received]
    known, last = set(numbers), max(numbers, default=0)
    by_number = {event["number"]: event for event in events}
    return Counter(
        events=len(received),
        missed=sum(number <= last and number not in known for number in by_number),
        repeated=len(numbers) - len(known),
        disordered=int(numbers != sorted(numbers)),
        falsified=sum(by_number.get(event["number"]) != event for event in received),
    )
