"""Runner of the command: its streams, and one sentence for every invalid input."""

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

from hashmark import extras
from hashmark.cli.completion import is_completing
from hashmark.cli.progress import show_notices
from hashmark.errors import HashmarkError
from hashmark.sanitize import one_line
from hashmark.terminal import streams
from hashmark.terminal.tutor import DEFAULT_POINTS


def run(arguments: list[str]) -> int:
    """Run the command with these arguments and return its exit status."""
    streams.install_streams()
    status = _invoke(arguments)
    try:
        sys.stdout.flush()
    except OSError:  # the status already reports a better reason
        _discard_output()
    return status


def _invoke(arguments: list[str]) -> int:
    try:
        command = _command()
        if is_completing():
            command(prog_name="hashmark")
        with (
            show_notices(_print_notice),
            command.make_context(
                "hashmark", fill_tutor_default(arguments) or ["--help"]
            ) as context,
        ):
            command.invoke(context)
        sys.stdout.flush()
    except Exit as left:
        return left.exit_code
    except HashmarkError as fault:
        return print_error(str(fault), 2)
    except ImportError as fault:
        if (lacking := extras.explain_import_error(fault)) is None:
            raise
        return print_error(str(lacking), 2)
    except TyperException as fault:
        return print_error(f"{fault.format_message().rstrip('.')} (see hashmark --help)", 2)
    except KeyboardInterrupt:
        return print_error("interrupted", 130)
    except BrokenPipeError:
        _discard_output()
        return 1
    except OSError as fault:
        return _report_os_error(fault)
    return 0


@cache
def _command() -> TyperGroup:
    """Return the command with all subcommands; it is built once per process."""
    from hashmark.cli.commands import app

    command = get_command(app)
    assert isinstance(command, TyperGroup)
    return command


def fill_tutor_default(arguments: list[str]) -> list[str]:
    """Return the arguments with the default of `play --tutor` filled in: options need a value."""
    result = list(arguments)
    for index, argument in enumerate(arguments):
        if argument == "--":
            break
        following = arguments[index + 1 : index + 2]
        if arguments[0] == "play" and argument == "--tutor" and not _is_number(*following):
            result[index] = f"--tutor={DEFAULT_POINTS:g}"
    return result


def _is_number(text: str = "") -> bool:
    return re.fullmatch(r"-?[0-9.]+", text) is not None


def _print_notice(notice: str) -> None:
    """Print a progress notice on standard error at once."""
    print_error(notice, 0)


def _report_os_error(fault: OSError) -> int:
    """Report what the system refused; if it was the output, discard further output."""
    if fault.filename is not None:
        return print_error(f"cannot use {os.fsdecode(fault.filename)}: {fault.strerror}", 2)
    print_error(f"cannot write the output: {fault.strerror or fault}", 2)
    _discard_output()
    return 2


def _discard_output() -> None:
    """Redirect the output to nowhere, so that its last flush does not fail again."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_error(message: str, status: int) -> int:
    """Print one sentence on standard error and return the status."""
    with suppress(OSError, ValueError):  # standard error may be closed
        print(f"hashmark: {one_line(message)}", file=sys.stderr, flush=True)
    return status
