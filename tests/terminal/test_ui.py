"""Tests of playing at a real terminal, through a pseudo-terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path

import pexpect
import pytest

from fuzz.in_process import run_ok as in_lines
from hashmark.engine.coach_requests import CoachRequest
from hashmark.engine.game import Game
from hashmark.engine.record import TEAMS
from hashmark.errors import TooManyOutcomes
from hashmark.odds.odds_tables import OddsCache
from hashmark.session import log
from hashmark.session.header import Header
from hashmark.terminal import saves
from hashmark.terminal.launch import start_game
from hashmark.terminal.screen import Screen
from hashmark.terminal.ui import FORCED_CALL_REMARK
from hashmark.text.game_report import draw_field, field_width
from timeouts import TIMEOUT_SECONDS

CALL = ["home> ", "away> "]


@pytest.fixture
def menu() -> Iterator[Callable[[], pexpect.spawn]]:
    """Open the menu of `hashmark play`."""
    opened: list[pexpect.spawn] = []

    def run() -> pexpect.spawn:
        child = pexpect.spawn(
            sys.executable,
            ["-m", "hashmark", "play"],
            encoding="utf-8",
            timeout=TIMEOUT_SECONDS,
            dimensions=(50, 100),
        )
        opened.append(child)
        return child

    yield run
    for child in opened:
        child.close(force=True)


def at_prompt(child: pexpect.spawn, prompt: str | list[str], answer: str) -> str:
    """Wait for a prompt and answer it; return what was shown before it."""
    child.expect_exact(prompt)
    child.sendline(answer)
    return str(child.before)


def test_a_game_from_the_menu_is_saved_on_ctrl_c(menu: Callable[[], pexpect.spawn]) -> None:
    terminal = menu()
    terminal.expect_exact("Which game? (Enter for 1, q to quit)")
    lines = str(terminal.before).splitlines()
    terminal.sendline(next(line.split()[0] for line in lines if "4th Down!" in line))
    at_prompt(terminal, "Who plays? (Enter for 1, q to quit)", "9")
    assert "Type a number from 1 to 3" in at_prompt(terminal, "Who plays? (Enter for 1", "2")
    at_prompt(terminal, "Which dice? (Enter for 1, q to quit)", "")
    terminal.expect_exact("Which style")
    at_prompt(terminal, CALL, "balnced")
    assert "did you mean 'balanced'" in at_prompt(terminal, CALL, "?")
    assert "they start" in at_prompt(terminal, CALL, "balanced")
    assert "calls balanced" in at_prompt(terminal, CALL, "h")
    terminal.expect_exact("opening kickoff")
    terminal.sendcontrol("c")  # somewhere in the play-by-play, not at a prompt
    if terminal.expect_exact(["Saved. Resume with", pexpect.EOF]):
        terminal.close()
        pytest.fail(f"status {terminal.exitstatus}, signal {terminal.signalstatus}")
    terminal.expect(pexpect.EOF)
    (path,) = saves.list_saves()
    replay = log.replay(path)
    assert replay.header.seats == {"home": "human", "away": "human"}
    assert len(replay.game.turns) == 2


def test_the_last_game_is_in_the_menu(menu: Callable[[], pexpect.spawn]) -> None:
    first = menu()
    at_prompt(first, "Which game? (Enter for 1, q to quit)", "q")
    first.expect(pexpect.EOF)
    path = saves.new_path("fourth-down")
    assert path is not None
    log.LogWriter.create(path, Header("fourth-down", seed=3)).close()
    second = menu()
    second.expect(r"(\d+) Resume the last game")
    assert second.match is not None
    at_prompt(second, "Which game? (Enter for 1, q to quit)", second.match.group(1))
    second.expect_exact("Which style")
    second.expect_exact(CALL)
    second.sendeof()
    second.expect_exact("Saved")
    second.expect(pexpect.EOF)
    second.close()
    assert second.exitstatus == 0


def test_the_field_is_drawn_with_ball_and_line_to_gain() -> None:
    numbers, turf = draw_field(0, 30, 40, TEAMS)
    assert turf.index(">") == numbers.index("30")
    assert turf.index("!") == numbers.index("40")
    _, turf = draw_field(1, 30, None, TEAMS)
    assert turf.index("<") == numbers.rindex("30")
    assert "!" not in turf
    assert draw_field(-1, 0, None, TEAMS)[1].count("|") == 9
    width = field_width(60, TEAMS)
    assert max(map(len, draw_field(0, 99, None, TEAMS, width))) < 60


def test_an_interrupt_between_prompts_saves_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C may arrive while lines are printed or a coach computes, not only at a prompt."""
    calls = iter(["balanced"])

    def decide(request: CoachRequest) -> tuple[int, int]:
        for call in calls:
            return request.rules.call_codes[call], 0
        raise KeyboardInterrupt

    monkeypatch.setattr(CoachRequest, "decide", decide)
    seats = {"home": "coach:book", "away": "coach:book"}
    start_game(Screen(), Header("fourth-down", seed=3, seats=seats), tmp_path / "game.log")
    assert "Saved. Resume with" in capsys.readouterr().out
    assert log.replay(tmp_path / "game.log").game.turns


def test_an_interrupt_cancels_the_odds_and_not_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(looks: OddsCache, game: Game) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(OddsCache, "tables_for", interrupted)
    monkeypatch.setattr(sys, "stdin", StringIO("?\nbalanced\n"))
    start_game(Screen(), Header("fourth-down", seed=3), tmp_path / "game.log")
    output = capsys.readouterr().out
    assert "Odds canceled." in output
    assert "calls balanced" in output


def test_missing_odds_do_not_end_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(looks: OddsCache, game: Game) -> None:
        raise TooManyOutcomes("these dice lead to more than 9 positions")

    monkeypatch.setattr(OddsCache, "tables_for", refuse)
    monkeypatch.setattr(sys, "stdin", StringIO("?\nbalanced\n"))
    start_game(Screen(), Header("fourth-down", seed=3), tmp_path / "game.log")
    output = capsys.readouterr().out
    assert "No odds available: these dice lead to more than 9 positions" in output
    assert "calls balanced" in output
    assert "Saved. Resume with" in output


def test_a_forced_call_is_remarked_once_until_the_next_question(tmp_path: Path) -> None:
    """Roll For Yardage! has one call on the first three downs."""
    command = ("play", "roll-for-yardage", "--seed", "4", "--log", str(tmp_path / "a.log"))
    output = in_lines(*command, stdin_text="receive\nreturn\npunt\n").out
    remarked = [line for line in output.splitlines() if FORCED_CALL_REMARK in line]
    calls = [line.partition("  [")[0] for line in remarked]
    assert calls[:2] == [
        f"- home calls scrimmage ({FORCED_CALL_REMARK})",
        f"- home calls accept ({FORCED_CALL_REMARK})",
    ]
    assert output.count("home calls scrimmage") > sum("scrimmage" in line for line in calls)
    assert not any("away" in call for call in calls)


def test_a_replay_has_no_remark_on_forced_calls(tmp_path: Path) -> None:
    """A replay shows the calls of both teams alike."""
    path = str(tmp_path / "a.log")
    in_lines(
        "play", "roll-for-yardage", "--seed", "4", "--log", path, stdin_text="receive\nreturn\n"
    )
    assert FORCED_CALL_REMARK not in in_lines("replay", path).out
