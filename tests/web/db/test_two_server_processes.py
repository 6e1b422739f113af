"""Two server processes on one PostgreSQL, players and spectators who switch between them, and
kills.

PostgreSQL runs without fsync in the short test (servers are killed, not the machine) and with it in
the long one.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser

from hashmark.session.game_session import GameSession
from hashmark.web.tables.table_store import TableStore
from web.browser import Visitor, expect, take_turns
from web.kill_run import LOSSES, KillRun, RoamingPlayer, fetch_events, running_servers
from web.postgres_server import DatabaseFault, PostgresServer, running_postgres

MIN_CALLS = 10  # calls that a run needs to be meaningful


def killed_and_back(url: str, kills: int, seed: int) -> Counter[str]:
    """Kill either server, sometimes both, at random moments of running games.

    Acknowledged calls are stored exactly once, unanswered ones at most once, and spectators have
    received every event once and in order.
    """
    with running_servers(url) as servers:
        run = KillRun(servers, seed)
        run.start()
        for _ in range(kills):
            run.kill()
        run.wait_until(lambda: run.calls > MIN_CALLS)  # however slow the machine is
        counted = run.finish()
    assert not any(counted[name] for name in LOSSES), dict(counted)
    _check_logs(url, run.players)
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


def test_nothing_is_lost_or_duplicated_when_the_database_fails() -> None:
    """Every kind of fault of PostgreSQL once, while both servers run."""
    with running_postgres(("fsync=on",)) as database:
        with running_servers(database.create_database()) as servers:
            run = KillRun(servers, seed=4)
            run.start()
            for fault in DatabaseFault:
                run.pause()
                database.fail(fault)
                run.check_clients()
            calls = run.calls
            run.wait_until(lambda: run.calls > calls + MIN_CALLS)  # the servers recover
            counted = run.finish()
        assert not any(counted[name] for name in LOSSES), dict(counted)


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
    luck = Random(8)
    with running_servers(postgres.create_database()) as servers:
        home = Visitor(chromium, servers[0].address)
        away, watcher = (Visitor(chromium, servers[1].address) for _ in range(2))
        home.create_table("fourth-down", "friend")
        home.page.click("text=Invite a friend to play")
        link = home.page.locator("#link-invited").input_value()
        away.page.goto(link.replace(servers[0].address, servers[1].address))
        away.page.click("text=Join the game")
        away.page.wait_for_url("**/table/*")
        table = away.page.url.rpartition("/")[2]
        watcher.page.goto(f"/table/{table}")
        home.kick_off()
        away.kick_off()
        for server, visitors in ((servers[1], (away, watcher)), (servers[0], (home,))):
            assert not take_turns((home, away), luck, 4)
            server.kill()
            server.start()
            for visitor in visitors:
                visitor.page.wait_for_selector("main:not(.lost)")
        assert take_turns((home, away), luck)
        expect(watcher.page.locator(".postgame h2")).to_be_visible()
        events = fetch_events(servers[0], table)
        assert events == fetch_events(servers[1], table)
        for visitor in (home, away, watcher):
            received = [
                json.loads(event)["number"] for event in visitor.page.evaluate("window.heard")
            ]
            assert received == sorted(set(received))
            assert set(received) >= {
                event["number"] for event in events if event["number"] > received[0]
            }
            visitor.context.close()
