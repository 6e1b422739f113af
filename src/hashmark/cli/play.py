"""`hashmark play`: a game at the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hashmark.cli.common import (
    Options,
    PaceOption,
    PositionOption,
    is_position_id,
    parse_options,
    parse_start,
)
from hashmark.engine import registry
from hashmark.engine.generator import check_seed
from hashmark.engine.position_id import decode_position
from hashmark.engine.team_names import parse_names
from hashmark.errors import UnknownName
from hashmark.session.header import DICE_MODES, Header, new_salt, new_seed
from hashmark.session.opponents import check_away_seat, default_opponent
from hashmark.terminal import menu
from hashmark.terminal.launch import resume_game, start_game
from hashmark.terminal.pace import DEFAULT_PACE, check_pace
from hashmark.terminal.screen import Screen
from hashmark.terminal.tutor import Tutor, parse_points

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
    position: PositionOption = None,
    pace: PaceOption = DEFAULT_PACE,
    names: Annotated[
        str | None, typer.Option(metavar="HOME,AWAY", help='Names, e.g. "Bombers,Gunners".')
    ] = None,
    tutor: Annotated[
        str | None,
        typer.Option(
            metavar="[POINTS]",
            help='Ask "sure?" before a call that gives away more points of a hundred (5).',
        ),
    ] = None,
) -> None:
    """Play a game: alone against a coach, two at one keyboard, or watch two coaches.

    Answers are given by number or by name, of which the beginning is enough; `?` shows the odds
    of each, `help` the rules that concern the question, `u` takes a call back, `h` tells the game
    so far, `q` saves and quits. Without a terminal the answers are read as lines from standard
    input.
    """
    check_pace(pace)
    teacher = None if tutor is None else Tutor(parse_points(tutor))
    for number, label in ((seed, "seed"), (game, "game")):
        if number is not None:
            check_seed(number, label)
    screen = Screen()
    if dice is not None and dice not in DICE_MODES:
        raise UnknownName("kind of dice", dice, DICE_MODES)
    options = parse_options(option)
    if rules is None and position is not None and is_position_id(position):
        rules = decode_position(position).rules.name
    if rules is None:
        choice = menu.choose(screen, menu.GivenChoices(home, away, dice, options))
        if choice is None:
            return
        if choice.saved is not None:
            resume_game(screen, choice.saved, pace, teacher)
            return
        rules, home, away, dice = choice.rules, choice.home, choice.away, choice.dice
        start = parse_start(rules, choice.options, position)
    else:
        start = parse_start(rules, options, position)
        check_away_seat(registry.load(rules), start.options, away)
    loaded = registry.load(rules)
    header = Header(
        rules=rules,
        options=start.options,
        seats={"home": home or "human", "away": away or default_opponent(rules)},
        dice=dice or "auto",
        seed=new_seed() if seed is None else seed,
        salt=new_salt() if seed is None else "",
        game_number=game,
        start=start.position,
        rules_version=loaded.version,
        names=loaded.team_names(start.options) if names is None else parse_names(names),
    )
    start_game(screen, header, log, pace, teacher)
