"""Output files of commands: checked before long work, and reported when written."""

from __future__ import annotations

import sys
from pathlib import Path

from hashmark.storage import atomic_write


def check_writable(*paths: Path | None) -> None:
    """Raise before long work if a path is not writable or is a game log."""
    for path in paths:
        if path is not None:
            atomic_write.check_writable(path)


def write_file(path: Path, content: bytes | str) -> None:
    """Write a file and report it."""
    report_written(path, atomic_write.write_file(path, content))


def report_written(path: Path, replaced: bool) -> None:
    """Report on standard error that a file was written or replaced."""
    print(f"{'replaced' if replaced else 'wrote'} {path}", file=sys.stderr)


def free_path(stem: Path, form: str) -> Path:
    """Return a path that does not exist: game.pdf, game-2.pdf, ..."""
    path = stem.with_name(f"{stem.name}.{form}")
    number = 1
    while path.exists():
        number += 1
        path = stem.with_name(f"{stem.name}-{number}.{form}")
    return path
