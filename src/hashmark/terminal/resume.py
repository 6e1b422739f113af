"""Going on with a saved game."""

from __future__ import annotations

from pathlib import Path

from hashmark.table import log
from hashmark.table.report import print_summary, print_turn
from hashmark.terminal.screen import Screen
from hashmark.terminal.session import RealDice, Session


def go_on(screen: Screen, path: Path) -> None:
    """Replay the log, tell the last turn and play on."""
    read = log.replay(path, RealDice(screen))
    for notice in read.notices:
        screen.say(notice)
    if read.game.is_over:
        screen.say("This game is over.")
        print_summary(read.game, screen.say)
        return
    writer = read.writer()
    if read.game.turns:
        print_turn(read.game, read.game.turns[-1], screen.say)
    Session(screen, read.header, read.game, writer, str(path)).run()
