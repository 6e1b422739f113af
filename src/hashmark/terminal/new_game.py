"""Start of a new game at the terminal."""

from __future__ import annotations

from pathlib import Path

from hashmark.engine.record import TEAMS
from hashmark.session.game_session import GameSession
from hashmark.session.header import Header
from hashmark.session.log import LogWriter
from hashmark.terminal import saves
from hashmark.terminal.pace import DEFAULT_PACE, Pace
from hashmark.terminal.screen import Screen
from hashmark.terminal.tutor import Tutor
from hashmark.terminal.ui import TerminalUI


def start_game(
    screen: Screen,
    header: Header,
    path: Path | None,
    pace: str = DEFAULT_PACE,
    tutor: Tutor | None = None,
) -> None:
    """Seat the players, open the log and play."""
    sitting = GameSession(header, header.new_game())
    if tutor is not None:
        tutor.attach(sitting.game)
    if path is None and sitting.human_teams:
        path = saves.new_path(header.rules)
        if path is None:
            screen.say(f"The game cannot be saved: {saves.saves_dir()} is not writable.")
    writer = LogWriter.create(path, header) if path is not None else None
    if writer is not None:
        sitting.persist = writer.write
    rules = sitting.game.rules
    screen.say(f"{rules.title}{_team_names(header)}{_describe_dice(header)}")
    notice = rules.setup.options_notice(rules.parse_options(header.options))
    if notice:
        screen.say(notice)
    log_name = str(path) if path is not None else None
    TerminalUI(screen, sitting, writer, log_name, Pace(screen, pace), tutor).run()


def _team_names(header: Header) -> str:
    """Return the names of the teams, if they have any."""
    return "" if header.names == TEAMS else f": {' against '.join(header.names)}"


def _describe_dice(header: Header) -> str:
    """Return the seed that the player gave, or the commitment to the dice."""
    if header.dice != "auto":
        return ", real dice"
    return f", dice {header.commitment[:16]}" if header.is_committed else f", seed {header.seed}"
