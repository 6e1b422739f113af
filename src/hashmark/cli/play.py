"""`hashmark play`: a game at the table."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from hashmark.cli.common import Options, PositionFile, read_options, read_position
from hashmark.table import registry
from hashmark.table.errors import HashmarkError, UnknownName
from hashmark.table.log import Header, Writer
from hashmark.table.record import TEAMS
from hashmark.terminal import menu, saves
from hashmark.terminal.screen import Quit, Screen
from hashmark.terminal.session import RealDice, Session, read_seat

EXAMPLE = "hashmark play fourth-down --away coach:book"
DICE = ("auto", "typed")


def command(
    rules: Annotated[
        str | None, typer.Argument(metavar="[RULES]", help="The game; a menu opens if left out.")
    ] = None,
    home: Annotated[str, typer.Option(metavar="SEAT", help="human or coach:NAME.")] = "human",
    away: Annotated[str, typer.Option(metavar="SEAT", help="human or coach:NAME.")] = "coach:book",
    option: Options = None,
    seed: Annotated[
        int | None, typer.Option(help="The seed of the dice; drawn at random if left out.")
    ] = None,
    game: Annotated[
        int, typer.Option(min=0, help="The number of the game: see game N of a simulation.")
    ] = 0,
    dice: Annotated[
        str, typer.Option(help="auto, or typed: you roll real dice and type them.")
    ] = "auto",
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to keep the game.")
    ] = None,
    position: PositionFile = None,
) -> None:
    """Play a game: alone against a coach, two at one keyboard, or watch two coaches.

    Answers are given by number or by name; `?` shows the odds of each, `u` takes a call back,
    `h` tells the game so far, `q` saves and quits. Without a terminal the answers are read as
    lines from standard input.
    """
    screen = Screen()
    if rules is None:
        if not screen.is_terminal:
            raise HashmarkError(f"name a game to play: {', '.join(registry.names())}")
        _from_menu(screen, option, seed)
        return
    if dice not in DICE:
        raise UnknownName("kind of dice", dice, DICE)
    start = read_position(position) if position is not None else None
    header = Header(
        rules=rules,
        options=read_options(option),
        seats=dict(zip(TEAMS, (home, away), strict=True)),
        dice=dice,
        seed=new_seed() if seed is None else seed,
        number=game,
        start=start,
        rules_version=registry.load(rules).version,
    )
    begin(screen, header, log)


def new_seed() -> int:
    """A seed nobody knows beforehand."""
    return int.from_bytes(os.urandom(6), "big")


def begin(screen: Screen, header: Header, path: Path | None) -> None:
    """Seat the players, open the log and play."""
    loaded = registry.load(header.rules)
    seats = [read_seat(loaded, header.seats[team]) for team in TEAMS]
    game = header.new_game(RealDice(screen))
    if path is None and None in seats:
        path = saves.new_path(header.rules)
        if path is None:
            screen.say(f"The game cannot be saved: {saves.folder()} is not writable.")
    writer = Writer.create(path, header) if path is not None else None
    if header.dice == "auto":
        screen.say(f"{loaded.title}, seed {header.seed}")
    Session(screen, header, game, writer, str(path) if path is not None else None).run()


def _from_menu(screen: Screen, option: list[str] | None, seed: int | None) -> None:
    try:
        choice = menu.choose(screen)
    except Quit:
        return
    if choice.saved is not None:
        from hashmark.cli.resume import go_on

        go_on(screen, choice.saved)
        return
    header = Header(
        rules=choice.rules,
        options=read_options(option),
        seats=dict(zip(TEAMS, (choice.home, choice.away), strict=True)),
        dice=choice.dice,
        seed=new_seed() if seed is None else seed,
        rules_version=registry.load(choice.rules).version,
    )
    begin(screen, header, None)
