"""`hashmark replay`: the play-by-play of a log, with verification of every line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hashmark.cli.common import AsJson, print_json, replay_log
from hashmark.engine.record import TEAMS
from hashmark.text import summary
from hashmark.text.game_report import (
    playing_teams,
    position_id_of,
    print_history,
    print_position_id,
    print_summary,
)

EXAMPLE = "hashmark replay game.log"
MAX_VALUE_CHARACTERS = 60  # of an option


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Game log.")],
    everything: Annotated[
        bool,
        typer.Option("--all", help="Also show calls without effect, such as declined time-outs."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Replay a log: play-by-play, box score and drives.

    Every line is verified.
    """
    replay = replay_log(file)
    game, header = replay.game, replay.header
    if as_json:
        about = {"rules": game.rules.name, "header": header.to_json(), "verified": True}
        print_json({**about, **summary.game_json(game), "position_id": position_id_of(game)})
        return
    pairs = list(zip(header.names, TEAMS, strict=True))[: len(playing_teams(game))]
    seats = " vs. ".join(f"{name} ({header.seats[team]})" for name, team in pairs)
    dice = (
        f"seed {header.seed}, game {header.game_number}" if header.dice == "auto" else "real dice"
    )
    switches = "".join(f", {name} {_short(value)}" for name, value in header.options.items())
    typer.echo(f"{game.rules.title}: {seats}, {dice}{switches}\n")
    print_history(game, typer.echo, everything)
    print_summary(game, typer.echo)
    if not game.is_over:
        typer.echo()
        print_position_id(game, typer.echo)
    typer.echo(f"\nverified: {len(game.turns)} turns, every digest matches")


def _short(value: object) -> str:
    """Return an option's value on one line; cut a long one such as a whole plan."""
    text = str(value)
    return text if len(text) <= MAX_VALUE_CHARACTERS else f"{text[:20]}..."
