"""Tests of plays without a player: shown one by one at a terminal, at once to a script."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from fuzz.in_process import get_refusal
from fuzz.in_process import run_ok as in_lines
from hashmark.engine import registry
from hashmark.engine.game import Game
from hashmark.engine.record import TEAMS
from hashmark.session import log
from hashmark.session.game_session import GameSession
from hashmark.session.header import Header
from hashmark.terminal.pace import PACE_SECONDS, Pace, PlayEnd
from hashmark.terminal.screen import Screen
from hashmark.terminal.ui import TerminalUI
from hashmark.text.game_report import play_heading, print_history
from hashmark.text.wrapping import wrap
from terminal.pseudo_terminal import hashmark, visible_lines

COACHES = ("play", "fourth-down", "--home", "coach:book", "--away", "coach:bold", "--seed", "5")
KEYS = "q save and quit"


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[pexpect.spawn]:
    """Two coaches, with a key for each play."""
    child = hashmark(*COACHES, "--pace", "step", "--log", str(tmp_path / "a.log"))
    yield child
    child.close(force=True)


def test_a_key_for_the_next_play_for_the_drive_and_for_the_end(watched: pexpect.spawn) -> None:
    watched.expect_exact(KEYS)
    first = visible_lines(str(watched.before))
    assert sum(line.startswith("- ") for line in first) == 1  # the coin
    watched.send(" ")
    watched.expect_exact(KEYS)
    assert sum(line.startswith("- ") for line in visible_lines(str(watched.before))) == 1
    watched.send("o")
    watched.expect_exact(KEYS)
    drive = [line for line in visible_lines(str(watched.before)) if line.startswith("- ")]
    assert len({line.split()[1] for line in drive}) == 1  # one team's calls
    watched.send("e")
    watched.expect_exact("Game saved to")
    end = visible_lines(str(watched.before))
    assert any("wins 45–21." in line for line in end[-4:])  # the score is in sight at the end
    watched.expect(pexpect.EOF)


def test_every_play_shows_the_score(watched: pexpect.spawn) -> None:
    for _ in range(4):
        watched.expect_exact(KEYS)
        lines = visible_lines(str(watched.before))
        assert any("| home 0, away " in line for line in lines)
        watched.send("\r")


@pytest.mark.parametrize("leave", ["q", "\x03", "\x04"], ids=["q", "Ctrl-C", "Ctrl-D"])
def test_leaving_between_two_plays_saves(
    watched: pexpect.spawn, leave: str, tmp_path: Path
) -> None:
    watched.expect_exact(KEYS)
    watched.send(leave)
    watched.expect_exact("Saved. Resume with")
    watched.expect(pexpect.EOF)
    watched.close()
    assert watched.exitstatus == 0
    assert log.replay(tmp_path / "a.log").game.turns


def test_a_pace_runs_by_itself_and_can_be_paused(tmp_path: Path) -> None:
    child = hashmark(*COACHES, "--pace", "fast", "--log", str(tmp_path / "a.log"))
    child.expect_exact("p pause")
    child.expect_exact("p pause")
    child.send("p")
    child.expect_exact(KEYS)
    child.send("q")
    child.expect_exact("Saved. Resume with")
    child.close(force=True)


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_the_screen_pauses_where_the_play_by_play_has_a_heading(
    rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = {"home": "coach:book", "away": "coach:book"}
    header = Header(rules, seats=seats, seed=5)
    screen = Screen()
    session, pace = GameSession(header, header.new_game()), Pace(screen)
    pace.seconds = 1.0
    pauses: list[int] = []  # number of turns played at each pause
    original = PlayEnd.of

    def record(game: Game) -> PlayEnd:
        pauses.append(len(game.turns))
        return original(game)

    monkeypatch.setattr(PlayEnd, "of", record)
    monkeypatch.setattr(Pace, "pause", lambda self, moment: None)
    monkeypatch.setattr(Screen, "say", lambda self, *said: None)
    TerminalUI(screen, session, None, None, pace).run()
    turns = session.game.turns
    headings = [
        index for index, turn in enumerate(turns) if index and play_heading(session.game, turn)
    ]
    assert pauses == [*headings, len(turns)]


@pytest.mark.parametrize("pace", PACE_SECONDS)
def test_a_script_is_not_paced(pace: str) -> None:
    unpaced = in_lines(*COACHES)
    assert in_lines(*COACHES, "--pace", pace).out == unpaced.out
    assert "next" not in unpaced.out


@pytest.mark.parametrize("rules", registry.builtin_names())
def test_a_script_gets_the_play_by_play(rules: str, tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    seats = ["--home", "coach:book"]
    if not registry.load(rules).is_solo(registry.load(rules).new_match()):
        seats += ["--away", "coach:book"]
    output = in_lines("play", rules, *seats, "--seed", "5", "--log", str(path)).out
    history: list[str] = []
    print_history(log.replay(path).game, history.append)
    assert "\n".join(history) in output
    assert "in secret" not in output


def test_a_player_sees_headings_of_plays_without_a_prompt(tmp_path: Path) -> None:
    play = ("play", "data-driven", "--seed", "5", "--log", str(tmp_path / "a.log"))
    output = in_lines(*play, stdin_text="1\n" * 4 + "q\n").out
    assert "Q1 15:00 | Millbrook 0, Saltmarsh 0 | coin toss\n" in output
    shown = [line for line in output.splitlines() if " | " in line]
    asked = [line for line in output.splitlines() if line.startswith(" MILLBROOK ")]
    assert len(shown) < len(asked)  # a heading is not repeated above the question


def test_an_unknown_pace_is_refused() -> None:
    assert "unknown pace 'quick'" in get_refusal(*COACHES, "--pace", "quick")
    assert "unknown pace 'quick'" in get_refusal("resume", "--pace", "quick")


@pytest.mark.parametrize("rules", registry.names())
@pytest.mark.parametrize("names", [TEAMS, ("Saskatchewan Roughriders", "Northwestern Wildcats")])
def test_where_it_stands_takes_two_lines_at_most(rules: str, names: tuple[str, str]) -> None:
    """At 80 columns, wherever a screen pauses, also late in the clock line of Rapid Roll."""
    alone = registry.load(rules).is_solo(registry.load(rules).new_match())
    seats = {"home": "coach:book", "away": "open" if alone else "coach:book"}
    header = Header(rules, seats=seats, seed=3, names=names)
    game = header.new_game()
    longest = 0
    while not game.is_over and len(game.turns) < 120:
        if game.rules.begins_play(game.match, game.position):
            longest = max(longest, len(wrap(PlayEnd.of(game).line, 79)))
        coach = game.rules.coach("book")
        game.play(game.decide(coach))
    assert 1 <= longest <= 2
