"""Running the command: its streams, and a sentence for every fault in what the user gave."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from functools import cache

from typer import Exit
from typer.core import TyperGroup
from typer.exceptions import TyperException
from typer.main import get_command

from hashmark.table import extras, news
from hashmark.table.errors import HashmarkError
from hashmark.table.readable import sentence
from hashmark.terminal import streams
from hashmark.terminal.tutor import USUAL_POINTS


def run(arguments: list[str]) -> int:
    """Run the command with these arguments; its exit status."""
    streams.prepare()
    status = _answer(arguments)
    try:
        sys.stdout.flush()
    except OSError:  # there was a better reason to complain of
        _hang_up()
    return status


def _answer(arguments: list[str]) -> int:
    try:
        command = _command()
        with (
            news.heard_by(_tell),
            command.make_context("hashmark", completed(arguments) or ["--help"]) as context,
        ):
            command.invoke(context)
        sys.stdout.flush()
    except Exit as left:
        return left.exit_code
    except HashmarkError as fault:
        return complain(str(fault), 2)
    except ImportError as fault:
        if (lacking := extras.sentence_of(fault)) is None:
            raise
        return complain(str(lacking), 2)
    except TyperException as fault:
        return complain(f"{fault.format_message().rstrip('.')} (see hashmark --help)", 2)
    except KeyboardInterrupt:
        return complain("interrupted", 130)
    except BrokenPipeError:
        _hang_up()
        return 1
    except OSError as fault:
        return _out_of_order(fault)
    return 0


@cache
def _command() -> TyperGroup:
    """The command with all subcommands: made once, however often it runs in this process."""
    from hashmark.cli.commands import app

    made = get_command(app)
    assert isinstance(made, TyperGroup)
    return made


def completed(arguments: list[str]) -> list[str]:
    """The arguments with the value of `play --tutor` where none is given: options must have one."""
    made = list(arguments)
    for at, one in enumerate(arguments):
        if one == "--":
            break
        follows = arguments[at + 1 : at + 2]
        if arguments[0] == "play" and one == "--tutor" and not _is_number(*follows):
            made[at] = f"--tutor={USUAL_POINTS:g}"
    return made


def _is_number(text: str = "") -> bool:
    return re.fullmatch(r"-?[0-9.]+", text) is not None


def _tell(said: str) -> None:
    """News on standard error, which are there before the wait for what they tell of."""
    complain(said, 0)


def _out_of_order(fault: OSError) -> int:
    """What the system refused; if it was the output, nothing more can be written there."""
    if fault.filename is not None:
        return complain(f"cannot use {os.fsdecode(fault.filename)}: {fault.strerror}", 2)
    complain(f"cannot write the output: {fault.strerror or fault}", 2)
    _hang_up()
    return 2


def _hang_up() -> None:
    """Lead the output nowhere, so that its last flush does not fail again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(said: str, status: int) -> int:
    """One sentence on standard error."""
    with suppress(OSError, ValueError):  # if nobody can be told
        print(f"hashmark: {sentence(said)}", file=sys.stderr, flush=True)
    return status
