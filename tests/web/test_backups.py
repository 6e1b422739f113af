"""Backups taken during games: everything acknowledged before the backup is there, and games resume.

The commands are those of docs/guides/hosting.md.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from timeouts import TIMEOUT_SECONDS
from web.harness import Player, ServerProcess, running_server
from web.postgres_server import PostgresServer

PAGE = (Path(__file__).parents[2] / "docs" / "guides" / "hosting.md").read_text(encoding="utf-8")


class Playing(threading.Thread):
    """Player who keeps playing and records what was acknowledged."""

    def __init__(self, player: Player) -> None:
        super().__init__(daemon=True)
        self.player, self.rng = player, Random(5)
        self.acknowledged: list[tuple[int, str]] = []
        self.stopped = threading.Event()

    def run(self) -> None:
        player = self.player
        while not self.stopped.is_set() and not player.wait()["over"]:
            pending = player.last_state["wanted"]
            call = self.rng.choice(pending["calls"])["call"]
            response = player.post("/answers", moment=pending["moment"], call=call)
            assert response.status_code == 200, response.text
            self.acknowledged.append((pending["moment"], call))


def check_backup(url: str, take: Callable[[], Any], restored: Callable[[], str]) -> None:
    """Play, take a backup, play on, lose everything, and resume from the backup."""
    with running_server(url) as served:
        player = Player(served.address)
        player.create_table("data-driven")
        player.ready()
        playing = Playing(player)
        playing.start()
        while len(playing.acknowledged) < 5:
            assert playing.is_alive()
            playing.stopped.wait(0.02)
        before = list(playing.acknowledged)
        take()
        target = len(playing.acknowledged) + 3
        while len(playing.acknowledged) < target:
            assert playing.is_alive()
            playing.stopped.wait(0.02)
        playing.stopped.set()
        playing.join(TIMEOUT_SECONDS)
        events = player.request_json("GET", player.table_path("/events"))
        served.kill()
    with running_server(restored()) as again:
        _check_restored(again, player, before, events)


def _check_restored(
    again: ServerProcess,
    player: Player,
    before: list[tuple[int, str]],
    events: list[dict[str, Any]],
) -> None:
    restored_player = Player(again.address, player.token)
    restored_player.table = player.table
    restored = restored_player.request_json("GET", restored_player.table_path("/events"))
    assert restored == events[: len(restored)]
    assert len(restored) < len(events), "the backup is not of before"
    turns = [(event["moment"] - 1, event["call"]) for event in restored if event["kind"] == "turn"]
    assert [called for called in turns if called in before] == before
    restored_player.wait()
    restored_player.answer_randomly(Random(1))
    assert restored_player.wait()["viewer"] == "home"


def test_a_postgresql_backup_restores_games_in_progress(postgres: PostgresServer) -> None:
    url, other, file = (
        postgres.create_database(),
        postgres.create_database(),
        str(postgres.directory / "tables.dump"),
    )
    for command in ("pg_dump --format=custom --file=", "pg_restore --single-transaction"):
        assert command in PAGE

    def restored() -> str:
        more = ("--single-transaction", "--exit-on-error", f"--dbname={other}", file)
        postgres.run_tool("pg_restore", *more)
        return other

    check_backup(
        url,
        lambda: postgres.run_tool("pg_dump", "--format=custom", f"--file={file}", url),
        restored,
    )


def test_a_sqlite_backup_restores_games_in_progress(tmp_path: Path) -> None:
    program = (
        "import sqlite3, sys; sqlite3.connect(sys.argv[1]).backup(sqlite3.connect(sys.argv[2]))"
    )
    assert program in PAGE
    file, copy = str(tmp_path / "tables.db"), str(tmp_path / "copy.db")
    check_backup(
        f"sqlite:///{file}",
        lambda: subprocess.run([sys.executable, "-c", program, file, copy], check=True),
        lambda: f"sqlite:///{copy}",
    )
