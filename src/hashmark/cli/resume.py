"""`hashmark resume`: resume a saved game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hashmark.cli.common import PaceOption
from hashmark.errors import HashmarkError
from hashmark.terminal import saves
from hashmark.terminal.launch import resume_game
from hashmark.terminal.pace import DEFAULT_PACE, check_pace
from hashmark.terminal.screen import Screen

EXAMPLE = "hashmark resume game.log"


def command(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="A game log; the last game if left out.")
    ] = None,
    pace: PaceOption = DEFAULT_PACE,
) -> None:
    """Go on with a game from its log, exactly where it stopped."""
    check_pace(pace)
    if file is None:
        file = saves.last_unfinished_path()
        if file is None:
            raise HashmarkError(
                f"there is no game to go on with in {saves.saves_dir()}: name a file"
            )
    resume_game(Screen(), file, pace)
