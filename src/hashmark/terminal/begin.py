"""Beginning a new game at the terminal."""

from __future__ import annotations

from pathlib import Path

from hashmark.table.header import Header
from hashmark.table.log import Writer
from hashmark.table.record import TEAMS
from hashmark.table.sitting import Sitting
from hashmark.terminal import saves
from hashmark.terminal.pace import USUAL, Pace
from hashmark.terminal.screen import Screen
from hashmark.terminal.session import Session
from hashmark.terminal.tutor import Tutor


def begin(
    screen: Screen,
    header: Header,
    path: Path | None,
    pace: str = USUAL,
    tutor: Tutor | None = None,
) -> None:
    """Seat the players, open the log and play."""
    sitting = Sitting(header, header.new_game())
    if tutor is not None:
        tutor.sits_down(sitting.game)
    if path is None and sitting.persons:
        path = saves.new_path(header.rules)
        if path is None:
            screen.say(f"The game cannot be saved: {saves.folder()} is not writable.")
    writer = Writer.create(path, header) if path is not None else None
    if writer is not None:
        sitting.keep = writer.write
    rules = sitting.game.rules
    screen.say(f"{rules.title}{_teams(header)}{_dice_in_words(header)}")
    notice = rules.notice(rules.read_options(header.options))
    if notice:
        screen.say(notice)
    where = str(path) if path is not None else None
    Session(screen, sitting, writer, where, Pace(screen, pace), tutor).run()


def _teams(header: Header) -> str:
    """Who plays, if the teams have names."""
    return "" if header.names == TEAMS else f": {' against '.join(header.names)}"


def _dice_in_words(header: Header) -> str:
    """A seed that the player gave, or the promise that the dice are fixed."""
    if header.dice != "auto":
        return ", real dice"
    return f", dice {header.commitment[:16]}" if header.is_sealed else f", seed {header.seed}"
