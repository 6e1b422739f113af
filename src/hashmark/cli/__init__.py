"""The command `hashmark`: one module for each subcommand; heavy libraries are imported by those
that use them, when they run.

A fault in what the user gave is one sentence on standard error and exit status 2; the
modules raise `HashmarkError` and leave the rest to `main`.
"""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated, NoReturn

import typer
from typer.exceptions import TyperException

import hashmark
from hashmark.cli import (
    charts,
    charts_build,
    charts_verify,
    odds,
    plan,
    play,
    replay,
    resume,
    rules,
    scenario,
    season,
    sheet,
    simulate,
    verify,
    whatif,
)
from hashmark.cli.folders import searching
from hashmark.table.errors import HashmarkError

app = typer.Typer(
    name="hashmark",
    help="Gridiron football dice games: play them, simulate them by the million, get exact odds.",
    epilog="Start with: hashmark play fourth-down --away coach:book",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for module in (rules, play, resume, scenario, odds, simulate, replay, verify, sheet, season, whatif):
    name = module.__name__.rpartition(".")[2]
    app.command(name, epilog=f"Example: {module.EXAMPLE}")(searching(module.command))

charts.app.command("build", epilog=f"Example: {charts_build.EXAMPLE}")(charts_build.command)
charts.app.command("rebuild", epilog=f"Example: {charts_build.EXAMPLE_REBUILD}")(
    charts_build.rebuild
)
charts.app.command("verify", epilog=f"Example: {charts_verify.EXAMPLE}")(charts_verify.command)
app.add_typer(charts.app, name="charts", epilog=f"Example: {charts.EXAMPLE}")
app.add_typer(plan.app, name="plan", epilog=f"Example: {plan.EXAMPLE}")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"hashmark {hashmark.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """The options of the command itself."""


def main() -> None:
    """Run the command; turn every fault of the user's into one sentence and status 2."""
    _open_streams()
    try:
        status = app(sys.argv[1:] or ["--help"], standalone_mode=False)
        sys.stdout.flush()
    except HashmarkError as fault:
        _complain(str(fault), 2)
    except TyperException as fault:
        _complain(f"{fault.format_message().rstrip('.')} (see hashmark --help)", 2)
    except KeyboardInterrupt:
        _complain("interrupted", 130)
    except OSError as fault:
        if not isinstance(fault, BrokenPipeError):
            print(f"hashmark: cannot write the output: {fault.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1 if isinstance(fault, BrokenPipeError) else 2)
    sys.exit(status if isinstance(status, int) else 0)


def _open_streams() -> None:
    """Streams that were closed are empty ones; what an encoding cannot say is written as `?`."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _complain(sentence: str, status: int) -> NoReturn:
    print(f"hashmark: {sentence}", file=sys.stderr)
    sys.exit(status)
