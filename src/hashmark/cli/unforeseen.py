"""The report of a fault that nobody foresaw: a file that the user can read and send in."""

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
from hashmark.table import folders, writing
from hashmark.table.errors import HashmarkError
from hashmark.table.readable import readable, sentence

LIBRARIES = (
    *("platformdirs", "reportlab", "rich", "typer"),
    *("numba", "llvmlite", "numpy", "polars", "ray"),
)
LONGEST = 200_000  # characters of a traceback
ABOUT = """\
A report of Hashmark on something that should not have happened.

It holds the versions of the program and of its libraries, the kind of machine, the command line
with the names of files in it, the settings HASHMARK_*, and where in the program it happened
with the message of the fault. It holds nothing else of yours: no file, no game, no other setting.
"""


def report(fault: BaseException) -> str:
    """Write the report; the sentence that tells the user of it."""
    text = _text(fault)
    if os.environ.get("HASHMARK_TRACEBACK"):
        print(readable(_trace(fault)), file=sys.stderr)
    what = sentence(f"{type(fault).__name__}: {str(fault)[:200]}".rstrip(": "))
    path = _written(text)
    if path is None:
        return f"this should not have happened ({what}), and no report of it could be written"
    return f"this should not have happened ({what}); please send in the report {path}"


def _written(text: str) -> Path | None:
    """Where the report is: in the user's data folder, else in the folder for temporary files."""
    name = f"hashmark-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
    for folder in (_reports, _temporary):
        try:
            place = folder()
            place.mkdir(parents=True, exist_ok=True)
            path = place / name
            writing.put(path, text.encode(errors="backslashreplace"))
        except (HashmarkError, ImportError, OSError, RuntimeError, ValueError):
            continue
        return path
    return None


def _reports() -> Path:
    return folders.data() / "reports"


def _temporary() -> Path:
    return Path(tempfile.gettempdir())


def _text(fault: BaseException) -> str:
    settings = [f"{key}={value}" for key, value in sorted(os.environ.items()) if _is_ours(key)]
    lines = [
        ABOUT,
        f"time       {time.strftime('%Y-%m-%d %H:%M:%S %z')}",
        f"command    {shlex.join(['hashmark', *sys.argv[1:]])[:LONGEST]}",
        f"settings   {' '.join(settings) or 'none'}",
        f"hashmark   {hashmark.__version__}",
        f"python     {sys.version}",
        f"platform   {platform.platform()}",
        *(f"{name:<10} {_version(name)}" for name in LIBRARIES),
        "",
        _trace(fault),
    ]
    return readable("\n".join(lines) + "\n")


def _is_ours(key: str) -> bool:
    return key.startswith("HASHMARK_")


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except Exception:  # not there, or its own description is broken
        return "-"


def _trace(fault: BaseException) -> str:
    """Where it happened; of a very long one the beginning and the end."""
    trace = "".join(traceback.format_exception(fault))
    if len(trace) <= LONGEST:
        return trace
    return f"{trace[: LONGEST // 2]}\n...\n{trace[-LONGEST // 2 :]}"
