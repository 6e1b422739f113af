"""Going on with a saved game."""

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
    """Replay the log, tell the last turn and play on."""
    sitting, read = Sitting.take_up(path)
    for notice in read.notices:
        screen.say(notice)
    if read.game.is_over:
        screen.say("This game is over.")
        print_summary(read.game, screen.say)
        return
    if tutor is not None:
        tutor.sits_down(sitting.game)
    writer = read.writer()
    sitting.keep = writer.write
    session = Session(screen, sitting, writer, str(path), Pace(screen, pace), tutor)
    turns = session.game.turns
    if turns:
        print_turn(read.game, turns[-1], screen.say)
    with naming(read.header.names):
        session.tell_waiting()
    session.run()
