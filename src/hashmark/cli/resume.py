"""`hashmark resume`: go on with a saved game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hashmark.table import log
from hashmark.table.errors import HashmarkError
from hashmark.terminal import saves
from hashmark.terminal.report import print_summary, print_turn
from hashmark.terminal.screen import Screen
from hashmark.terminal.session import RealDice, Session

EXAMPLE = "hashmark resume game.log"


def command(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A game log; the last game if left out.")
    ] = None,
) -> None:
    """Go on with a game from its log, exactly where it stopped."""
    if file is None:
        games = saves.saved()
        if not games:
            raise HashmarkError(f"there is no saved game in {saves.folder()}: name a file")
        file = games[0]
    go_on(Screen(), file)


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
