"""Power loss at any moment: acknowledged data is on the disk, and no file is half written."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from failing_disk import Content, DiskRecorder, crash_states
from hashmark.engine import registry
from hashmark.engine.game import Game
from hashmark.errors import HashmarkError
from hashmark.league.seasons.checkpoints import Checkpoint
from hashmark.session import log
from hashmark.session.game_session import GameSession
from hashmark.session.header import Header
from hashmark.sim.game_rows import RowWriter
from hashmark.storage import atomic_write, fsync
from hashmark.terminal import ui
from hashmark.terminal.screen import Quit, Screen
from hashmark.terminal.ui import TerminalUI

TURNS = 8
PEOPLE = Header("fourth-down", seed=11)
COACHES = Header("fourth-down", seed=11, seats={"home": "coach:book", "away": "coach:book"})


def play_turn(game: Game) -> Any:
    """Play one more turn."""
    coach = game.rules.coach("random")
    return game.play(game.decide(coach))


def check_log(tape: DiskRecorder, path: Path, scratch: Path) -> int:
    """Check that after every crash the log begins with all acknowledged data and can be
    replayed."""
    states = 0
    for content, acknowledged in crash_states(tape.operations, path):
        if acknowledged:
            assert content is not None
            assert content.startswith(acknowledged[-1])
            scratch.write_bytes(content)
            log.replay(scratch)
        states += 1
    return states


def test_acknowledged_log_lines_survive_a_crash(tape: DiskRecorder, tmp_path: Path) -> None:
    """Turns, an undo, and the continuation of a closed log."""
    path = tmp_path / "a.log"
    game, writer = PEOPLE.new_game(), log.LogWriter.create(path, PEOPLE)
    tape.acknowledge(path.read_bytes())
    for _ in range(TURNS):
        writer.write_turn(game, play_turn(game))
        tape.acknowledge(path.read_bytes())
    writer.write(log.undo_line(TURNS, game.undo()))
    tape.acknowledge(path.read_bytes())
    writer.close()
    again = log.replay(path)
    writer = again.resume_writer()
    tape.acknowledge(path.read_bytes())
    writer.write_turn(again.game, play_turn(again.game))
    tape.acknowledge(path.read_bytes())
    writer.close()
    assert check_log(tape, path, tmp_path / "found") > 100


def test_a_game_of_coaches_survives_a_crash_once_closed(
    tape: DiskRecorder,
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.log"
    game, writer = COACHES.new_game(), log.LogWriter.create(path, COACHES)
    tape.acknowledge(path.read_bytes())
    while not game.is_over:
        writer.write_turn(game, play_turn(game))
    writer.close()
    assert [step[0] for step in tape.operations].count("sync") == 2  # the header, and the end
    tape.acknowledge(path.read_bytes())
    assert list(crash_states(tape.operations, path))[-1][0] == path.read_bytes()


class Scripted(Screen):
    """Screen of a player who answers from a list and then quits."""

    def __init__(self, answers: list[str]) -> None:
        self.is_terminal, self._console, self.answers = False, None, answers

    def say(self, line: str = "", style: str = "") -> None:
        pass

    def ask(self, prompt: str, hidden: bool = False) -> str:
        if not self.answers:
            raise Quit
        return self.answers.pop(0)


def test_a_turn_is_shown_only_when_it_is_on_the_disk(
    tape: DiskRecorder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def show(game: Game, turn: Any, say: Any, **how: Any) -> None:
        tape.acknowledge(len(game.turns))

    monkeypatch.setattr(ui, "print_turn", show)
    path = tmp_path / "a.log"
    header = Header("fourth-down", seed=11, seats={"home": "human", "away": "coach:book"})
    writer = log.LogWriter.create(path, header)
    session_ = GameSession(header, header.new_game(), writer.write)
    TerminalUI(Scripted(["1"] * 12), session_, writer, str(path)).run()
    last = 0
    for content, shown in crash_states(tape.operations, path):
        if shown:
            assert content is not None
            assert content.count(b"\n") > shown[-1]  # the header is a line too
            last = shown[-1]
    assert last > 12


@pytest.mark.parametrize("before", [None, b"old\n" * 50])
def test_a_crash_leaves_the_old_or_the_new_file(
    tape: DiskRecorder,
    tmp_path: Path,
    before: Content,
) -> None:
    path, made = tmp_path / "page.html", b"new\n" * 70
    if before is not None:
        path.write_bytes(before)
    tape.max_write_bytes = 100
    atomic_write.write_file(path, made)
    tape.acknowledge(made)
    assert old_or_new(tape, path, before, made) == {before, made}


def old_or_new(tape: DiskRecorder, path: Path, before: Content, made: bytes) -> set[Content]:
    """Return all possible contents; once the write is acknowledged, only the new one is allowed."""
    contents = set()
    for content, acknowledged in crash_states(tape.operations, path, before):
        assert content in ((made,) if acknowledged else (before, made))
        contents.add(content)
    return contents


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
def test_a_crash_leaves_the_old_or_the_new_rows(
    tape: DiskRecorder, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(b"old")
    write_rows(path, 30)
    tape.acknowledge("wrote")
    assert old_or_new(tape, path, b"old", path.read_bytes()) == {b"old", path.read_bytes()}


def test_a_crash_leaves_the_old_or_the_new_saved_season(tape: DiskRecorder, tmp_path: Path) -> None:
    path = tmp_path / "season.json"
    path.write_bytes(b"old")
    Checkpoint("run").write(path)
    tape.acknowledge("wrote")
    assert old_or_new(tape, path, b"old", path.read_bytes()) == {b"old", path.read_bytes()}


@pytest.mark.parametrize("without", ["sync", "sync_folder"])
def test_missing_syncs_are_detected(
    tape: DiskRecorder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    without: str,
) -> None:
    monkeypatch.setattr(fsync, without, lambda given: None)
    path = tmp_path / "a.log"
    game, writer = PEOPLE.new_game(), log.LogWriter.create(path, PEOPLE)
    writer.write_turn(game, play_turn(game))
    tape.acknowledge(path.read_bytes())
    writer.close()
    with pytest.raises(AssertionError):
        check_log(tape, path, tmp_path / "found")
    tape.operations.clear()
    atomic_write.write_file(tmp_path / "x", b"new")
    tape.acknowledge("wrote")
    with pytest.raises(AssertionError):
        old_or_new(tape, tmp_path / "x", None, b"new")


def test_new_directories_are_synced(tape: DiskRecorder, tmp_path: Path) -> None:
    fsync.make_dirs(tmp_path / "a" / "b")
    made = [("folder", str(tmp_path / "a")), ("folder", str(tmp_path / "a" / "b"))]
    assert tape.operations == [made[0], ("sync folder",), made[1], ("sync folder",)]


# --- Disks that are full or broken ------------------------------------------------------------


def game_until_it_fails(path: Path) -> tuple[list[bytes], str]:
    """Return what was acknowledged, in order, and the final error message."""
    acknowledged: list[bytes] = []
    with pytest.raises(HashmarkError) as fault:
        write_game(path, acknowledged)
    return acknowledged, str(fault.value)


def write_game(path: Path, acknowledged: list[bytes]) -> None:
    game, writer = PEOPLE.new_game(), log.LogWriter.create(path, PEOPLE)
    acknowledged.append(path.read_bytes())
    try:
        while not game.is_over:
            turn = play_turn(game)
            writer.write_turn(game, turn)
            acknowledged.append(path.read_bytes())
    except HashmarkError:
        left = path.read_bytes()
        with pytest.raises(HashmarkError, match=re.escape(str(path))):
            writer.write(log.undo_line(len(game.turns), turn))
        assert path.read_bytes() == left
        raise
    finally:
        writer.close()


@pytest.mark.parametrize("space", [*range(0, 400, 23), 1000, 1001, 1500])
def test_a_full_disk_error_names_the_log_and_keeps_it_readable(
    tape: DiskRecorder,
    tmp_path: Path,
    space: int,
) -> None:
    path = tmp_path / "a.log"
    tape.free_bytes = space
    acknowledged, sentence = game_until_it_fails(path)
    assert sentence.startswith(f"cannot write {path}: No space left on device")
    if not acknowledged:
        assert not path.exists()
        return
    assert sentence.endswith("; the turns before this one are kept")
    assert path.read_bytes() == acknowledged[-1]
    assert log.replay(path).notices == []


@pytest.mark.parametrize("syncs", [0, 1, 2, 5])
def test_nothing_is_acknowledged_if_syncing_fails(
    tape: DiskRecorder,
    tmp_path: Path,
    syncs: int,
) -> None:
    """The header takes two syncs, of the file and of its directory."""
    path = tmp_path / "a.log"
    tape.syncs_left = syncs
    acknowledged: list[bytes] = []
    with pytest.raises(HashmarkError, match=f"cannot write {path}: Input/output error"):
        write_game(path, acknowledged)
    assert len(acknowledged) == max(0, syncs - 1)
    if acknowledged:
        assert path.read_bytes() == acknowledged[-1]
        assert len(log.replay(path).game.turns) == syncs - 2
    else:
        assert not path.exists()


def test_short_writes_are_completed(tape: DiskRecorder, tmp_path: Path) -> None:
    tape.max_write_bytes = 7
    game, writer = PEOPLE.new_game(), log.LogWriter.create(tmp_path / "a.log", PEOPLE)
    for _ in range(TURNS):
        writer.write_turn(game, play_turn(game))
    writer.close()
    assert log.replay(tmp_path / "a.log").game.position == game.position


@pytest.mark.parametrize("failing", ["free_bytes", "syncs_left"])
def test_a_failed_write_leaves_the_old_file(
    tape: DiskRecorder,
    tmp_path: Path,
    failing: str,
) -> None:
    path = tmp_path / "page.html"
    path.write_text("old")
    for left in (0, 3) if failing == "free_bytes" else (0,):
        setattr(tape, failing, left)
        with pytest.raises(HashmarkError, match=f"cannot write {path}: "):
            atomic_write.write_file(path, "new and long")
        assert path.read_text() == "old"
        assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
@pytest.mark.parametrize("space", [0, 200, 5000])
def test_rows_on_a_full_disk_leave_no_file(
    tape: DiskRecorder, tmp_path: Path, name: str, space: int
) -> None:
    path = tmp_path / name
    tape.free_bytes = space
    with pytest.raises(HashmarkError, match=f"cannot write {path}: No space left on device"):
        write_rows(path, 3000)
    assert list(tmp_path.iterdir()) == []


def write_rows(path: Path, games: int) -> None:
    rules = registry.load("fourth-down")
    width = len(rules.statistics.names)
    with RowWriter(path, rules) as sink:
        for first in range(0, games, 10):
            sink.write(first, [[[first * k] * width] * 2 for k in range(10)])


def test_a_line_with_only_its_end_on_the_disk_is_torn(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    game, writer = PEOPLE.new_game(), log.LogWriter.create(path, PEOPLE)
    writer.write_turn(game, play_turn(game))
    before = path.read_bytes()
    writer.write_turn(game, play_turn(game))
    writer.close()
    line = path.read_bytes()[len(before) :]
    path.write_bytes(before + bytes(40) + line[40:])
    read = log.replay(path)
    assert "line 3: the last line is incomplete" in read.notices[0]
    assert (len(read.game.turns), read.good_bytes) == (1, len(before))


def test_ctrl_c_within_a_line_leaves_no_part_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.log"
    game, writer = PEOPLE.new_game(), log.LogWriter.create(path, PEOPLE)
    writer.write_turn(game, play_turn(game))
    before = path.read_bytes()

    def interrupted(file: int, data: bytes) -> None:
        os.write(file, data[:20])
        raise KeyboardInterrupt

    monkeypatch.setattr(fsync, "write", interrupted)
    turn = play_turn(game)
    with pytest.raises(KeyboardInterrupt):
        writer.write_turn(game, turn)
    with pytest.raises(HashmarkError, match="an earlier line could not be written"):
        writer.write(log.undo_line(len(game.turns), turn))
    writer.close()
    assert path.read_bytes() == before
