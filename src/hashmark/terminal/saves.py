"""Where games are kept when the player names no file."""

from __future__ import annotations

import os
import time
from pathlib import Path

from hashmark.table import disk, folders, log
from hashmark.table.errors import HashmarkError

LOOKED_AT = 20  # saved games, the newest first, in which one to go on with is looked for


def folder() -> Path:
    """In the user's data folder."""
    return folders.data() / "games"


def new_path(rules: str) -> Path | None:
    """A file for a new game; None if the folder cannot be written to."""
    place = folder()
    try:
        disk.make_folders(place)
    except OSError:
        return None
    if not os.access(place, os.W_OK):
        return None
    stamp = time.strftime("%Y%m%d-%H%M%S")
    path = place / f"{stamp}-{rules}.log"
    number = 1
    while path.exists():
        number += 1
        path = place / f"{stamp}-{rules}-{number}.log"
    return path


def last_unfinished() -> Path | None:
    """The newest saved game that is not over; files that cannot be read are passed over."""
    for path in saved()[:LOOKED_AT]:
        try:
            if not log.replay(path).game.is_over:
                return path
        except HashmarkError:
            continue
    return None


def saved() -> list[Path]:
    """The saved games, the newest first."""
    found = [path for path in folder().glob("*.log") if path.is_file()]
    return sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)
