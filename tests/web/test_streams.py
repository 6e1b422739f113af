"""Streams: every happening once and in order, also over lost connections and a killed server."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from random import Random
from typing import Any

from hashmark.web.streams import event
from patience import PATIENCE

from .house import Player, Served, serving


def test_an_event_on_the_wire() -> None:
    assert event("happening", {"a": 1}, 7) == 'id: 7\nevent: happening\ndata: {"a":1}\n\n'
    assert event("table", {"text": "one\ntwo"}) == 'event: table\ndata: {"text":"one\\ntwo"}\n\n'


def heard(player: Player, after: int, most: int, by_header: bool = True) -> list[dict[str, Any]]:
    """So many happenings of a stream after a number; then the connection is dropped."""
    headers = {"Last-Event-ID": str(after)} if by_header else {}
    path = player.at("/stream") + ("" if by_header else f"?after={after}")
    found: list[dict[str, Any]] = []
    kind = ""
    with player.client.stream("GET", path, headers=headers) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert "gzip" in stream.request.headers["accept-encoding"]
        assert "content-encoding" not in stream.headers  # it would be held back
        for line in stream.iter_lines():
            key, _, value = line.partition(": ")
            kind = value if key == "event" else kind
            if key == "data" and kind == "happening":
                found.append(json.loads(value))
                if len(found) == most:
                    break
    return found


def test_a_lost_connection_goes_on_where_it_was(served: Served) -> None:
    player = Player(served.address)
    player.lay("roll-for-yardage")
    player.ready()
    luck = Random(7)
    events: list[dict[str, Any]] = []
    watcher = Player(served.address)
    watcher.table = player.table

    def play() -> None:
        while len(events) < 60 and not player.wait()["over"]:
            player.move(luck)

    playing = threading.Thread(target=play, daemon=True)
    playing.start()
    number = 0
    for most in (1, 2, 30, 7, 25):
        part = heard(watcher, number, most, by_header=most != 7)
        events += part
        number = part[-1]["number"]
    playing.join(PATIENCE)
    assert [one["number"] for one in events] == list(range(1, len(events) + 1))
    assert events == watcher.ask("GET", watcher.at("/events"))[: len(events)]


def test_the_numbers_go_on_after_a_kill(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        player = Player(served.address)
        player.lay("fourth-down")
        player.ready()
        luck = Random(3)
        for _ in range(3):
            player.wait()
            player.move(luck)
        player.wait()
        before = player.ask("GET", player.at("/events"))
        served.kill()
        served.start()
        assert heard(player, 0, len(before)) == before
        player.wait()
        player.move(luck)
        (following,) = heard(player, before[-1]["number"], 1)
        assert following["number"] == before[-1]["number"] + 1


def test_nobody_else_hears_of_my_orders(served: Served) -> None:
    player = Player(served.address)
    player.lay("data-driven")
    player.ready()
    player.wait()
    player.post("/orders", when="always")
    watcher = Player(served.address)
    watcher.table = player.table
    kinds = {one["kind"] for one in player.ask("GET", player.at("/events"))}
    others = {one["kind"] for one in watcher.ask("GET", watcher.at("/events"))}
    assert "orders" in kinds
    assert "orders" not in others
