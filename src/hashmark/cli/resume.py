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
        Path | None, typer.Argument(metavar="FILE", help="Game log; default: the last game.")
    ] = None,
    pace: PaceOption = DEFAULT_PACE,
) -> None:
    """Resume a saved game from its log."""
    check_pace(pace)
    if file is None:
        file = saves.last_unfinished_path()
        if file is None:
            raise HashmarkError(f"no unfinished game in {saves.saves_dir()}: name a log file")
    resume_game(Screen(), file, pace)
