"""`hashmark resume`: resume a saved game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hashmark.cli.common import PaceOfPlays
from hashmark.table.errors import HashmarkError
from hashmark.terminal import saves
from hashmark.terminal.pace import USUAL, check_pace
from hashmark.terminal.resume import go_on
from hashmark.terminal.screen import Screen

EXAMPLE = "hashmark resume game.log"


def command(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A game log; the last game if left out.")
    ] = None,
    pace: PaceOfPlays = USUAL,
) -> None:
    """Go on with a game from its log, exactly where it stopped."""
    check_pace(pace)
    if file is None:
        file = saves.last_unfinished()
        if file is None:
            raise HashmarkError(f"there is no game to go on with in {saves.folder()}: name a file")
    go_on(Screen(), file, pace)
