"""`hashmark verify`: check that the dice of a game were fair by rolling again from the seed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from hashmark.cli.common import AsJson, print_json
from hashmark.session.fairness import verify_file

EXAMPLE = "hashmark verify game.log"


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Game log.")],
    commitment: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="Commitment that was published before the game."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Verify a log: repeat every roll from its seed.

    Undone rolls are included. A game with sealed dice publishes a commitment before the first
    roll; with --commitment the log must contain the seed and salt that belong to it.
    """
    verification = verify_file(file)
    for notice in verification.replay.notices:
        print(f"hashmark: {notice}", file=sys.stderr)
    if commitment is not None:
        verification.check_commitment(commitment)
    if as_json:
        print_json(verification.to_json())
        return
    typer.echo(verification.message)
