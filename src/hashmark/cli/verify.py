"""`hashmark verify`: were the dice of a game fair? Every roll is made again from its seed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from hashmark.cli.common import AsJson, print_json
from hashmark.table import log
from hashmark.table.errors import HashmarkError
from hashmark.table.game import Game
from hashmark.table.header import Header

EXAMPLE = "hashmark verify game.log"


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A game log.")],
    commitment: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="What was given away of the dice before the game."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play a log again and make every roll anew from its seed, those taken back included.

    A game whose dice were sealed names a commitment when it begins; with --commitment the log
    must hold the very seed and salt that it stands for.
    """
    rolls = [0]

    def count(header: Header, game: Game, folded: log.Folded | None) -> None:
        if folded is not None and folded.turn is not None and "undo" not in folded.line:
            rolls[0] += len(folded.turn.faces)

    read = log.replay(file, count)
    for notice in read.notices:
        print(f"hashmark: {notice}", file=sys.stderr)
    header = read.header
    if commitment is not None:
        _check(header, commitment, file)
    if as_json:
        print_json(
            {
                "verified": True,
                "dice": header.dice,
                "rolls": rolls[0],
                "turns": len(read.game.turns),
                "over": read.game.is_over,
                **header.opened(),
            }
        )
        return
    typer.echo(_sentence(header, rolls[0], len(read.game.turns)))


def _check(header: Header, commitment: str, file: Path) -> None:
    if header.dice != "auto":
        raise HashmarkError(f"{file}: a game with real dice has nothing to commit to")
    given = commitment.strip().lower()
    if len(given) < 16 or not header.commitment.startswith(given):
        raise HashmarkError(
            f"{file}: its dice are not those that were committed to "
            f"(at least 16 digits of {header.commitment} were expected)"
        )


def _sentence(header: Header, rolls: int, turns: int) -> str:
    """What was found, in one sentence."""
    fits = f"in {turns} turns, and every digest fits"
    if header.dice != "auto":
        return f"verified: real dice, {rolls} faces as they were typed {fits}"
    which = f"seed {header.seed}, game {header.number}"
    if header.is_sealed:
        which += f", committed to as {header.commitment}"
    return f"verified: all {rolls} dice are those of {which}, {fits}"
