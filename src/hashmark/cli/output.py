"""Files that commands write: checked before long work, and a word when they are written."""

from __future__ import annotations

import sys
from pathlib import Path

from hashmark.table import writing


def check_writable(*paths: Path | None) -> None:
    """Minutes of work should not end at a folder that is not there, or at a game log."""
    for path in paths:
        if path is not None:
            writing.check(path)


def write_file(path: Path, made: bytes | str) -> None:
    """Write the file and say so."""
    say_written(path, writing.put(path, made))


def say_written(path: Path, replaced: bool) -> None:
    """What became of the file."""
    print(f"{'replaced' if replaced else 'wrote'} {path}", file=sys.stderr)


def free_name(stem: Path, form: str) -> Path:
    """A file name that is not taken: game.pdf, game-2.pdf, ..."""
    path = stem.with_name(f"{stem.name}.{form}")
    number = 1
    while path.exists():
        number += 1
        path = stem.with_name(f"{stem.name}-{number}.{form}")
    return path
