"""`hashmark` at a small pseudo-terminal, as a player would use it."""

from __future__ import annotations

import os
import re
import sys

import pexpect

from timeouts import TIMEOUT_SECONDS

ROWS, COLUMNS = 24, 80
ESCAPE_SEQUENCES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def hashmark(*arguments: str) -> pexpect.spawn:
    """Start the command at 80 columns by 24 rows."""
    environment = {
        key: value for key, value in os.environ.items() if key not in ("COLUMNS", "LINES")
    }
    return pexpect.spawn(
        sys.executable,
        ["-m", "hashmark", *arguments],
        encoding="utf-8",
        timeout=TIMEOUT_SECONDS,
        dimensions=(ROWS, COLUMNS),
        env=environment,
    )


def visible_lines(text: str) -> list[str]:
    """Return the printed lines without escape sequences and without erased text."""
    lines = ESCAPE_SEQUENCES.sub(lambda code: "\f" if code[0].endswith("K") else "", text).split(
        "\n"
    )
    return [line.rstrip("\r").rpartition("\f")[2].rpartition("\r")[2] for line in lines]
