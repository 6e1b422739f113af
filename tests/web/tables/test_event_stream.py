"""Event streams: every event once and in order, across lost connections and a killed server."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from random import Random
from typing import Any

from hashmark.web.tables.event_stream import format_event
from hashmark.web.tables.table import Viewer
from timeouts import TIMEOUT_SECONDS
from web.harness import Player, ServerProcess, app_client, run_async, running_server


def test_the_format_of_a_server_sent_event() -> None:
    assert format_event("happening", {"a": 1}, 7) == 'id: 7\nevent: happening\ndata: {"a":1}\n\n'
    assert (
        format_event("table", {"text": "one\ntwo"})
        == 'event: table\ndata: {"text":"one\\ntwo"}\n\n'
    )


def receive_events(
    player: Player, after: int, most: int, by_header: bool = True
) -> list[dict[str, Any]]:
    """Receive this many feed events after a number, then drop the connection."""
    headers = {"Last-Event-ID": str(after)} if by_header else {}
    path = player.table_path("/stream") + ("" if by_header else f"?after={after}")
    events: list[dict[str, Any]] = []
    kind = ""
    with player.client.stream("GET", path, headers=headers) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert "gzip" in stream.request.headers["accept-encoding"]
        assert "content-encoding" not in stream.headers  # compression would delay events
        for line in stream.iter_lines():
            key, _, value = line.partition(": ")
            kind = value if key == "event" else kind
            if key == "data" and kind == "happening":
                events.append(json.loads(value))
                if len(events) == most:
                    break
    return events


def test_a_stream_resumes_after_a_lost_connection(served: ServerProcess) -> None:
    player = Player(served.address)
    player.create_table("roll-for-yardage")
    player.ready()
    rng = Random(7)
    events: list[dict[str, Any]] = []
    spectator = Player(served.address)
    spectator.table = player.table

    def play() -> None:
        while len(events) < 60 and not player.wait()["over"]:
            player.answer_randomly(rng)

    playing = threading.Thread(target=play, daemon=True)
    playing.start()
    number = 0
    for most in (1, 2, 30, 7, 25):
        part = receive_events(spectator, number, most, by_header=most != 7)
        events += part
        number = part[-1]["number"]
    playing.join(TIMEOUT_SECONDS)
    assert [event["number"] for event in events] == list(range(1, len(events) + 1))
    assert events == spectator.request_json("GET", spectator.table_path("/events"))[: len(events)]


def test_the_stream_of_a_finished_game_ends_after_its_last_event(served: ServerProcess) -> None:
    player = Player(served.address)
    player.create_table("two-minute-drill")
    player.ready()
    player.play_to_end(Random(1))
    events = player.request_json("GET", player.table_path("/events"))
    for after in (0, len(events) - 1, len(events)):
        path = f"{player.table_path('/stream')}?after={after}"
        text = player.client.get(path).text  # returns: the server has closed the stream
        assert text.count("event: happening\n") == len(events) - after
        assert text.rstrip().splitlines()[-2:] == [
            "event: end",
            f'data: {{"number":{len(events)}}}',
        ]


def test_event_numbers_continue_after_a_kill(tmp_path: Path) -> None:
    with running_server(tmp_path) as served:
        player = Player(served.address)
        player.create_table("fourth-down")
        player.ready()
        rng = Random(3)
        for _ in range(3):
            player.wait()
            player.answer_randomly(rng)
        player.wait()
        before = player.request_json("GET", player.table_path("/events"))
        served.kill()
        served.start()
        assert receive_events(player, 0, len(before)) == before
        player.wait()
        player.answer_randomly(rng)
        (following,) = receive_events(player, before[-1]["number"], 1)
        assert following["number"] == before[-1]["number"] + 1


def test_orders_are_sent_to_their_own_player_only(served: ServerProcess) -> None:
    player = Player(served.address)
    player.create_table("data-driven")
    player.ready()
    player.wait()
    player.post("/orders", when="always")
    spectator = Player(served.address)
    spectator.table = player.table
    kinds = {event["kind"] for event in player.request_json("GET", player.table_path("/events"))}
    others = {
        event["kind"] for event in spectator.request_json("GET", spectator.table_path("/events"))
    }
    assert "orders" in kinds
    assert "orders" not in others


def test_one_stream_has_the_events_of_several_tables(served: ServerProcess) -> None:
    players = [Player(served.address) for _ in range(2)]
    for player in players:
        player.create_table("two-minute-drill")
        player.ready()
        player.play_to_end(Random(1))
    known = 3  # events that the first listener has heard of
    ended = [len(player.request_json("GET", player.table_path("/events"))) for player in players]
    first, second = (player.table for player in players)
    path = f"/api/stream?table={first}/{known}&table={second}/0&table=nowhere/0"
    text = players[0].client.get(path).text
    numbers = [line.removeprefix("id: ") for line in text.splitlines() if line.startswith("id: ")]
    assert numbers == [
        *(f"{first}/{number}" for number in range(known + 1, ended[0] + 1)),
        *(f"{second}/{number}" for number in range(1, ended[1] + 1)),
    ]
    assert f'event: end\ndata: {{"number":{ended[0]},"table":"{first}"}}' in text
    for wrong, status in (("", 422), ("?table=x", 422), ("?table=nowhere/0", 404)):
        assert players[0].client.get(f"/api/stream{wrong}").status_code == status


def test_spectators_are_counted(tmp_path: Path) -> None:
    async def work() -> None:
        async with app_client(tmp_path) as (client, app_state):
            key = (await client.post("/api/tables", json={"rules": "fourth-down"})).json()["id"]
            table = await app_state.tables.find(key)
            with table.count_viewer(Viewer((0,))):
                assert table.spectator_count == 0
                with table.subscribe() as changed, table.count_viewer(Viewer()):
                    assert changed.is_set() is True
                    assert table.spectator_count == 1
                assert table.spectator_count == 0

    run_async(work)
