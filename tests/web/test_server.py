"""The server as a process: address, shutdown with open streams, recovery after a kill."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from pathlib import Path
from random import Random

import httpx
import pytest

from hashmark.errors import HashmarkError
from hashmark.web.server import KEEP_ALIVE_SECONDS, browser_url, listen
from timeouts import TIMEOUT_SECONDS
from web.harness import Player, ServerProcess, running_server


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_the_server_stops_at_once_with_open_streams(tmp_path: Path, how: int) -> None:
    with running_server(tmp_path) as served:
        player = Player(served.address)
        player.create_table("fourth-down")
        player.ready()
        received = threading.Event()
        ended = threading.Event()

        def listen_on() -> None:
            with player.client.stream("GET", player.table_path("/stream")) as stream:
                for _ in stream.iter_lines():
                    received.set()
            ended.set()

        threading.Thread(target=listen_on, daemon=True).start()
        assert received.wait(TIMEOUT_SECONDS)
        status, seconds, output = served.stop(how)
        assert status == 0
        assert seconds < KEEP_ALIVE_SECONDS  # it does not wait for spectators
        assert output == "Press Ctrl-C to stop; all games are saved.\n"
        assert ended.wait(TIMEOUT_SECONDS)


def test_a_game_resumes_after_a_restart(tmp_path: Path) -> None:
    with running_server(tmp_path) as served:
        player = Player(served.address)
        player.create_table("data-driven", options={"quarter_seconds": 60})
        player.ready()
        rng = Random(4)
        for _ in range(12):
            player.wait()
            player.answer_randomly(rng)
        before = player.wait()
        served.stop()
        served.start()
        after = player.wait()
        assert after == before
        assert player.play_to_end(rng)["over"]


def test_a_taken_port_is_reported(tmp_path: Path) -> None:
    taken = listen("127.0.0.1", 0)
    try:
        port = taken.getsockname()[1]
        with pytest.raises(HashmarkError, match=f"cannot listen on .127.0.0.1., port {port}"):
            listen("127.0.0.1", port)
    finally:
        taken.close()


def test_the_next_free_port_is_used_by_default() -> None:
    first, second = listen("127.0.0.1", None), listen("127.0.0.1", None)
    try:
        assert first.getsockname()[1] != second.getsockname()[1]
    finally:
        first.close()
        second.close()


def test_urls_can_be_opened_in_a_browser() -> None:
    assert browser_url("127.0.0.1", 80) == "http://127.0.0.1:80/"
    assert browser_url("0.0.0.0", 80) == "http://127.0.0.1:80/"
    assert browser_url("::", 80) == "http://[::1]:80/"
    assert browser_url("::1", 80) == "http://[::1]:80/"


class Witness(threading.Thread):
    """Player who keeps playing and records every acknowledged call."""

    def __init__(self, player: Player, seed: int) -> None:
        super().__init__(daemon=True)
        self.player, self.rng = player, Random(seed)
        self.acknowledged: list[tuple[int, str]] = []
        self.sent: tuple[int, str] | None = None  # not answered yet
        self.refused = ""

    def run(self) -> None:
        try:
            while not self.player.wait()["over"]:
                pending = self.player.last_state["wanted"]
                call = self.rng.choice(pending["calls"])["call"]
                self.sent = (pending["moment"], call)
                response = self.player.post("/answers", moment=pending["moment"], call=call)
                self.refused = response.text if response.status_code != 200 else self.refused
                self.acknowledged.append(self.sent)
                self.sent = None
        except (httpx.HTTPError, AssertionError):  # the server was killed
            return


def killed_and_back(folder: Path, times: int, seed: int) -> Counter[str]:
    """Kill the server at random moments; check that every acknowledged call is stored exactly once.

    A call names the moment that it answers; its turn carries the next moment. Return counts of
    acknowledged calls, of calls cut off without an answer, and of those that were stored
    nevertheless.
    """
    rng, counted = Random(seed), Counter[str]()
    games = ("fourth-down", "roll-for-yardage", "rapid-roll")
    with running_server(folder) as served:
        for kill in range(times):
            witnesses = []
            for index, rules in enumerate(games):
                player = Player(served.address)
                player.create_table(rules)
                player.ready()
                witnesses.append(Witness(player, seed * 1000 + kill * 10 + index))
            for witness in witnesses:
                witness.start()
            time.sleep(rng.uniform(0.02, 0.35))
            served.kill()
            for witness in witnesses:
                witness.join(TIMEOUT_SECONDS)
                witness.player.client.close()
            served.start()
            for witness in witnesses:
                counted += _check_witness(served, witness)
    assert counted["acknowledged"] > times, "the games have hardly begun"
    return counted


def _check_witness(served: ServerProcess, witness: Witness) -> Counter[str]:
    player = Player(served.address, witness.player.token)
    player.table = witness.player.table
    events = player.request_json("GET", player.table_path("/events"))
    turns = [(event["moment"] - 1, event["call"]) for event in events if event["kind"] == "turn"]
    assert len({moment for moment, _ in turns}) == len(turns)
    assert not witness.refused
    for called in witness.acknowledged:
        assert turns.count(called) == 1, called
    if witness.sent is not None:  # it may be stored, but not twice
        assert turns.count(witness.sent) <= 1
    player.wait()
    player.client.close()
    counted = Counter(acknowledged=len(witness.acknowledged))
    if witness.sent is not None:
        counted += Counter(cut=1, kept=turns.count(witness.sent))
    return counted


@pytest.mark.heavy
def test_no_acknowledged_call_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    killed_and_back(tmp_path, 4, seed=1)


@pytest.mark.long
def test_no_acknowledged_call_is_lost_in_hundreds_of_kills(tmp_path: Path) -> None:
    counted = killed_and_back(tmp_path, int(os.environ.get("KILLS", "200")), seed=2)
    print(dict(counted))
