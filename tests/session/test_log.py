"""Game logs: what is written comes back, and nothing is guessed."""

from __future__ import annotations

import json
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from hashmark.engine.game import Game
from hashmark.engine.rule_set import NO_CALL
from hashmark.errors import BrokenLog, HashmarkError
from hashmark.session import log
from hashmark.session.header import Header

Lines = list[dict[str, Any]]


def write_game(path: Path, turns: int = 1000, **header: Any) -> Game:
    """Write the log of a game between two coaches and return the game."""
    top = Header("fourth-down", seed=11, **header)
    game = top.new_game()
    writer = log.LogWriter.create(path, top)
    while not game.is_over and len(game.turns) < turns:
        coach = game.rules.coach("random")
        writer.write_turn(game, game.play(game.decide(coach)))
    writer.close()
    return game


def forge_log(path: Path, lines: Lines) -> None:
    """Rewrite the lines with fitting sums, as a careful forger would."""
    path.unlink()
    with path.open("w", encoding="utf-8") as stream:
        writer = log.LogWriter(stream)
        for line in lines:
            writer.write({key: value for key, value in line.items() if key != "sum"})


def read_lines(path: Path) -> Lines:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_replay_ends_where_the_game_did(tmp_path: Path) -> None:
    game = write_game(tmp_path / "a.log")
    read = log.replay(tmp_path / "a.log")
    assert read.game.position == game.position
    assert read.game.turns == game.turns
    assert read.game.draw_count == game.draw_count
    assert read.notices == []


def test_a_resumed_game_continues_as_if_never_stopped(tmp_path: Path) -> None:
    whole = write_game(tmp_path / "whole.log")
    write_game(tmp_path / "part.log", turns=9)
    read = log.replay(tmp_path / "part.log")
    writer = read.resume_writer()
    game = read.game
    while not game.is_over:
        coach = game.rules.coach("random")
        writer.write_turn(game, game.play(game.decide(coach)))
    writer.close()
    assert game.position == whole.position
    assert (tmp_path / "part.log").read_bytes() == (tmp_path / "whole.log").read_bytes()


def test_undo_is_a_line_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    game = write_game(path, turns=6)
    read = log.replay(path)
    writer = read.resume_writer()
    writer.write(log.undo_line(6, read.game.undo()))
    writer.close()
    assert read_lines(path)[-1]["undo"] == 6
    assert log.replay(path).game.position == game.turns[5].before


def test_typed_dice_are_taken_from_the_log(tmp_path: Path) -> None:
    top = Header("fourth-down", dice="typed")
    game = top.new_game()
    writer = log.LogWriter.create(tmp_path / "a.log", top)
    writer.write_turn(game, log.play_with_faces(game, NO_CALL, [[1], []]))
    balanced = game.parse_call("balanced")
    writer.write_turn(game, log.play_with_faces(game, balanced, [[13, 5, 4], []]))
    writer.close()
    assert log.replay(tmp_path / "a.log").game.position.spot == 68


@pytest.mark.parametrize("cut", [1, 7, 40])
def test_torn_last_line_is_left_out_with_a_notice(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "a.log"
    game = write_game(path, turns=8)
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    read = log.replay(path)
    assert "line 9: the last line is incomplete" in read.notices[0]
    assert read.game.position == game.turns[7].before
    writer = read.resume_writer()
    turn = read.game.play(game.turns[7].call)
    read.game.draw_count = game.draw_count
    writer.write_turn(read.game, turn)
    writer.close()
    assert path.read_bytes() == whole


def test_edited_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    write_game(path, turns=8)
    lines = read_lines(path)
    lines[3]["at"] = "000000000000"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(BrokenLog, match=r"line 4: the line was edited"):
        log.replay(path)


def test_edited_dice_with_a_fitting_sum_are_found(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    write_game(path, turns=8)
    lines = read_lines(path)
    lines[2]["dice"][lines[2]["team"]][0] = 1 + lines[2]["dice"][lines[2]["team"]][0] % 20
    forge_log(path, lines)
    with pytest.raises(BrokenLog, match=r"line 3: the dice are not those of seed 11"):
        log.replay(path)


def test_rules_that_play_differently_are_refused_with_the_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from hashmark.games.fourth_down import tables

    path = tmp_path / "a.log"
    game = write_game(path)
    first = next(
        number
        for number, turn in enumerate(game.turns, 2)
        if any(event.name in ("kick good", "touchdown", "safety") for event in turn.events)
    )
    monkeypatch.setattr(tables, "KICKOFF_SPOT", 25)
    with pytest.raises(BrokenLog, match=r"line 2: these rules lead to a different position"):
        log.replay(path)
    monkeypatch.setattr(tables, "KICKOFF_SPOT", 30)
    lines = read_lines(path)
    lines[first - 1]["at"] = "000000000000"
    lines[0]["rules_version"] = 0
    forge_log(path, lines)
    with pytest.raises(
        BrokenLog, match=rf"line {first}: .*version 0 of the rules; this is version 1"
    ):
        log.replay(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("hello\n", "its first line is unreadable"),
        ('{"a": 1}\n', "is not a Hashmark game log"),
        ('{"log": "hashmark-game", "format": 4}\n', "format 4 is unknown; allowed: 1 and 2 and 3"),
        ('{"log": "hashmark-game", "format": 1}\n', "rules is missing"),
        ("\x00\x01\n", "its first line is unreadable"),
    ],
)
def test_files_that_are_not_logs_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "a.log"
    path.write_text(text)
    with pytest.raises(BrokenLog, match=message):
        log.replay(path)


def test_a_whole_last_line_of_garbage_is_no_torn_line(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    write_game(path, turns=3)
    with path.open("a") as stream:
        stream.write("garbage\n")
    with pytest.raises(BrokenLog, match="line 5: not a line of a game log"):
        log.replay(path)


def test_garbage_in_the_middle_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    write_game(path, turns=5)
    lines = path.read_text().splitlines()
    lines[2] = lines[2][:20]
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(BrokenLog, match="line 3: not a line of a game log"):
        log.replay(path)


def test_a_wrong_team_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    write_game(path, turns=5)
    lines = read_lines(path)
    lines[2]["team"] = "home" if lines[2]["team"] == "away" else "away"
    forge_log(path, lines)
    with pytest.raises(BrokenLog, match=r"line 3: it is away's call here, not home's"):
        log.replay(path)


def test_an_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    write_game(tmp_path / "a.log", turns=2)
    with pytest.raises(HashmarkError, match="already exists"):
        write_game(tmp_path / "a.log")
    with pytest.raises(HashmarkError, match="cannot write"):
        write_game(tmp_path / "no" / "folder.log")


def test_blank_lines_do_not_shift_the_count_and_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    write_game(path, turns=5)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:3], "", *lines[3:]]) + "\n")
    with pytest.raises(BrokenLog, match="line 4: not a line of a game log"):
        log.replay(path)


@pytest.mark.parametrize(
    ("line", "change", "message"),
    [
        (2, {"dice": {"home": 5}}, "line 3: its dice are unreadable"),
        (2, {"dice": 5}, "line 3: its dice are unreadable"),
        (2, {"drawn": "x"}, "line 3: the number of draws"),
        (0, {"dice": "loaded"}, "line 1: unknown kind of dice 'loaded'"),
        (0, {"seed": True}, "line 1: seed must be a whole number"),
        (0, {"seats": {"left": "human"}}, "line 1: seats"),
        (0, {"rules": "chess"}, "line 1: unknown rule set 'chess'"),
        (0, {"options": {"x": 1}}, "line 1: unknown option"),
        (0, {"start": {"spot": 140}}, r"line 1: position\.spot: 140"),
    ],
)
def test_invalid_values_with_fitting_sums_are_refused(
    tmp_path: Path, line: int, change: dict[str, Any], message: str
) -> None:
    path = tmp_path / "a.log"
    write_game(path, turns=5)
    lines = read_lines(path)
    lines[line].update(change)
    forge_log(path, lines)
    with pytest.raises(BrokenLog, match=message):
        log.replay(path)


def test_only_one_program_may_continue_a_log(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    write_game(path, turns=5)
    first, second = log.replay(path), log.replay(path)
    writer = first.resume_writer()
    with pytest.raises(HashmarkError, match="is open in another program"):
        second.resume_writer()
    coach = first.game.rules.coach("book")
    writer.write_turn(first.game, first.game.play(first.game.decide(coach)))
    writer.close()
    with pytest.raises(HashmarkError, match="was changed by another program"):
        second.resume_writer()
    assert len(log.replay(path).game.turns) == 6


def test_a_full_disk_is_a_one_line_error() -> None:
    with suppress(OSError), Path("/dev/full").open("w") as stream:
        writer = log.LogWriter(stream)
        with pytest.raises(HashmarkError, match="No space left"):
            writer.write({"turn": 1})
        writer.close()


@pytest.mark.skipif(os.name == "nt", reason="permissions as on Unix")
def test_a_log_holds_the_seed_and_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    old_mask = os.umask(0)
    try:
        log.LogWriter.create(tmp_path / "game.log", Header("fourth-down")).close()
    finally:
        os.umask(old_mask)
    assert stat.S_IMODE((tmp_path / "game.log").stat().st_mode) == 0o600
