"""All subcommands, one module for each.

Modules import heavy libraries only when they run. Invalid input is one sentence on standard error
and exit status 2: the modules raise `HashmarkError` and leave the rest to `run`.
"""

from __future__ import annotations

from typing import Annotated

import typer

import hashmark
from hashmark.cli import (
    best,
    charts,
    charts_build,
    charts_resample,
    charts_scoreboard,
    charts_verify,
    odds,
    plan,
    play,
    replay,
    resume,
    review,
    rules,
    scenario,
    season,
    serve,
    sheet,
    simulate,
    solve,
    verify,
    warm,
    whatif,
)
from hashmark.cli.charts_option import with_charts_option
from hashmark.cli.help_page import HelpCommand

app = typer.Typer(
    name="hashmark",
    help="Gridiron football dice games: play them, simulate them by the million, get exact odds.",
    epilog="Start with: hashmark play fourth-down",
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

PLAIN = (
    rules,
    play,
    resume,
    serve,
    scenario,
    odds,
    best,
    simulate,
    solve,
    replay,
    review,
    verify,
    sheet,
    season,
    whatif,
    warm,
)

for module in PLAIN:
    name = module.__name__.rpartition(".")[2]
    app.command(name, epilog=f"Example: {module.EXAMPLE}")(module.command)

for name, command, example in (
    ("build", charts_build.command, charts_build.EXAMPLE),
    ("resample", charts_resample.command, charts_resample.EXAMPLE),
    ("rebuild", charts_build.rebuild, charts_build.EXAMPLE_REBUILD),
    ("scoreboard", charts_scoreboard.command, charts_scoreboard.EXAMPLE),
    ("verify", charts_verify.command, charts_verify.EXAMPLE),
):
    charts.app.command(name, epilog=f"Example: {example}")(command)
for group in (app, charts.app, plan.app):
    for registered in group.registered_commands:
        registered.cls = HelpCommand
        if registered.callback is not None:
            registered.callback = with_charts_option(registered.callback)
app.add_typer(charts.app, name="charts", epilog=f"Example: {charts.EXAMPLE}")
app.add_typer(plan.app, name="plan", epilog=f"Example: {plan.EXAMPLE}")


def _print_version(requested: bool) -> None:
    if requested:
        typer.echo(f"hashmark {hashmark.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """The options of the command itself."""
