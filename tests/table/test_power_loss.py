"""The power fails at any moment: what was said is on the disk, and no file is left in halves."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from failing_disk import Content, Tape, crashes
from hashmark.league.seasons.saved import Saved
from hashmark.sim.rows import RowWriter
from hashmark.table import disk, log, registry, writing
from hashmark.table.errors import HashmarkError
from hashmark.table.game import Game
from hashmark.table.header import Header
from hashmark.table.sitting import Sitting
from hashmark.terminal import session
from hashmark.terminal.screen import Quit, Screen
from hashmark.terminal.session import Session

TURNS = 8
PEOPLE = Header("fourth-down", seed=11)
COACHES = Header("fourth-down", seed=11, seats={"home": "coach:book", "away": "coach:book"})


def played(game: Game) -> Any:
    """One more turn."""
    coach = game.rules.coach("random")
    return game.play(game.decide(coach) if game.wants_call else None)


def check_log(tape: Tape, path: Path, scratch: Path) -> int:
    """After every crash the log begins with all that was said, and can be played again."""
    states = 0
    for content, said in crashes(tape.noted, path):
        if said:
            assert content is not None
            assert content.startswith(said[-1])
            scratch.write_bytes(content)
            log.replay(scratch)
        states += 1
    return states


def test_what_was_written_to_a_log_is_there(tape: Tape, tmp_path: Path) -> None:
    """Turns, an undo, and going on with a log that was closed."""
    path = tmp_path / "a.log"
    game, writer = PEOPLE.new_game(), log.Writer.create(path, PEOPLE)
    tape.say(path.read_bytes())
    for _ in range(TURNS):
        writer.turn(game, played(game))
        tape.say(path.read_bytes())
    writer.write(log.undo_line(TURNS, game.undo()))
    tape.say(path.read_bytes())
    writer.close()
    again = log.replay(path)
    writer = again.writer()
    tape.say(path.read_bytes())
    writer.turn(again.game, played(again.game))
    tape.say(path.read_bytes())
    writer.close()
    assert check_log(tape, path, tmp_path / "found") > 100


def test_a_game_of_coaches_is_there_when_it_is_closed(
    tape: Tape,
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.log"
    game, writer = COACHES.new_game(), log.Writer.create(path, COACHES)
    tape.say(path.read_bytes())
    while not game.is_over:
        writer.turn(game, played(game))
    writer.close()
    assert [step[0] for step in tape.noted].count("sync") == 2  # the header, and the end
    tape.say(path.read_bytes())
    assert list(crashes(tape.noted, path))[-1][0] == path.read_bytes()


class Scripted(Screen):
    """A person who answers from a list and then leaves."""

    def __init__(self, answers: list[str]) -> None:
        self.is_terminal, self._console, self.answers = False, None, answers

    def say(self, line: str = "", style: str = "") -> None:
        pass

    def ask(self, prompt: str, hidden: bool = False) -> str:
        if not self.answers:
            raise Quit
        return self.answers.pop(0)


def test_a_turn_is_told_at_the_table_when_it_is_on_the_disk(
    tape: Tape,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def tell(game: Game, turn: Any, say: Any, **how: Any) -> None:
        tape.say(len(game.turns))

    monkeypatch.setattr(session, "print_turn", tell)
    path = tmp_path / "a.log"
    header = Header("fourth-down", seed=11, seats={"home": "human", "away": "coach:book"})
    writer = log.Writer.create(path, header)
    sitting = Sitting(header, header.new_game(), writer.write)
    Session(Scripted(["1"] * 12), sitting, writer, str(path)).run()
    last = 0
    for content, said in crashes(tape.noted, path):
        if said:
            assert content is not None
            assert content.count(b"\n") > said[-1]  # the header is a line too
            last = said[-1]
    assert last > 12


@pytest.mark.parametrize("before", [None, b"old\n" * 50])
def test_a_file_is_the_old_or_the_new_one(
    tape: Tape,
    tmp_path: Path,
    before: Content,
) -> None:
    path, made = tmp_path / "page.html", b"new\n" * 70
    if before is not None:
        path.write_bytes(before)
    tape.piece = 100
    writing.put(path, made)
    tape.say(made)
    assert old_or_new(tape, path, before, made) == {before, made}


def old_or_new(tape: Tape, path: Path, before: Content, made: bytes) -> set[Content]:
    """All that may be found; once it was said that the file is written, nothing but that."""
    found = set()
    for content, said in crashes(tape.noted, path, before):
        assert content in ((made,) if said else (before, made))
        found.add(content)
    return found


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
def test_rows_are_the_old_or_the_new_ones(tape: Tape, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"old")
    write_rows(path, 30)
    tape.say("wrote")
    assert old_or_new(tape, path, b"old", path.read_bytes()) == {b"old", path.read_bytes()}


def test_a_saved_season_is_the_old_or_the_new_one(tape: Tape, tmp_path: Path) -> None:
    path = tmp_path / "season.json"
    path.write_bytes(b"old")
    Saved.new("run").write(path)
    tape.say("wrote")
    assert old_or_new(tape, path, b"old", path.read_bytes()) == {b"old", path.read_bytes()}


@pytest.mark.parametrize("without", ["sync", "sync_folder"])
def test_without_syncing_all_this_would_be_noticed(
    tape: Tape,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    without: str,
) -> None:
    monkeypatch.setattr(disk, without, lambda given: None)
    path = tmp_path / "a.log"
    game, writer = PEOPLE.new_game(), log.Writer.create(path, PEOPLE)
    writer.turn(game, played(game))
    tape.say(path.read_bytes())
    writer.close()
    with pytest.raises(AssertionError):
        check_log(tape, path, tmp_path / "found")
    tape.noted.clear()
    writing.put(tmp_path / "x", b"new")
    tape.say("wrote")
    with pytest.raises(AssertionError):
        old_or_new(tape, tmp_path / "x", None, b"new")


def test_folders_that_are_made_are_there(tape: Tape, tmp_path: Path) -> None:
    disk.make_folders(tmp_path / "a" / "b")
    made = [("folder", str(tmp_path / "a")), ("folder", str(tmp_path / "a" / "b"))]
    assert tape.noted == [made[0], ("sync folder",), made[1], ("sync folder",)]


# --- Disks that are full or broken ------------------------------------------------------------


def game_until_it_fails(path: Path) -> tuple[list[bytes], str]:
    """What was acknowledged, one after the other, and the sentence that ended it."""
    said: list[bytes] = []
    with pytest.raises(HashmarkError) as fault:
        write_game(path, said)
    return said, str(fault.value)


def write_game(path: Path, said: list[bytes]) -> None:
    game, writer = PEOPLE.new_game(), log.Writer.create(path, PEOPLE)
    said.append(path.read_bytes())
    try:
        while not game.is_over:
            turn = played(game)
            writer.turn(game, turn)
            said.append(path.read_bytes())
    except HashmarkError:
        left = path.read_bytes()
        with pytest.raises(HashmarkError, match=re.escape(str(path))):
            writer.write(log.undo_line(len(game.turns), turn))
        assert path.read_bytes() == left
        raise
    finally:
        writer.close()


@pytest.mark.parametrize("space", [*range(0, 400, 23), 1000, 1001, 1500])
def test_a_full_disk_names_the_log_and_keeps_it_readable(
    tape: Tape,
    tmp_path: Path,
    space: int,
) -> None:
    path = tmp_path / "a.log"
    tape.space = space
    said, sentence = game_until_it_fails(path)
    assert sentence.startswith(f"cannot write {path}: No space left on device")
    if not said:
        assert not path.exists()
        return
    assert sentence.endswith("; the turns before this one are kept")
    assert path.read_bytes() == said[-1]
    assert log.replay(path).notices == []


@pytest.mark.parametrize("syncs", [0, 1, 2, 5])
def test_a_disk_that_does_not_sync_acknowledges_nothing(
    tape: Tape,
    tmp_path: Path,
    syncs: int,
) -> None:
    """The header takes two syncs, of the file and of its folder."""
    path = tmp_path / "a.log"
    tape.syncs = syncs
    said: list[bytes] = []
    with pytest.raises(HashmarkError, match=f"cannot write {path}: Input/output error"):
        write_game(path, said)
    assert len(said) == max(0, syncs - 1)
    if said:
        assert path.read_bytes() == said[-1]
        assert len(log.replay(path).game.turns) == syncs - 2
    else:
        assert not path.exists()


def test_a_disk_that_takes_little_at_once_gets_all(tape: Tape, tmp_path: Path) -> None:
    tape.piece = 7
    game, writer = PEOPLE.new_game(), log.Writer.create(tmp_path / "a.log", PEOPLE)
    for _ in range(TURNS):
        writer.turn(game, played(game))
    writer.close()
    assert log.replay(tmp_path / "a.log").game.position == game.position


@pytest.mark.parametrize("failing", ["space", "syncs"])
def test_a_file_that_cannot_be_written_leaves_the_old_one(
    tape: Tape,
    tmp_path: Path,
    failing: str,
) -> None:
    path = tmp_path / "page.html"
    path.write_text("old")
    for left in (0, 3) if failing == "space" else (0,):
        setattr(tape, failing, left)
        with pytest.raises(HashmarkError, match=f"cannot write {path}: "):
            writing.put(path, "new and long")
        assert path.read_text() == "old"
        assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet"])
@pytest.mark.parametrize("space", [0, 200, 5000])
def test_rows_on_a_full_disk(tape: Tape, tmp_path: Path, name: str, space: int) -> None:
    path = tmp_path / name
    tape.space = space
    with pytest.raises(HashmarkError, match=f"cannot write {path}: No space left on device"):
        write_rows(path, 3000)
    assert list(tmp_path.iterdir()) == []


def write_rows(path: Path, games: int) -> None:
    rules = registry.load("fourth-down")
    width = len(rules.statistics.names)
    with RowWriter(path, rules) as sink:
        for first in range(0, games, 10):
            sink.write(first, [[[first * k] * width] * 2 for k in range(10)])


def test_a_line_of_which_the_disk_got_only_the_end_is_torn(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    game, writer = PEOPLE.new_game(), log.Writer.create(path, PEOPLE)
    writer.turn(game, played(game))
    before = path.read_bytes()
    writer.turn(game, played(game))
    writer.close()
    line = path.read_bytes()[len(before) :]
    path.write_bytes(before + bytes(40) + line[40:])
    read = log.replay(path)
    assert "line 3: the last line was cut off" in read.notices[0]
    assert (len(read.game.turns), read.length) == (1, len(before))


def test_ctrl_c_in_the_middle_of_a_line_leaves_no_part_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.log"
    game, writer = PEOPLE.new_game(), log.Writer.create(path, PEOPLE)
    writer.turn(game, played(game))
    before = path.read_bytes()

    def interrupted(file: int, data: bytes) -> None:
        os.write(file, data[:20])
        raise KeyboardInterrupt

    monkeypatch.setattr(disk, "write", interrupted)
    turn = played(game)
    with pytest.raises(KeyboardInterrupt):
        writer.turn(game, turn)
    with pytest.raises(HashmarkError, match="an earlier line was given up"):
        writer.write(log.undo_line(len(game.turns), turn))
    writer.close()
    assert path.read_bytes() == before
