"""Tests of `hashmark verify`: rerolled dice, commitments, and forged logs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hashmark.cli import app
from hashmark.errors import HashmarkError
from hashmark.session.game_session import GameSession
from hashmark.session.header import Header, new_salt, new_seed
from hashmark.session.log import LogWriter

COACHES = {"home": "coach:book", "away": "coach:random"}


def write_game(path: Path, header: Header, turns: int = 30) -> GameSession:
    """Play a game between two coaches and write its log."""
    writer = LogWriter.create(path, header)
    sitting = GameSession(header, header.new_game(), writer.write)
    while sitting.advance() and len(sitting.game.turns) < turns:
        pass
    writer.close()
    return sitting


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["verify", *arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_every_roll_is_verified(tmp_path: Path) -> None:
    header = Header("fourth-down", seats=COACHES, seed=new_seed(), salt=new_salt())
    path = tmp_path / "a.log"
    sitting = write_game(path, header)
    rolls = sum(len(turn.faces) for turn in sitting.game.turns)
    output = run(str(path))
    assert output == (
        f"verified: all {rolls} dice match seed {header.seed}, game 0, commitment "
        f"{header.commitment}, in 30 turns; every digest matches\n"
    )
    assert run(str(path), "--commitment", header.commitment) == output
    assert run(str(path), "--commitment", header.commitment[:16].upper()) == output
    data = json.loads(run(str(path), "--json"))
    assert (data["rolls"], data["seed"], data["salt"]) == (rolls, header.seed, header.salt)


@pytest.mark.parametrize("wrong", ["", "0" * 64, "short"])
def test_a_wrong_commitment_is_refused(tmp_path: Path, wrong: str) -> None:
    write_game(tmp_path / "a.log", Header("fourth-down", seats=COACHES, seed=3, salt="00"))
    done = CliRunner().invoke(app, ["verify", str(tmp_path / "a.log"), "--commitment", wrong])
    assert isinstance(done.exception, HashmarkError)
    assert "do not match the commitment" in str(done.exception)


def test_a_commitment_depends_on_seed_game_and_salt() -> None:
    headers = [
        Header("fourth-down", seed=s, game_number=n, salt=t)
        for s in (1, 12)
        for n in (1, 2)
        for t in ("2", "")
    ]
    assert len({header.commitment for header in headers}) == len(headers)


def test_forged_dice_are_found(tmp_path: Path) -> None:
    path, forged = tmp_path / "a.log", tmp_path / "b.log"
    header = Header("fourth-down", seats=COACHES, seed=5, salt="00")
    write_game(path, header)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[0]["seed"] = 6
    with forged.open("w", encoding="utf-8") as stream:
        writer = LogWriter(stream)
        for line in lines:
            writer.write({key: value for key, value in line.items() if key != "sum"})
    done = CliRunner().invoke(app, ["verify", str(forged)])
    assert "the dice are not those of seed 6" in str(done.exception)


def test_typed_dice_are_not_rerolled(tmp_path: Path) -> None:
    header = Header("fourth-down", dice="typed")
    writer = LogWriter.create(tmp_path / "a.log", header)
    sitting = GameSession(header, header.new_game(), writer.write)
    assert sitting.roll(1, 0, 0, 1).accepted
    writer.close()
    output = run(str(tmp_path / "a.log"))
    assert output.startswith("verified: 1 typed faces of real dice in 1 turns")
