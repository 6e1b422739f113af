"""`hashmark play`: a game at the table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hashmark.cli.common import Options, PositionFile, read_options, read_position
from hashmark.table import registry
from hashmark.table.errors import UnknownName
from hashmark.table.generator import check_seed
from hashmark.table.header import DICE, Header, new_salt, new_seed
from hashmark.table.log import Writer
from hashmark.table.names import read_names
from hashmark.table.record import TEAMS
from hashmark.table.sitting import Sitting
from hashmark.terminal import menu, saves
from hashmark.terminal.resume import go_on
from hashmark.terminal.screen import Screen
from hashmark.terminal.session import Session, default_opponent

EXAMPLE = "hashmark play fourth-down --away coach:book"


def command(
    rules: Annotated[
        str | None, typer.Argument(metavar="[RULES]", help="The game; a menu opens if left out.")
    ] = None,
    home: Annotated[
        str | None, typer.Option(metavar="SEAT", help="human (the default) or coach:NAME.")
    ] = None,
    away: Annotated[
        str | None, typer.Option(metavar="SEAT", help="human, or coach:NAME (coach:book).")
    ] = None,
    option: Options = None,
    seed: Annotated[
        int | None, typer.Option(help="The seed of the dice; drawn at random if left out.")
    ] = None,
    game: Annotated[
        int, typer.Option(min=0, help="The number of the game: see game N of a simulation.")
    ] = 0,
    dice: Annotated[
        str | None, typer.Option(help="auto, or typed: you roll real dice and type them.")
    ] = None,
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to keep the game.")
    ] = None,
    position: PositionFile = None,
    names: Annotated[
        str | None, typer.Option(metavar="HOME,AWAY", help='Names, e.g. "Bombers,Gunners".')
    ] = None,
) -> None:
    """Play a game: alone against a coach, two at one keyboard, or watch two coaches.

    Answers are given by number or by name; `?` shows the odds of each, `u` takes a call back,
    `h` tells the game so far, `q` saves and quits. Without a terminal the answers are read as
    lines from standard input.
    """
    for number, what in ((seed, "seed"), (game, "game")):
        if number is not None:
            check_seed(number, what)
    screen = Screen()
    if dice is not None and dice not in DICE:
        raise UnknownName("kind of dice", dice, DICE)
    if rules is None:
        choice = menu.choose(screen, home, away, dice)
        if choice is None:
            return
        if choice.saved is not None:
            go_on(screen, choice.saved)
            return
        rules, home, away, dice = choice.rules, choice.home, choice.away, choice.dice
    loaded, options = registry.load(rules), read_options(option)
    header = Header(
        rules=rules,
        options=options,
        seats={"home": home or "human", "away": away or default_opponent(rules)},
        dice=dice or "auto",
        seed=new_seed() if seed is None else seed,
        salt=new_salt() if seed is None else "",
        number=game,
        start=read_position(position) if position is not None else None,
        rules_version=loaded.version,
        names=loaded.team_names(options) if names is None else read_names(names),
    )
    begin(screen, header, log)


def begin(screen: Screen, header: Header, path: Path | None) -> None:
    """Seat the players, open the log and play."""
    sitting = Sitting(header, header.new_game())
    if path is None and sitting.persons:
        path = saves.new_path(header.rules)
        if path is None:
            screen.say(f"The game cannot be saved: {saves.folder()} is not writable.")
    writer = Writer.create(path, header) if path is not None else None
    if writer is not None:
        sitting.keep = writer.write
    screen.say(f"{sitting.game.rules.title}{_teams(header)}{_dice_in_words(header)}")
    Session(screen, sitting, writer, str(path) if path is not None else None).run()


def _teams(header: Header) -> str:
    """Who plays, if the teams have names."""
    return "" if header.names == TEAMS else f": {' against '.join(header.names)}"


def _dice_in_words(header: Header) -> str:
    """A seed that the player gave, or the promise that the dice are fixed."""
    if header.dice != "auto":
        return ", real dice"
    return f", dice {header.commitment[:16]}" if header.is_sealed else f", seed {header.seed}"
