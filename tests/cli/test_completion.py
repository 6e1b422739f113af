"""Shell completion of commands, games, coaches and seasons."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


def complete(line: str) -> list[str]:
    """Return what Bash is offered for the last word of a line."""
    words = line.split(" ")
    environment = {
        **os.environ,
        "_HASHMARK_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
    }
    done = subprocess.run(
        [sys.executable, "-m", "hashmark"], env=environment, capture_output=True, text=True
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("hashmark si", ["simulate"]),
        ("hashmark play fou", ["fourth-down"]),
        ("hashmark play fourth-down --home bo", ["book", "bold"]),
        ("hashmark play fourth-down --away h", ["human"]),
        ("hashmark simulate rapid-roll --away rea", ["reader"]),
        ("hashmark season 2008", ["2008"]),
    ],
)
def test_names_are_completed(line: str, offered: list[str]) -> None:
    assert complete(line) == offered
