"""Resumption of a saved game at the terminal."""

from __future__ import annotations

from pathlib import Path

from hashmark.session.game_session import GameSession
from hashmark.terminal.pace import DEFAULT_PACE, Pace
from hashmark.terminal.screen import Screen
from hashmark.terminal.tutor import Tutor
from hashmark.terminal.ui import TerminalUI
from hashmark.text.game_report import print_summary, print_turn


def resume_game(
    screen: Screen, path: Path, pace: str = DEFAULT_PACE, tutor: Tutor | None = None
) -> None:
    """Replay the log, print the last turn and play on."""
    sitting, replay = GameSession.resume(path)
    for notice in replay.notices:
        screen.say(notice)
    if replay.game.is_over:
        screen.say("This game is over.")
        print_summary(replay.game, screen.say)
        return
    if tutor is not None:
        tutor.attach(sitting.game)
    writer = replay.resume_writer()
    sitting.persist = writer.write
    ui = TerminalUI(screen, sitting, writer, str(path), Pace(screen, pace), tutor)
    turns = ui.game.turns
    if turns:
        print_turn(replay.game, turns[-1], screen.say)
    ui.show_pending_turn()
    ui.run()
