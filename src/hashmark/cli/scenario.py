"""`hashmark scenario`: run scenario files and show where a position is not as expected."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hashmark.cli.common import AsJson, print_json
from hashmark.session import scenario

EXAMPLE = "hashmark scenario tests/scenarios/fourth-down.json"


def command(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Scenario files.")],
    as_json: AsJson = False,
) -> None:
    """Run scenarios: worked examples with given dice and calls.

    Exit status 1 if any fails, 2 if a file cannot be read.
    """
    outcomes = [outcome for path in files for outcome in scenario.run_scenarios(path)]
    if as_json:
        print_json([outcome.to_json() for outcome in outcomes])
    else:
        for outcome in outcomes:
            typer.echo(f"{'ok  ' if outcome.ok else 'FAIL'} {outcome.id}")
            for line in [outcome.error] if outcome.error else outcome.diff:
                typer.echo(f"       {line}")
        failed = sum(not outcome.ok for outcome in outcomes)
        typer.echo(f"{len(outcomes) - failed} passed, {failed} failed")
    if not all(outcome.ok for outcome in outcomes):
        raise typer.Exit(1)
