"""The command `hashmark`. This file imports nothing but the least: the net that it spreads under
the command must hang before anything heavy is loaded.

Whatever happens, the user reads a sentence and never a traceback. A fault in what was given is
one sentence and status 2, Ctrl-C is 130, and what nobody foresaw is a report to send in and 70.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from typing import Any

UNFORESEEN = 70  # exit status; a fault of ours


def main() -> None:
    """Run the command; end with a sentence and a status, whatever happens."""
    try:
        if not _shows_tracebacks():
            sys.unraisablehook = _say_nothing
        from hashmark.cli.run import run

        status = run(sys.argv[1:])
    except SystemExit as left:
        status = left.code if isinstance(left.code, int) else 0
    except BaseException as fault:
        status = _caught(fault)
    _fall_silent()
    sys.exit(status)


def _caught(fault: BaseException) -> int:
    """The status for what got this far: an interruption while importing, or the unforeseen."""
    _fall_silent()
    if _was_interrupted(fault):
        return _say("interrupted", 130)
    try:
        from hashmark.cli.unforeseen import report

        return _say(report(fault), UNFORESEEN)
    except BaseException as worse:  # not even a report could be made
        return _say(f"{type(fault).__name__}, and no report: {type(worse).__name__}", UNFORESEEN)


def _was_interrupted(fault: BaseException | None) -> bool:
    """Whether Ctrl-C is behind it: some libraries turn it into a fault of their own."""
    for _ in range(20):
        if fault is None or isinstance(fault, KeyboardInterrupt):
            break
        fault = fault.__cause__ or fault.__context__
    return isinstance(fault, KeyboardInterrupt)


def _say(sentence: str, status: int) -> int:
    with suppress(OSError, ValueError, AttributeError):  # if nobody can be told
        print(f"hashmark: {sentence}", file=sys.stderr, flush=True)
    return status


def _fall_silent() -> None:
    """From here on Ctrl-C ends the process at once, without a traceback."""
    with suppress(ValueError):  # not on the main thread: signals are somebody else's
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _shows_tracebacks() -> bool:
    return bool(os.environ.get("HASHMARK_TRACEBACK"))


def _say_nothing(what: Any) -> None:
    """For faults that Python would print and go on from, as in the end of a process."""


def __getattr__(name: str) -> Any:
    """`app`, the whole command, for those who want to look at it."""
    if name == "app":
        from hashmark.cli.commands import app

        return app
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
