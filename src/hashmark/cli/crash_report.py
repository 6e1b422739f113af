"""Crash report of an unexpected error: a file that the user can read and send in."""

from __future__ import annotations

import os
import platform
import shlex
import sys
import tempfile
import time
import traceback
from importlib import metadata
from pathlib import Path

import hashmark
from hashmark.errors import HashmarkError
from hashmark.sanitize import escape_controls, one_line
from hashmark.storage import atomic_write, user_dirs

LIBRARIES = (
    *("platformdirs", "reportlab", "rich", "typer"),
    *("numba", "llvmlite", "numpy", "polars", "ray"),
)
MAX_TRACEBACK_CHARACTERS = 200_000
ABOUT = """\
Hashmark crash report: an internal error.

It holds the versions of the program and of its libraries, the kind of machine, the command line
with the names of files in it, the settings HASHMARK_*, and where in the program it happened
with the message of the fault. It holds nothing else of yours: no file, no game, no other setting.
"""


def report(fault: BaseException) -> str:
    """Write the report and return the sentence that tells the user about it."""
    text = _text(fault)
    if os.environ.get("HASHMARK_TRACEBACK"):
        print(escape_controls(_trace(fault)), file=sys.stderr)
    summary = one_line(f"{type(fault).__name__}: {str(fault)[:200]}".rstrip(": "))
    path = _write_report(text)
    if path is None:
        return f"internal error ({summary}); no crash report could be written"
    return f"internal error ({summary}); please send in the crash report {path}"


def _write_report(text: str) -> Path | None:
    """Write the report to the data directory, else to the directory for temporary files."""
    name = f"hashmark-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
    for find_directory in (_reports_dir, _temporary_dir):
        try:
            directory = find_directory()
            directory.mkdir(parents=True, exist_ok=True)
            path = directory / name
            atomic_write.write_file(path, text.encode(errors="backslashreplace"))
        except (HashmarkError, ImportError, OSError, RuntimeError, ValueError):
            continue
        return path
    return None


def _reports_dir() -> Path:
    return user_dirs.data_dir() / "reports"


def _temporary_dir() -> Path:
    return Path(tempfile.gettempdir())


def _text(fault: BaseException) -> str:
    environment = sorted(os.environ.items())
    settings = [f"{key}={value}" for key, value in environment if key.startswith("HASHMARK_")]
    lines = [
        ABOUT,
        f"time       {time.strftime('%Y-%m-%d %H:%M:%S %z')}",
        f"command    {shlex.join(['hashmark', *sys.argv[1:]])[:MAX_TRACEBACK_CHARACTERS]}",
        f"settings   {' '.join(settings) or 'none'}",
        f"hashmark   {hashmark.__version__}",
        f"python     {sys.version}",
        f"platform   {platform.platform()}",
        *(f"{name:<10} {_version(name)}" for name in LIBRARIES),
        "",
        _trace(fault),
    ]
    return escape_controls("\n".join(lines) + "\n")


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except Exception:  # not installed, or broken metadata
        return "-"


def _trace(fault: BaseException) -> str:
    """Return the traceback; of a very long one the beginning and the end."""
    trace = "".join(traceback.format_exception(fault))
    if len(trace) <= MAX_TRACEBACK_CHARACTERS:
        return trace
    return (
        f"{trace[: MAX_TRACEBACK_CHARACTERS // 2]}\n...\n{trace[-MAX_TRACEBACK_CHARACTERS // 2 :]}"
    )
