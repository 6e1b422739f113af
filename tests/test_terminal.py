"""Playing at a real terminal, through a pseudo-terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from hashmark.cli.play import begin
from hashmark.table import field, log
from hashmark.table.game import Game
from hashmark.terminal import saves
from hashmark.terminal.screen import Screen


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[pexpect.spawn]:
    """The menu of `hashmark play`."""
    child = pexpect.spawn(
        sys.executable,
        ["-m", "hashmark", "play"],
        encoding="utf-8",
        timeout=30,
        dimensions=(50, 100),
    )
    yield child
    child.close(force=True)


def test_from_the_menu_to_a_saved_game_and_back(terminal: pexpect.spawn) -> None:
    terminal.expect("Which game")
    games = terminal.before
    assert games is not None
    number = next(line.split()[0] for line in games.splitlines() if "4th Down!" in line)
    terminal.sendline(number)
    terminal.expect("Who plays")
    terminal.sendline("9")
    terminal.expect("Type a number from 1 to 3")
    terminal.sendline("2")
    terminal.expect("Which dice")
    terminal.sendline("")
    terminal.expect("Which style")
    terminal.expect(">")
    terminal.sendline("balnced")
    terminal.expect("did you mean 'balanced'")
    terminal.sendline("?")
    terminal.expect("exp. points")
    terminal.sendline("balanced")
    terminal.expect("calls balanced")
    terminal.sendline("h")
    terminal.expect("opening kickoff")
    terminal.sendcontrol("c")
    terminal.expect("Saved. Go on with")
    terminal.expect(pexpect.EOF)
    (path,) = saves.saved()
    read = log.replay(path)
    assert read.header.seats == {"home": "human", "away": "human"}
    assert len(read.game.turns) == 2


def test_the_last_game_is_in_the_menu(terminal: pexpect.spawn) -> None:
    terminal.expect("Which game")
    terminal.sendline("q")
    terminal.expect(pexpect.EOF)
    path = saves.new_path("fourth-down")
    assert path is not None
    log.Writer.create(path, log.Header("fourth-down", seed=3)).close()
    child = pexpect.spawn(sys.executable, ["-m", "hashmark", "play"], encoding="utf-8", timeout=30)
    child.expect(r"(\d+) Go on with the last game")
    assert child.match is not None
    child.sendline(child.match.group(1))
    child.expect("Which style")
    child.expect("> ")
    child.sendeof()
    child.expect("Saved")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


def test_field() -> None:
    numbers, turf = field.draw(0, 30, 40)
    assert turf.index(">") == numbers.index("30")
    assert turf.index("!") == numbers.index("40")
    _, turf = field.draw(1, 30, None)
    assert turf.index("<") == numbers.rindex("30")
    assert "!" not in turf
    assert field.draw(-1, 0, None)[1].count("|") == 9
    assert max(map(len, field.draw(0, 99, None, field.fitting(60)))) < 60


def test_an_interrupt_between_the_prompts_saves_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C may come while lines are printed or a coach thinks, not only at a prompt."""
    calls = iter(["balanced", KeyboardInterrupt])

    def thinks(*_: object) -> str:
        call = next(calls)
        if call is KeyboardInterrupt:
            raise KeyboardInterrupt
        return str(call)

    monkeypatch.setattr(Game, "decide", thinks)
    seats = {"home": "coach:book", "away": "coach:book"}
    begin(Screen(), log.Header("fourth-down", seed=3, seats=seats), tmp_path / "game.log")
    assert "Saved. Go on with" in capsys.readouterr().out
    assert log.replay(tmp_path / "game.log").game.turns
