"""Resumption of a saved game at the terminal."""

from __future__ import annotations

from pathlib import Path

from hashmark.table.names import naming
from hashmark.table.sitting import Sitting
from hashmark.telling.report import print_summary, print_turn
from hashmark.terminal.pace import USUAL, Pace
from hashmark.terminal.screen import Screen
from hashmark.terminal.session import Session
from hashmark.terminal.tutor import Tutor


def go_on(screen: Screen, path: Path, pace: str = USUAL, tutor: Tutor | None = None) -> None:
    """Replay the log, print the last turn and play on."""
    sitting, replay = Sitting.take_up(path)
    for notice in replay.notices:
        screen.say(notice)
    if replay.game.is_over:
        screen.say("This game is over.")
        print_summary(replay.game, screen.say)
        return
    if tutor is not None:
        tutor.sits_down(sitting.game)
    writer = replay.writer()
    sitting.keep = writer.write
    ui = Session(screen, sitting, writer, str(path), Pace(screen, pace), tutor)
    turns = ui.game.turns
    if turns:
        print_turn(replay.game, turns[-1], screen.say)
    with naming(replay.header.names):
        ui.tell_waiting()
    ui.run()
