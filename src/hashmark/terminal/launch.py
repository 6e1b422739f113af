"""Start of a game at the terminal: a new one, or a saved one that is resumed."""

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
from hashmark.text.game_report import print_summary, print_turn


def start_game(
    screen: Screen,
    header: Header,
    path: Path | None,
    pace: str = DEFAULT_PACE,
    tutor: Tutor | None = None,
) -> None:
    """Seat the players, open the log and play."""
    session = GameSession(header, header.new_game())
    if tutor is not None:
        tutor.attach(session.game)
    if path is None and session.human_teams:
        path = saves.new_path(header.rules)
        if path is None:
            screen.say(f"This game will not be saved: {saves.saves_dir()} is not writable.")
    writer = LogWriter.create(path, header) if path is not None else None
    if writer is not None:
        session.persist = writer.write
    rules = session.game.rules
    screen.say(f"{rules.title}{_team_names(header)}{_describe_dice(header)}")
    notice = rules.setup.options_notice(rules.parse_options(header.options))
    if notice:
        screen.say(notice)
    log_name = str(path) if path is not None else None
    TerminalUI(screen, session, writer, log_name, Pace(screen, pace), tutor).run()


def resume_game(
    screen: Screen, path: Path, pace: str = DEFAULT_PACE, tutor: Tutor | None = None
) -> None:
    """Replay the log, print the last turn and play on."""
    session, replay = GameSession.resume(path)
    for notice in replay.notices:
        screen.say(notice)
    if replay.game.is_over:
        screen.say("This game is over.")
        print_summary(replay.game, screen.say)
        return
    if tutor is not None:
        tutor.attach(session.game)
    writer = replay.resume_writer()
    session.persist = writer.write
    ui = TerminalUI(screen, session, writer, str(path), Pace(screen, pace), tutor)
    turns = ui.game.turns
    if turns:
        print_turn(replay.game, turns[-1], screen.say)
    ui.show_pending_turn()
    ui.run()


def _team_names(header: Header) -> str:
    """Return the names of the teams, if they have any."""
    return "" if header.names == TEAMS else f": {' vs. '.join(header.names)}"


def _describe_dice(header: Header) -> str:
    """Return the seed that the player gave, or the commitment to the dice."""
    if header.dice != "auto":
        return ", real dice"
    return f", dice {header.commitment[:16]}" if header.is_committed else f", seed {header.seed}"
