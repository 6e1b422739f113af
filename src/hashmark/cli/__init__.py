"""Command `hashmark`: the entry point, with the last handler of exceptions.

This module imports as little as possible, so that the handler is in place before anything heavy is
loaded. The user always reads a sentence and never a traceback: invalid input is one sentence and
status 2, Ctrl-C is 130, and an unexpected error is a report to send in and status 70.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import Any

CRASH_STATUS = 70  # exit status of an internal error


def main() -> None:
    """Run the command and exit with a status; print a sentence on any failure."""
    try:
        if not _shows_tracebacks():
            sys.unraisablehook = _say_nothing
        from hashmark.cli.run import run

        status = run(sys.argv[1:])
    except SystemExit as left:
        status = left.code if isinstance(left.code, int) else 0
    except BaseException as fault:
        status = _handle_uncaught(fault)
    _fall_silent()
    sys.exit(status)


def _handle_uncaught(fault: BaseException) -> int:
    """Return the status of an uncaught exception: an interruption while importing, or a crash."""
    _fall_silent()
    if _was_interrupted(fault):
        return _say("interrupted", 130)
    try:
        from hashmark.cli.crash_report import report

        return _say(report(fault), CRASH_STATUS)
    except BaseException as worse:  # the report failed as well
        return _say(f"{type(fault).__name__}, and no report: {type(worse).__name__}", CRASH_STATUS)


def _was_interrupted(fault: BaseException | None) -> bool:
    """Return whether Ctrl-C is the cause; some libraries turn it into an exception of their own."""
    for _ in range(20):
        if fault is None or isinstance(fault, KeyboardInterrupt):
            break
        fault = fault.__cause__ or fault.__context__
    return isinstance(fault, KeyboardInterrupt)


def _say(sentence: str, status: int) -> int:
    with suppress(OSError, ValueError, AttributeError):  # standard error may be closed
        print(f"hashmark: {sentence}", file=sys.stderr, flush=True)
    return status


def _fall_silent() -> None:
    """Restore the default of Ctrl-C: from here on it ends the process without a traceback."""
    with suppress(ValueError):  # not on the main thread: another component owns the signals
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _shows_tracebacks() -> bool:
    return bool(os.environ.get("HASHMARK_TRACEBACK"))


def _say_nothing(unraisable: object) -> None:
    """Ignore exceptions that Python would only print, as at the end of a process."""


def __getattr__(name: str) -> Any:
    """Return `app`, the whole Typer application, on demand."""
    if name == "app":
        from hashmark.cli.commands import app

        return app
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
