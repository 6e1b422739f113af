"""`hashmark play`: a game at the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hashmark.cli import completion, pairings
from hashmark.cli.common import (
    Options,
    PaceOption,
    PositionOption,
    complete_seat,
    is_position_id,
    parse_options,
    parse_start,
    team_arguments,
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
        str | None,
        typer.Argument(
            metavar="RULES",
            help="Game, e.g. fourth-down; default: a menu.",
            autocompletion=completion.complete_game,
        ),
    ] = None,
    home_team: Annotated[
        str | None,
        typer.Argument(metavar="HOME", help="Real team at home (data-driven), e.g. ARI-2008."),
    ] = None,
    away_team: Annotated[
        str | None, typer.Argument(metavar="AWAY", help="Visiting team, e.g. PIT-2008.")
    ] = None,
    home: Annotated[
        str | None,
        typer.Option(
            metavar="SEAT",
            help="human (default) or a coach, e.g. bold.",
            autocompletion=completion.complete_seat,
        ),
    ] = None,
    away: Annotated[
        str | None,
        typer.Option(
            metavar="SEAT",
            help="human or a coach; default: book.",
            autocompletion=completion.complete_seat,
        ),
    ] = None,
    option: Options = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Seed of the dice; default: random.")
    ] = None,
    game: Annotated[
        int,
        typer.Option(
            min=0, metavar="N", help="Game number N of a simulation with this seed (from 0)."
        ),
    ] = 0,
    dice: Annotated[
        str | None,
        typer.Option(metavar="auto|typed", help="typed: you roll real dice; default: auto."),
    ] = None,
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Log file; default: in the data folder.")
    ] = None,
    position: PositionOption = None,
    pace: PaceOption = DEFAULT_PACE,
    names: Annotated[
        str | None, typer.Option(metavar="HOME,AWAY", help='Team names, e.g. "Bombers,Gunners".')
    ] = None,
    tutor: Annotated[
        str | None,
        typer.Option(
            metavar="[POINTS]",
            help="Warn before a call that costs more percentage points of win probability (5).",
        ),
    ] = None,
) -> None:
    """Play a game against a coach or a friend, or watch coaches.

    Answer by number or by name; the first letters are enough. `?` shows the odds, `help` the
    rules for this question, `u` undoes a call, `h` shows the game so far, `q` saves and quits.
    Real teams play Data-Driven Football: HOME AWAY, e.g. ARI-2008 PIT-2008. Without a terminal,
    answers are read from standard input, one per line.
    """
    check_pace(pace)
    teacher = None if tutor is None else Tutor(parse_points(tutor))
    for number, label in ((seed, "seed"), (game, "game")):
        if number is not None:
            check_seed(number, label)
    screen = Screen()
    if dice is not None and dice not in DICE_MODES:
        raise UnknownName("kind of dice", dice, DICE_MODES)
    options = {**team_arguments(rules, home_team, away_team), **parse_options(option)}
    home, away = (complete_seat(seat) for seat in (home, away))
    if home_team is not None and away is None:
        away = "coach:plan"
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
        options = registry.load(rules).expand_preset(options)
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
    pairings.solve_for_coaches(loaded, header.options, header.seats.values())
    start_game(screen, header, log, pace, teacher)
