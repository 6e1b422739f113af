"""Two server processes at one PostgreSQL, players and watchers who change between them, and kills.

PostgreSQL does not wait for the disk in the short run (what is killed are servers, not the
machine); in the long one it does.
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

from hashmark.table.sitting import Sitting
from hashmark.web.store import Store
from patience import PATIENCE

from .forking import Fork
from .in_browser import Visitor, expect, take_turns
from .postgres import Postgres, running

GAMES = ("fourth-down", "roll-for-yardage", "rapid-roll")
MANY = 10  # calls that a run must have had before it says anything
GONE = (httpx.HTTPError, OSError)


@contextmanager
def two(url: str) -> Iterator[list[Fork]]:
    servers = [Fork(url), Fork(url)]
    try:
        yield servers
    finally:
        for one in servers:
            one.kill()


class Anybody(threading.Thread):
    """Somebody who asks either server, and the other one if it is gone."""

    def __init__(self, servers: list[Fork], seed: int) -> None:
        super().__init__(daemon=True)
        self.servers, self.luck = servers, Random(seed)
        self.stopped, self.fault = threading.Event(), ""
        self.clients = [httpx.Client(base_url=one.address, timeout=PATIENCE) for one in servers]

    def run(self) -> None:
        try:
            while not self.stopped.is_set():
                self.step()
        except Exception as fault:
            self.fault = f"{type(fault).__name__}: {fault}"
        finally:
            for one in self.clients:
                one.close()

    def step(self) -> None:
        raise NotImplementedError


class Witness(Anybody):
    """Plays game after game against a coach, each request at either server.

    A call names the moment it answers; the turn that it made is told with the moment after it.
    """

    def __init__(self, servers: list[Fork], rules: str, seed: int) -> None:
        super().__init__(servers, seed)
        self.rules, self.token, self.table = rules, "", ""
        self.tables: list[str] = []
        self.acknowledged: dict[str, list[tuple[int, str]]] = {}
        self.calls = 0  # that were acknowledged, at all tables
        self.cut: dict[str, list[tuple[int, str]]] = {}  # sent, and no answer came

    def ask(self, at: int, method: str, path: str, form: Any = None) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return self.clients[at].request(method, f"/api/tables{path}", json=form, headers=headers)

    def step(self) -> None:
        at = self.luck.randrange(2)
        try:
            if not self.table:
                self._lay(at)
            state = self._state(at)
            wanted = state["wanted"]
            if state["over"]:
                self.table = ""
            elif state["stage"] == "laid":
                said = self.ask(at, "POST", f"/{self.table}/ready", {"word": "x"})
                assert said.status_code in (200, 409), said.text
            elif wanted and wanted["yours"]:
                self._call(at, wanted)
        except GONE:
            time.sleep(0.02)

    def _state(self, at: int) -> dict[str, Any]:
        looked = self.ask(at, "GET", f"/{self.table}?wait=1")
        assert looked.status_code == 200, looked.text
        found: dict[str, Any] = looked.json()
        return found

    def _lay(self, at: int) -> None:
        made = self.ask(at, "POST", "", {"rules": self.rules})
        assert made.status_code == 201, made.text
        self.token = made.json()["token"] or self.token
        self.table = made.json()["id"]
        self.acknowledged[self.table], self.cut[self.table] = [], []
        self.tables.append(self.table)

    def _call(self, at: int, wanted: dict[str, Any]) -> None:
        called = wanted["moment"], self.luck.choice(wanted["calls"])["call"]
        form = {"moment": called[0], "call": called[1]}
        try:
            answer = self.ask(at, "POST", f"/{self.table}/answers", form)
        except GONE:
            self.cut[self.table].append(called)
            raise
        assert answer.status_code == 200, answer.text
        self.acknowledged[self.table].append(called)
        self.calls += 1
        seen = self._state(1 - at)
        assert seen["number"] >= answer.json()["number"], "it is not seen at the other server"


class Watcher(Anybody):
    """Looks on at the tables of a player, one after the other, by a stream of either server."""

    def __init__(self, servers: list[Fork], player: Witness, seed: int) -> None:
        super().__init__(servers, seed)
        self.player = player
        self.heard: dict[str, list[dict[str, Any]]] = {}
        self.streams = 0

    @property
    def table(self) -> str:
        """The first that is not heard to its end."""
        for one in self.player.tables:
            if not self.heard.setdefault(one, []) or self.heard[one][-1]["kind"] != "over":
                return one
        return ""

    def step(self) -> None:
        table = self.table
        if not table:
            time.sleep(0.05)
            return
        into, at = self.heard[table], self.luck.randrange(2)
        last = {"Last-Event-ID": str(into[-1]["number"] if into else 0)}
        try:
            with self.clients[at].stream(
                "GET", f"/api/tables/{table}/stream", headers=last, timeout=5
            ) as stream:
                self.streams += 1
                self._hear(stream, into)
        except GONE:
            time.sleep(0.02)

    def _hear(self, stream: httpx.Response, into: list[dict[str, Any]]) -> None:
        assert stream.status_code == 200, stream.read()
        kind = ""
        for line in stream.iter_lines():
            key, _, value = line.partition(": ")
            kind = value if key == "event" else kind
            if key == "data" and kind == "happening":
                into.append(json.loads(value))
                if into[-1]["kind"] == "over":
                    return
            if self.stopped.is_set():
                return


def killed_and_back(url: str, kills: int, seed: int) -> Counter[str]:
    """Kill either server at random moments of running games, now and then both.

    Whatever was acknowledged is there once, what got no answer at most once, and whoever looked on
    has heard everything, in order and once.
    """
    luck = Random(seed)
    with two(url) as servers:
        players = [Witness(servers, rules, seed * 100 + n) for n, rules in enumerate(GAMES)]
        watchers = [Watcher(servers, one, seed * 100 + 50 + n) for n, one in enumerate(players)]
        everybody: list[Anybody] = [*players, *watchers]
        for one in everybody:
            one.start()
        _until(lambda: all(one.tables for one in players), everybody)
        for kill in range(kills):
            if kill % 25 == 24:  # seen with -s: hundreds of kills take their time
                print(kill, "kills", sum(len(one.tables) for one in players), "tables", flush=True)
            time.sleep(luck.uniform(0.0, 0.7))
            killed = servers if luck.random() < 0.1 else [luck.choice(servers)]
            for served in killed:
                served.kill()
            time.sleep(luck.choice((0.0, luck.uniform(0.0, 0.5))))
            for served in killed:
                served.start()
            assert not any(one.fault for one in everybody), [one.fault for one in everybody]
        _until(lambda: sum(one.calls for one in players) > MANY, everybody)  # however slow it goes
        for one in players:
            one.stopped.set()
            one.join(PATIENCE)
        _until(lambda: all(_has_all(one, servers[0]) for one in watchers), everybody)
        for one in watchers:
            one.stopped.set()
        counted = Counter(kills=kills)
        for player, watcher in zip(players, watchers, strict=True):
            watcher.join(PATIENCE)
            assert not player.fault, player.fault
            assert not watcher.fault, watcher.fault
            counted += _compare(servers, player, watcher)
    _lines_are_whole(url, players)
    return counted


def _until(true: Any, everybody: list[Anybody]) -> None:
    until = time.monotonic() + PATIENCE
    while not true():
        assert not any(one.fault for one in everybody), [one.fault for one in everybody]
        assert time.monotonic() < until
        time.sleep(0.05)


def _events(served: Fork, table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = httpx.get(
        f"{served.address}/api/tables/{table}/events", timeout=PATIENCE
    ).json()
    return found


def _has_all(watcher: Watcher, served: Fork) -> bool:
    """Whether a watcher has heard as much as there is."""
    return all(
        len(watcher.heard.get(table, ())) >= len(_events(served, table))
        for table in watcher.player.tables
    )


def _compare(servers: list[Fork], player: Witness, watcher: Watcher) -> Counter[str]:
    counted = Counter(tables=len(player.tables), streams=watcher.streams)
    for table in player.tables:
        events = _events(servers[0], table)
        assert events == _events(servers[1], table)[: len(events)]
        heard = watcher.heard[table]
        assert [one["number"] for one in heard] == sorted({one["number"] for one in heard})
        assert heard == events[: len(heard)]  # coaches may have gone on meanwhile
        turns = [(one["moment"] - 1, one["call"]) for one in events if one["kind"] == "turn"]
        assert len({moment for moment, _ in turns}) == len(turns)
        for called in player.acknowledged[table]:
            assert turns.count(called) == 1, called
        cut = player.cut[table]
        assert all(turns.count(called) <= 1 for called in cut)
        kept = len(set(turns) & set(cut) - set(player.acknowledged[table]))
        counted += Counter(
            acknowledged=len(player.acknowledged[table]), cut=len(cut), kept=kept, events=len(heard)
        )
    return counted


def _lines_are_whole(url: str, players: list[Witness]) -> None:
    """Every log can be played again, line by line."""
    store = Store(url)
    for player in players:
        for table in player.tables:
            if lines := store.lines(table):
                Sitting.take_up_bytes("".join(lines).encode(errors="surrogatepass"), table)
    store.close()


def test_nothing_is_lost_or_twice_when_either_server_is_killed(postgres: Postgres) -> None:
    counted = killed_and_back(postgres.new(), 4, seed=1)
    assert counted["acknowledged"] > MANY
    assert counted["events"] > MANY


@pytest.mark.long
def test_nothing_is_lost_or_twice_in_hundreds_of_kills() -> None:
    with running(("fsync=on",)) as own:
        print(dict(killed_and_back(own.new(), int(os.environ.get("KILLS", "300")), seed=2)))


@pytest.mark.long
def test_two_servers_at_one_file(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    print(dict(killed_and_back(url, int(os.environ.get("KILLS", "300")) // 4, seed=3)))


def test_browsers_at_both(chromium: Browser, postgres: Postgres) -> None:
    """Two friends each at a server of his own, and a watcher; either server is killed meanwhile."""
    luck = Random(8)
    with two(postgres.new()) as servers:
        home = Visitor(chromium, servers[0].address)
        away, watcher = (Visitor(chromium, servers[1].address) for _ in range(2))
        home.lay("fourth-down", "friend")
        home.page.click("text=Make the link for your friend")
        link = home.page.locator("#link-invited").input_value()
        away.page.goto(link.replace(servers[0].address, servers[1].address))
        away.page.click("text=Take the seat")
        away.page.wait_for_url("**/table/*")
        table = away.page.url.rpartition("/")[2]
        watcher.page.goto(f"/table/{table}")
        home.kick_off()
        away.kick_off()
        for served, visitors in ((servers[1], (away, watcher)), (servers[0], (home,))):
            assert not take_turns((home, away), luck, 4)
            served.kill()
            served.start()
            for one in visitors:
                one.page.wait_for_selector("main:not(.lost)")
        assert take_turns((home, away), luck)
        expect(watcher.page.locator(".after h2")).to_be_visible()
        events = _events(servers[0], table)
        assert events == _events(servers[1], table)
        for one in (home, away, watcher):
            heard = [json.loads(told)["number"] for told in one.page.evaluate("window.heard")]
            assert heard == sorted(set(heard))
            assert set(heard) >= {told["number"] for told in events if told["number"] > heard[0]}
            one.context.close()
