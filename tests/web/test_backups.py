"""A backup taken while games go on, put in place of what was lost: all that was acknowledged before
it was begun is there, and games go on from it. The commands are those of docs/hosting.md.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from patience import PATIENCE

from .house import Player, Served, serving
from .postgres import Postgres

PAGE = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text(encoding="utf-8")


class Playing(threading.Thread):
    """Somebody who plays on and on, and notes what was acknowledged."""

    def __init__(self, player: Player) -> None:
        super().__init__(daemon=True)
        self.player, self.luck = player, Random(5)
        self.acknowledged: list[tuple[int, str]] = []
        self.stopped = threading.Event()

    def run(self) -> None:
        player = self.player
        while not self.stopped.is_set() and not player.wait()["over"]:
            wanted = player.last["wanted"]
            call = self.luck.choice(wanted["calls"])["call"]
            answer = player.post("/answers", moment=wanted["moment"], call=call)
            assert answer.status_code == 200, answer.text
            self.acknowledged.append((wanted["moment"], call))


def taken_and_restored(url: str, take: Callable[[], Any], restored: Callable[[], str]) -> None:
    """Play, take a backup, play on, lose everything, and go on with the backup."""
    with serving(url) as served:
        player = Player(served.address)
        player.lay("data-driven")
        player.ready()
        playing = Playing(player)
        playing.start()
        while len(playing.acknowledged) < 5:
            assert playing.is_alive()
            playing.stopped.wait(0.02)
        before = list(playing.acknowledged)
        take()
        until = len(playing.acknowledged) + 3
        while len(playing.acknowledged) < until:
            assert playing.is_alive()
            playing.stopped.wait(0.02)
        playing.stopped.set()
        playing.join(PATIENCE)
        events = player.ask("GET", player.at("/events"))
        served.kill()
    with serving(restored()) as again:
        _is_there(again, player, before, events)


def _is_there(
    again: Served, player: Player, before: list[tuple[int, str]], events: list[dict[str, Any]]
) -> None:
    late = Player(again.address, player.token)
    late.table = player.table
    found = late.ask("GET", late.at("/events"))
    assert found == events[: len(found)]
    assert len(found) < len(events), "the backup is not of before"
    turns = [(one["moment"] - 1, one["call"]) for one in found if one["kind"] == "turn"]
    assert [called for called in turns if called in before] == before
    late.wait()
    late.move(Random(1))
    assert late.wait()["viewer"] == "home"


def test_of_postgresql(postgres: Postgres) -> None:
    url, other, file = postgres.new(), postgres.new(), str(postgres.folder / "tables.dump")
    for command in ("pg_dump --format=custom --file=", "pg_restore --single-transaction"):
        assert command in PAGE

    def restored() -> str:
        more = ("--single-transaction", "--exit-on-error", f"--dbname={other}", file)
        postgres.tool("pg_restore", *more)
        return other

    taken_and_restored(
        url,
        lambda: postgres.tool("pg_dump", "--format=custom", f"--file={file}", url),
        restored,
    )


def test_of_a_file(tmp_path: Path) -> None:
    program = (
        "import sqlite3, sys; sqlite3.connect(sys.argv[1]).backup(sqlite3.connect(sys.argv[2]))"
    )
    assert program in PAGE
    file, copy = str(tmp_path / "tables.db"), str(tmp_path / "copy.db")
    taken_and_restored(
        f"sqlite:///{file}",
        lambda: subprocess.run([sys.executable, "-c", program, file, copy], check=True),
        lambda: f"sqlite:///{copy}",
    )
