"""Start of a new game at the terminal."""

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
    screen.say(f"{rules.title}{_team_names(header)}{_describe_dice(header)}")
    notice = rules.notice(rules.read_options(header.options))
    if notice:
        screen.say(notice)
    log_name = str(path) if path is not None else None
    Session(screen, sitting, writer, log_name, Pace(screen, pace), tutor).run()


def _team_names(header: Header) -> str:
    """Return the names of the teams, if they have any."""
    return "" if header.names == TEAMS else f": {' against '.join(header.names)}"


def _describe_dice(header: Header) -> str:
    """Return the seed that the player gave, or the commitment to the dice."""
    if header.dice != "auto":
        return ", real dice"
    return f", dice {header.commitment[:16]}" if header.is_sealed else f", seed {header.seed}"
