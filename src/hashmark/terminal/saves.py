"""Where games are kept when the player names no file."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from hashmark.table import disk, folders, log
from hashmark.table.errors import HashmarkError
from hashmark.telling.report import scoreboard

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


@dataclass(frozen=True)
class Saved:
    """A saved game that is not over."""

    path: Path
    read: log.Replay


def unfinished(most: int = LOOKED_AT) -> list[Saved]:
    """So many of the newest games that are not over; what cannot be read is passed over."""
    found: list[Saved] = []
    for path in saved()[:LOOKED_AT]:
        if len(found) == most:
            break
        with suppress(HashmarkError):
            read = log.replay(path)
            if not read.game.is_over:
                found.append(Saved(path, read))
    return found


def last_unfinished() -> Path | None:
    """The newest saved game that is not over and that nobody plays elsewhere just now."""
    found = [one.path for one in unfinished()]
    return next((path for path in found if not log.is_being_played(path)), next(iter(found), None))


def words(one: Saved) -> str:
    """A saved game in a line: which, where it stands, when it was left."""
    game = one.read.game
    left = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.path.stat().st_mtime))
    return f"{game.rules.title}, {' '.join(scoreboard(game).split())} ({left})"


def saved() -> list[Path]:
    """The saved games, the newest first."""
    found = [path for path in folder().glob("*.log") if path.is_file()]
    return sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)
